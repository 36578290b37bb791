"""Background tasks: one that fails is told, counted, and started again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from app.concurrency import background
from app.concurrency.background import FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS, Background
from app.observability.metrics import Metrics

Work = Callable[[asyncio.Event], Awaitable[None]]


class Waits:
    """Takes the place of pauses: notes how long each would be, and ends the last one."""

    def __init__(self, stop_after: int) -> None:
        self.seconds: list[float] = []
        self._stop_after = stop_after

    async def __call__(self, stop: asyncio.Event, seconds: float) -> None:
        """Wait no longer than others need to take their turn."""
        self.seconds.append(seconds)
        if len(self.seconds) == self._stop_after:
            stop.set()
        await asyncio.sleep(0)


def restarts(metrics: Metrics) -> dict[str, float]:
    """How often each task was started again."""
    return {
        labels[0]: numbers[0]
        for (name, labels), numbers in metrics.samples().items()
        if name == "majlis_task_restarts"
    }


async def fail(_stop: asyncio.Event) -> None:
    """Work that meets an error at once."""
    raise LookupError("nothing there")


async def look_cancelled(_stop: asyncio.Event) -> None:
    """Work within which a library cancelled something of its own."""
    raise asyncio.CancelledError


async def run(metrics: Metrics, stop: asyncio.Event, **works: Work) -> None:
    """Run these until they stop."""
    await Background(metrics, works, ticks=lambda: 0.0).run(stop)


@pytest.mark.parametrize("work", [fail, look_cancelled])
async def test_what_fails_is_told_counted_and_started_again(
    work: Work, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """After waits that grow up to a bound; the traceback is in the log."""
    waits = Waits(stop_after=9)
    monkeypatch.setattr(background, "wait_or_stop", waits)
    metrics = Metrics()
    await run(metrics, asyncio.Event(), census=work)
    assert waits.seconds[:3] == [FIRST_WAIT_SECONDS, 2, 4]
    assert waits.seconds[-2:] == [LONGEST_WAIT_SECONDS] * 2
    assert restarts(metrics) == {"census": 8}
    assert caplog.text.count("Background task census failed; restarting it in") == 9
    assert "Traceback" in caplog.text


async def test_others_go_on_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """And one that has nothing more to do just ends."""
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


async def test_after_a_long_run_the_waits_begin_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """What fails once a day is not made to wait longer and longer."""
    waits = Waits(stop_after=4)
    monkeypatch.setattr(background, "wait_or_stop", waits)
    seconds = iter(range(0, 10_000, int(LONGEST_WAIT_SECONDS)))
    works = {"census": fail}
    await Background(Metrics(), works, ticks=lambda: next(seconds)).run(asyncio.Event())
    assert waits.seconds == [FIRST_WAIT_SECONDS] * 4


async def test_whoever_ends_the_tasks_ends_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cancellation from outside is no failure."""

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
