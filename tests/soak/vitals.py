"""Vitals: memory and open files of every worker, looked at each second of its life."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from time import monotonic

from live.processes import open_files, resident_bytes
from soak.world import World

LEAST_SECONDS = 120
"""Lives that are shorter tell of the beginning alone, and are not judged."""

MORE_MEMORY = 1.05
MORE_FILES = 8
"""How much the end of a life may lie above its first half: a twentieth, and a few connections."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One look at one worker."""

    at: float
    memory_bytes: int
    files: int


@dataclass(frozen=True, slots=True)
class Life:
    """The samples of one worker, from its first to its last."""

    pid: int
    samples: Sequence[Sample]

    @property
    def seconds(self) -> float:
        """How long it was watched."""
        return self.samples[-1].at - self.samples[0].at

    def quarter(self, number: int, what: Callable[[Sample], int]) -> float:
        """The median of a quarter of its life, 1 to 4."""
        size = len(self.samples) / 4
        part = self.samples[int((number - 1) * size) : max(int(number * size), 1)]
        return median(map(what, part))

    @property
    def growths(self) -> Iterator[str]:
        """What grew though it should not have.

        The last quarter is held against the second, as the first one fills caches and pools;
        medians, as single seconds tell of requests and readings under way.
        """
        memory = [self.quarter(number, lambda each: each.memory_bytes) for number in (2, 4)]
        files = [self.quarter(number, lambda each: each.files) for number in (2, 4)]
        if memory[1] > memory[0] * MORE_MEMORY:
            yield f"worker {self.pid}: {memory[0]:,.0f} bytes became {memory[1]:,.0f}"
        if files[1] > files[0] + MORE_FILES:
            yield f"worker {self.pid}: {files[0]:.0f} open files became {files[1]:.0f}"


class Vitals:
    """Looks at the workers there are."""

    def __init__(self, world: World, _name: str = "") -> None:
        self._world = world
        self._samples: dict[int, list[Sample]] = {}

    def act(self) -> None:
        """One look at each."""
        for pid in self._world.workers:
            try:
                sample = Sample(monotonic(), resident_bytes(pid), open_files(pid))
            except (OSError, IndexError):  # it has ended meanwhile
                continue
            self._samples.setdefault(pid, []).append(sample)

    @property
    def lives(self) -> list[Life]:
        """Every worker that was ever seen, in the order of their births."""
        return [Life(pid, samples) for pid, samples in self._samples.items()]

    @property
    def long_lives(self) -> list[Life]:
        """Those that can be judged."""
        return [each for each in self.lives if each.seconds >= LEAST_SECONDS]
