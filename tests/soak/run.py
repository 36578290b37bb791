"""A run: all actors at work while faults are injected, then the check of the guarantees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from time import monotonic
from typing import Protocol

from soak import authors, faults, readers, writers
from soak.faults import Fault
from soak.guarantees import check
from soak.vitals import Vitals
from soak.world import World


class Actor(Protocol):
    """A client or author that repeats one kind of action."""

    def act(self) -> None:
        """Do one action."""
        ...


@dataclass(frozen=True, slots=True)
class Cast:
    """`count` actors of one kind, with random pauses of at most `pause_seconds`."""

    make: Callable[[World, str], Actor]
    name: str
    pause_seconds: float
    count: int = 1


CASTS = (
    Cast(readers.Reader, "reader", 0.02, 4),
    Cast(readers.Searcher, "searcher", 0.04, 2),
    Cast(readers.OverLimitClient, "over-limit", 0.05),
    Cast(readers.Monitor, "monitor", 0.5),
    Cast(writers.Sender, "sender", 0.05, 3),
    Cast(writers.Partner, "partner", 0.1, 2),
    Cast(writers.Quitter, "quitter", 0.1),
    Cast(authors.Editor, "alpha", 0.2),
    Cast(authors.Editor, "beta", 0.2),
    Cast(authors.PageBreaker, "gamma", 1.0),
    Cast(authors.Publisher, "publisher", 1.0),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a run."""

    seconds: float
    lives: Vitals
    wrong: Sequence[str]


def once(world: World) -> Outcome:
    """Inject every kind of fault once, then check the guarantees."""
    return _run(world, faults.SHORT)


def for_seconds(world: World, seconds: float) -> Outcome:
    """Inject every kind of fault in the first half; in the second only those of the stores.

    The workers of the second half live long enough to measure their growth.
    """
    return _run(world, _in_two_halves(seconds))


def _in_two_halves(seconds: float) -> Iterator[Fault]:
    for kinds in (faults.EVERY, faults.OF_STORES):
        until = monotonic() + seconds * 0.5
        for fault in cycle(kinds):
            if monotonic() >= until:
                break
            yield fault


def _run(world: World, following: Sequence[Fault] | Iterator[Fault]) -> Outcome:
    began = monotonic()
    vitals = Vitals(world)
    with _at_work(world, vitals):
        for fault in following:
            _break(world, fault)
    seconds = monotonic() - began
    return Outcome(seconds, vitals, list(check(world, vitals)))


def _break(world: World, fault: Fault) -> None:
    try:
        fault(world)
    except AssertionError as error:
        world.ledger.broke("the service lives on after a fault", f"{fault.__name__}: {error}")


@contextmanager
def _at_work(world: World, vitals: Vitals) -> Iterator[None]:
    """Run all actors until the block ends; an actor that fails is a violation."""
    acting: list[Future[None]] = []
    number = sum(cast.count for cast in CASTS) + 1
    with ThreadPoolExecutor(number) as threads:
        try:
            acting.append(threads.submit(_acts, world, vitals, "vitals", 1.0))
            for cast in CASTS:
                for each in range(cast.count):
                    name = cast.name if cast.count == 1 else f"{cast.name}-{each}"
                    actor = cast.make(world, name)
                    acting.append(threads.submit(_acts, world, actor, name, cast.pause_seconds))
            yield
        finally:
            world.over.set()
    world.all_leave()
    for future in acting:
        future.result()


def _acts(world: World, actor: Actor, name: str, pause_seconds: float) -> None:
    chance = world.chance(f"pauses of {name}")
    while not world.over.is_set():
        try:
            actor.act()
        except Exception as error:  # the others continue, and the run reports it
            world.ledger.broke("actors do not fail", f"{name}: {error!r}")
        world.over.wait(pause_seconds * (1 if name == "vitals" else chance.random()))
