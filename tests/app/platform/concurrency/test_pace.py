"""The pace of crowded executors: a burst, then few calls a second, and none for a single caller."""

from __future__ import annotations

import asyncio

import pytest

from app.platform.concurrency.executors import BoundedExecutor, Pace, current_permit


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
    ("others", "rests"), [pytest.param(1, 0, id="one waits"), pytest.param(2, 2, id="crowded")]
)
async def test_a_thread_rests_only_while_calls_wait(others: int, rests: int) -> None:
    """Of five calls three are the burst. One other caller gets a permit, a second one waits."""
    time = Time()
    executor = BoundedExecutor("some", threads=1, queue=7, pace=time.pace())
    current_permit.set(await executor.acquire())
    waiting = [asyncio.create_task(executor.acquire()) for _ in range(others)]
    await asyncio.sleep(0)
    for _ in range(5):
        await executor.run(lambda: None)
    for task in waiting:
        task.cancel()
    executor.close()
    assert len(time.slept) == rests
