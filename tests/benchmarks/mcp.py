"""What MCP costs: the CPU time of a tool call against that of the same question to the API."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import count, islice, product
from urllib.parse import quote

from agents import modern
from benchmarks.figures import Figure
from contract.visitor import Reply, Visitor

METHOD = (
    "Questions that no cache holds are asked in one process: by a call of `find_passages`, and by "
    "GET of `/api/public/v1/search`, in turn. The figure is the least CPU time of a call in any "
    "round; the ratio is to that of the API."
)
_ROUNDS = 7
_QUESTIONS = 100
_WORDS = ("invoice", "vat", "warehouse", "price", "rollout", "branch", "offline", "payroll")

Ask = Callable[[Visitor, str], Reply]


def measure() -> Iterator[Figure]:
    """Measure calls that search."""
    with Visitor(mcp=True) as visitor:
        questions = _questions()
        for ask in (_call, _get):
            _seconds(visitor, ask, questions)  # first uses compile and load
        rounds = [
            (_seconds(visitor, _call, questions), _seconds(visitor, _get, questions))
            for _ in range(_ROUNDS)
        ]
    call, get = (min(seconds) for seconds in zip(*rounds, strict=True))
    yield Figure("uncached call", "find_passages", call * 1e6, "µs", call / get, at_most=1.5)


def _questions() -> Iterator[str]:
    """Yield questions that all differ, without end."""
    for number in count():
        for first, second in product(_WORDS, repeat=2):
            yield f"{first} {second} {number}"


def _seconds(visitor: Visitor, ask: Ask, questions: Iterator[str]) -> float:
    """Return the CPU time of an answer."""
    asked = list(islice(questions, _QUESTIONS))
    started = time.process_time()
    for question in asked:
        if ask(visitor, question).status != 200:
            raise RuntimeError(f"“{question}” was not answered")
    return (time.process_time() - started) / len(asked)


def _call(visitor: Visitor, question: str) -> Reply:
    params = {"name": "find_passages", "arguments": {"query": question}}
    return modern(visitor, "tools/call", params)


def _get(visitor: Visitor, question: str) -> Reply:
    return visitor.get(f"/api/public/v1/search?limit=5&q={quote(question)}")
