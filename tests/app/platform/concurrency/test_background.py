"""Background tasks: a task that fails is logged, counted, and restarted."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from app.platform.concurrency import background
from app.platform.concurrency.background import FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS, Background
from app.platform.observability.metrics import Metrics

Work = Callable[[asyncio.Event], Awaitable[None]]


class Waits:
    """Replaces `wait_or_stop`: records the length of each wait, and stops after the last."""

    def __init__(self, stop_after: int) -> None:
        self.seconds: list[float] = []
        self._stop_after = stop_after

    async def __call__(self, stop: asyncio.Event, seconds: float) -> None:
        """Let the other tasks run once."""
        self.seconds.append(seconds)
        if len(self.seconds) == self._stop_after:
            stop.set()
        await asyncio.sleep(0)


def restarts(metrics: Metrics) -> dict[str, float]:
    """Return the number of restarts of each task."""
    return {
        labels[0]: numbers[0]
        for (name, labels), numbers in metrics.samples().items()
        if name == "majlis_task_restarts"
    }


async def fail(_stop: asyncio.Event) -> None:
    """Raise an error at once."""
    raise LookupError("nothing there")


async def look_cancelled(_stop: asyncio.Event) -> None:
    """Raise CancelledError although the task is not cancelled, as a library may do."""
    raise asyncio.CancelledError


async def run(metrics: Metrics, stop: asyncio.Event, **tasks: Work) -> None:
    """Run tasks until they stop."""
    await Background(metrics, tasks, ticks=lambda: 0.0).run(stop)


@pytest.mark.parametrize("work", [fail, look_cancelled])
async def test_what_fails_is_logged_counted_and_restarted(
    work: Work, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The waits grow up to a maximum; the traceback is in the log."""
    waits = Waits(stop_after=9)
    monkeypatch.setattr(background, "wait_or_stop", waits)
    metrics = Metrics()
    await run(metrics, asyncio.Event(), census=work)
    assert waits.seconds[:3] == [FIRST_WAIT_SECONDS, 2, 4]
    assert waits.seconds[-2:] == [LONGEST_WAIT_SECONDS] * 2
    assert restarts(metrics) == {"census": 8}
    assert caplog.text.count("Background task census failed; restarting it in") == 9
    assert "Traceback" in caplog.text


async def test_other_tasks_continue_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """A task that returns is not restarted."""
    monkeypatch.setattr(background, "wait_or_stop", Waits(stop_after=3))
    rounds = []

    async def work(stop: asyncio.Event) -> None:
        while not stop.is_set():
            rounds.append(1)
            await asyncio.sleep(0)

    async def end(_stop: asyncio.Event) -> None:
        rounds.append(0)

    metrics = Metrics()
    await run(metrics, asyncio.Event(), watch=work, settle=end, deliver=fail)
    assert rounds.count(0) == 1
    assert len(rounds) > 3
    assert restarts(metrics) == {"watch": 0, "settle": 0, "deliver": 2}


async def test_after_a_long_run_the_waits_are_reset(monkeypatch: pytest.MonkeyPatch) -> None:
    """The waits of a task that fails once a day do not grow."""
    waits = Waits(stop_after=4)
    monkeypatch.setattr(background, "wait_or_stop", waits)
    seconds = iter(range(0, 10_000, int(LONGEST_WAIT_SECONDS)))
    tasks = {"census": fail}
    await Background(Metrics(), tasks, ticks=lambda: next(seconds)).run(asyncio.Event())
    assert waits.seconds == [FIRST_WAIT_SECONDS] * 4


async def test_a_cancellation_ends_the_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cancellation from outside is not a failure."""

    async def wait(_stop: asyncio.Event) -> None:
        await asyncio.Event().wait()

    metrics = Metrics()
    running = asyncio.create_task(run(metrics, asyncio.Event(), watch=wait))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert restarts(metrics) == {"watch": 0}
