"""Components, which start and stop with an application, and their background tasks."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Self

from app.platform.clock import Ticks
from app.platform.concurrency.guards import is_cancelled
from app.platform.database import SchemaMismatch, StoreUnavailable
from app.platform.observability.metrics import TASK_RESTARTS, Metrics, Sample, Source

log = logging.getLogger(__name__)

Work = Callable[[asyncio.Event], Awaitable[None]]
"""Runs until the event is set, or until there is nothing left to do."""

FIRST_WAIT_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 60.0
"""Each wait is twice as long as the one before, up to this. After a run of this length the next
failure starts with the first wait again."""


class Background:
    """Runs named tasks until they are stopped."""

    def __init__(
        self, metrics: Metrics, tasks: Mapping[str, Work], ticks: Ticks = time.monotonic
    ) -> None:
        self._metrics = metrics
        self._tasks = tasks
        self._ticks = ticks
        for name in tasks:
            metrics.count(TASK_RESTARTS, name, by=0)

    async def run(self, stop: asyncio.Event) -> None:
        """Run all tasks until `stop` is set and each of them has ended."""
        async with asyncio.TaskGroup() as group:
            for name, work in self._tasks.items():
                group.create_task(self._run_task(name, work, stop), name=name)

    async def _run_task(self, name: str, work: Work, stop: asyncio.Event) -> None:
        """Run a task, and restart it after each error, until it returns."""
        wait = FIRST_WAIT_SECONDS
        while not stop.is_set():
            started = self._ticks()
            try:
                await work(stop)
            except (Exception, asyncio.CancelledError):
                if is_cancelled():  # else a CancelledError came out of the work itself
                    raise
                if self._ticks() - started >= LONGEST_WAIT_SECONDS:
                    wait = FIRST_WAIT_SECONDS
                log.exception("Background task %s failed; restarting it in %g seconds", name, wait)
            else:
                return
            await wait_or_stop(stop, wait)
            wait = min(2 * wait, LONGEST_WAIT_SECONDS)
            if not stop.is_set():
                self._metrics.count(TASK_RESTARTS, name)


async def wait_or_stop(stop: asyncio.Event, seconds: float) -> None:
    """Wait for `seconds`, or until `stop` is set."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):  # without a task, as wait_for makes one
            await stop.wait()


async def event_or_stop(stop: asyncio.Event, event: asyncio.Event) -> None:
    """Wait until `event` is set, or `stop`."""
    waits = [asyncio.ensure_future(each.wait()) for each in (stop, event)]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()


async def work_or_stop(stop: asyncio.Event, work: Coroutine[Any, Any, object]) -> None:
    """Do work, and cancel it as soon as `stop` is set."""
    working, stopped = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    await asyncio.wait((working, stopped), return_when=asyncio.FIRST_COMPLETED)
    for each in (working, stopped):
        each.cancel()
    ended, _ = await asyncio.gather(working, stopped, return_exceptions=True)
    if isinstance(ended, Exception):
        raise ended


class Component:
    """A part that is entered at the start; a component overrides what it needs."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close nothing."""

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the samples that are read at each scrape."""
        yield from ()

    def tasks(self) -> Iterator[tuple[str, Work]]:
        """Yield the background tasks by name; the names are values of a metric label."""
        yield from ()

    def tasks_of_one_process(self) -> Iterator[tuple[str, Work]]:
        """Yield the background tasks that one worker does for all."""
        yield from ()


POLL_SECONDS = 10.0


class PolledSamples:
    """Holds the result of the last query; exports nothing if that query failed."""

    def __init__(self, query: Callable[[], Awaitable[Source]]) -> None:
        self._query = query
        self._source: Source | None = None

    def metrics_samples(self) -> Iterable[Sample]:
        """Return the samples of the last query."""
        return self._source() if self._source else ()

    async def refresh(self) -> None:
        """Query again. If that fails, export no values rather than stale ones."""
        try:
            self._source = await self._query()
        except (StoreUnavailable, SchemaMismatch):  # the database layer logs StoreUnavailable
            self._source = None

    async def run(self, stop: asyncio.Event) -> None:
        """Query every POLL_SECONDS until `stop` is set."""
        while not stop.is_set():
            await self.refresh()
            await wait_or_stop(stop, POLL_SECONDS)
