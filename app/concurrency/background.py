"""Background tasks: what runs beside the requests, and is started again where it fails."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping

from app.clock import Ticks
from app.concurrency.wait_or_stop import wait_or_stop
from app.observability.metrics import TASK_RESTARTS, Metrics

log = logging.getLogger(__name__)

Work = Callable[[asyncio.Event], Awaitable[None]]
"""Runs until the event is set, or until there is nothing left to do."""

FIRST_WAIT_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 60.0
"""Each wait is twice as long as the one before, up to this; after a run of this length the next
failure waits the first time again."""


class Background:
    """Runs tasks by name until they are told to stop."""

    def __init__(
        self, metrics: Metrics, works: Mapping[str, Work], ticks: Ticks = time.monotonic
    ) -> None:
        self._metrics = metrics
        self._works = works
        self._ticks = ticks
        for name in works:
            metrics.count(TASK_RESTARTS, name, by=0)

    async def run(self, stop: asyncio.Event) -> None:
        """Run all of them until `stop` is set and each has ended."""
        async with asyncio.TaskGroup() as tasks:
            for name, work in self._works.items():
                tasks.create_task(self._keep(name, work, stop), name=name)

    async def _keep(self, name: str, work: Work, stop: asyncio.Event) -> None:
        """Run one, and again after each error, until it ends by itself."""
        wait = FIRST_WAIT_SECONDS
        while not stop.is_set():
            started = self._ticks()
            try:
                await work(stop)
            except (Exception, asyncio.CancelledError):
                if _is_cancelled():
                    raise
                if self._ticks() - started >= LONGEST_WAIT_SECONDS:
                    wait = FIRST_WAIT_SECONDS
                log.exception("The task %s failed; it starts again in %g seconds.", name, wait)
            else:
                return
            await wait_or_stop(stop, wait)
            wait = min(2 * wait, LONGEST_WAIT_SECONDS)
            if not stop.is_set():
                self._metrics.count(TASK_RESTARTS, name)


def _is_cancelled() -> bool:
    """Whether somebody ends the running task; else an error of its work only looks so."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
