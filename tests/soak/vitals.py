"""Vitals: memory and open files of every worker, sampled once a second."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from time import monotonic
from typing import Protocol

from live.processes import open_files, resident_bytes

LEAST_SECONDS = 120
"""Shorter lives show only the start, and are not checked."""

MORE_MEMORY = 1.05
MORE_FILES = 8
"""Allowed growth from the second to the last quarter: 5 %, and a few connections."""


class Deployment(Protocol):
    """What runs the service, on one machine or several."""

    @property
    def workers(self) -> list[int]:
        """The running processes that answer."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One measurement of one worker."""

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
        """Return the time between the first and the last sample."""
        return self.samples[-1].at - self.samples[0].at

    def quarter(self, number: int, what: Callable[[Sample], int]) -> float:
        """Return the median of a quarter of the life, 1 to 4."""
        size = len(self.samples) / 4
        part = self.samples[int((number - 1) * size) : max(int(number * size), 1)]
        return median(map(what, part))

    @property
    def growths(self) -> Iterator[str]:
        """Yield what grew more than allowed.

        The last quarter is compared with the second, because the first fills caches and pools.
        Medians ignore the peaks of single requests and reloads.
        """
        memory = [self.quarter(number, lambda each: each.memory_bytes) for number in (2, 4)]
        files = [self.quarter(number, lambda each: each.files) for number in (2, 4)]
        if memory[1] > memory[0] * MORE_MEMORY:
            yield f"worker {self.pid}: {memory[0]:,.0f} bytes became {memory[1]:,.0f}"
        if files[1] > files[0] + MORE_FILES:
            yield f"worker {self.pid}: {files[0]:.0f} open files became {files[1]:.0f}"


class Vitals:
    """Samples all running workers."""

    def __init__(self, deployment: Deployment) -> None:
        self._deployment = deployment
        self._samples: dict[int, list[Sample]] = {}

    def act(self) -> None:
        """Sample each worker."""
        for pid in self._deployment.workers:
            try:
                sample = Sample(monotonic(), resident_bytes(pid), open_files(pid))
            except (OSError, IndexError):  # it ended meanwhile
                continue
            self._samples.setdefault(pid, []).append(sample)

    @property
    def lives(self) -> list[Life]:
        """Return every worker seen so far, oldest first."""
        return [Life(pid, samples) for pid, samples in self._samples.items()]

    @property
    def long_lives(self) -> list[Life]:
        """Return the workers that lived long enough to be checked."""
        return [each for each in self.lives if each.seconds >= LEAST_SECONDS]
