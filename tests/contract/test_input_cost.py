"""No text of a stranger takes long in the event loop, or more than linear time anywhere.

Each input gets runs of each character, pair and triple of those that the patterns tell apart that
read it, several in one text. What takes longer than a plain text is sent again with each run by
itself, in three lengths. CPU time counts, and the least of several, as machines are busy.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures.thread import _WorkItem
from contextlib import contextmanager
from datetime import timedelta
from functools import cache
from itertools import count
from pathlib import Path
from time import process_time, thread_time
from types import FrameType
from typing import Any, NamedTuple

import pytest
from contract.inputs import EVERYTHING, Input, form_inputs, inputs
from contract.visitor import FakeClock, Visitor
from examples import SITES
from growth.measuring import MAX_GROWTH, without_collector
from growth.pumped import mixed

from app.platform.settings import SAMPLE_CONTENT

pytestmark = pytest.mark.slow

LOOP_SECONDS = 0.05
"""The most that 10 kB of a request may take in the event loop."""
FLOOR = 0.02
"""Seconds of a request whose growth is judged."""
LENGTHS = {True: (8_000,), False: (4_800, 16_000)}
"""Characters of a text, in the head of a request and in a body: one length that the fields of forms
take, and one that most refuse."""
PACKED = 2_000
"""Characters of each run, where several stand in one text."""
PROBES = ("zq@shop.example", "zq https://shop.example/a +971 50 123 4567")
"""Texts that fields take, to find out which patterns read them."""
SIGNS = re.compile(r"[^\w\s.,:;/@+=&%-]")
"""Tells apart a letter, a blank, and the signs of addresses, lists and numbers as one."""
PAUSE = timedelta(minutes=10)
"""Moves the clock, so that no token has used up its requests."""
REQUESTS = count()


class Cost(NamedTuple):
    """The CPU seconds of a request: those of the event loop, and those of all threads."""

    loop: float
    whole: float


class Readers:
    """Notes which patterns read the texts of requests, in the event loop and in threads."""

    def __init__(self) -> None:
        self.patterns: defaultdict[str, set[re.Pattern[str]]] = defaultdict(set)
        self.reading: str | None = None

    @contextmanager
    def watching(self, settings: Mapping[str, Any]) -> Iterator[Visitor]:
        """Start a service, and watch the functions of C that it calls, as those of patterns are."""
        begun = _WorkItem.run

        def run(item: _WorkItem[Any]) -> None:
            sys.setprofile(self._called)
            try:
                begun(item)
            finally:
                sys.setprofile(None)

        with Visitor(**settings) as visitor, pytest.MonkeyPatch.context() as patch:
            patch.setattr(_WorkItem, "run", run)  # the work of a thread
            sys.setprofile(self._called)
            try:
                yield visitor
            finally:
                sys.setprofile(None)

    def _called(self, frame: FrameType, event: str, function: object) -> None:
        if self.reading is None or event != "c_call":
            return
        pattern = getattr(function, "__self__", None)
        if not isinstance(pattern, re.Pattern):
            return
        texts = [each for each in frame.f_locals.values() if isinstance(each, str | bytes)]
        if any("zq" in str(each) for each in texts):
            self.patterns[self.reading].add(pattern)


def shapes(patterns: Collection[re.Pattern[str]]) -> Sequence[str]:
    """Return the runs that concern patterns, each once."""
    ordered = sorted(patterns, key=lambda each: str(each.pattern))
    return [*dict.fromkeys(unit for each in (SIGNS, *ordered) for unit in units(each))]


@cache
def units(pattern: re.Pattern[str]) -> Sequence[str]:
    """Return the runs that a pattern tells apart; one of bytes counts as one of characters."""
    written = pattern.pattern
    text = written if isinstance(written, str) else bytes(written).decode("latin-1")
    return [each.unit for each in mixed(re.compile(text, pattern.flags & ~re.LOCALE))]


def run(unit: str, length: int) -> str:
    """Return a run of about this length."""
    return unit * (length // len(unit))


def cost(visitor: Visitor, each: Input, text: str) -> Cost:
    """Return the least cost of three requests; each differs, as equal ones are cached."""
    return Cost(*map(min, zip(*(_cost(visitor, each, text) for _ in range(3)), strict=True)))


def _cost(visitor: Visitor, each: Input, text: str) -> Cost:
    sent = each.request(f"{text}{next(REQUESTS)}")
    whole, loop = process_time(), thread_time()
    sent.by(visitor)
    return Cost(thread_time() - loop, process_time() - whole)


def faults(visitor: Visitor, each: Input, runs: Sequence[str], length: int) -> Iterator[str]:
    """Yield what is wrong with the cost of runs of an input."""
    plain = cost(visitor, each, "word " * (length // 5)).whole
    number = length // PACKED
    for start in range(0, len(runs), number):
        packed = runs[start : start + number]
        text = "".join(run(unit, length // number) for unit in packed)
        if _cost(visitor, each, text).whole < 3 * plain + FLOOR:
            continue
        for unit in packed:
            whole = cost(visitor, each, run(unit, length))
            size = each.request(run(unit, length)).size
            if whole.loop > LOOP_SECONDS * max(1, size / 10_000):
                yield f"{each.name}: {whole.loop:.3f} s of the loop for {size} bytes of {unit!r}"
            elif whole.whole > FLOOR:
                quarter, half = (cost(visitor, each, run(unit, length // n)).whole for n in (4, 2))
                if whole.whole > MAX_GROWTH * quarter and whole.whole > 2.5 * half:
                    yield f"{each.name}: {whole.whole / quarter:.0f} times as long: {unit!r}"


def examined(
    site: Path, listed: Callable[[Visitor], Iterator[Input]]
) -> Iterator[tuple[int, list[str]]]:
    """Yield of each input of a site how many runs it got, and what is wrong with their cost."""
    readers, clock = Readers(), FakeClock()
    settings = {**EVERYTHING, "content_dir": site, "clock": clock}
    with readers.watching(settings) as visitor:
        found = {each.name: each for each in listed(visitor)}
        for readers.reading, each in found.items():
            for probe in PROBES:
                each.request(probe).by(visitor)
            clock.move(PAUSE)
    with Visitor(**settings) as visitor, without_collector():
        for name, each in found.items():
            runs = shapes(readers.patterns[name])
            lengths = LENGTHS[each.in_head]
            yield (
                len(runs),
                [fault for size in lengths for fault in faults(visitor, each, runs, size)],
            )
            clock.move(PAUSE)
            visitor.forget_leads()


@pytest.mark.timeout(1_200)
@pytest.mark.parametrize(
    ("site", "listed", "least"),
    [
        pytest.param(SAMPLE_CONTENT, inputs, 20_000, id="sample"),
        *(pytest.param(site, form_inputs, 2_000, id=site.name) for site in SITES[:2]),
    ],
)
def test_no_input_costs_too_much(
    site: Path, listed: Callable[[Visitor], Iterator[Input]], least: int
) -> None:
    """All inputs of the sample, and the forms of the sites that declare some."""
    judged = [*examined(site, listed)]
    assert sum(runs for runs, _ in judged) >= least
    assert [fault for _, faults in judged for fault in faults] == []
