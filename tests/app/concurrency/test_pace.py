"""The pace of crowded executors: a burst, then few calls a second, and none for a single caller."""

from __future__ import annotations

import asyncio

import pytest

from app.concurrency.executors import BoundedExecutor
from app.concurrency.pace import Pace


class Time:
    """A clock that sleeping moves."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        """Return the current time."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Move the clock."""
        self.slept.append(seconds)
        self.now += seconds

    def pace(self) -> Pace:
        """Return a pace of three calls at once, and two a second, on this clock."""
        return Pace(3, 2, self, self.sleep)


def test_a_burst_is_followed_by_few_calls_a_second() -> None:
    """A pause earns new calls without a rest, but not more than the burst."""
    time = Time()
    pace = time.pace()
    for _ in range(5):
        pace.rest()
    assert time.slept == [0.5, 0.5]
    time.now += 1
    for _ in range(3):
        pace.rest()
    assert time.slept[2:] == [0.5]
    time.now += 60
    for _ in range(4):
        pace.rest()
    assert len(time.slept) == 4


@pytest.mark.parametrize(
    ("at_once", "rests"),
    [pytest.param(1, 0, id="one after the other"), pytest.param(8, 3, id="all at once")],
)
def test_a_thread_rests_only_while_calls_wait(at_once: int, rests: int) -> None:
    """Of eight calls at once the last two do not wait for others, and three are the burst."""
    time = Time()

    async def run() -> None:
        executor = BoundedExecutor("some", threads=1, queue=7, pace=time.pace())
        for _ in range(8 // at_once):
            await asyncio.gather(*(executor.run(lambda: None) for _ in range(at_once)))
        executor.close()

    asyncio.run(run())
    assert len(time.slept) == rests
