"""The supervisor: keeps a number of workers at one door, and replaces them when they die.

Nothing is dropped on the way: the door stays open while any worker lives; a connection that
waits in front of it is taken by whoever is free. SIGHUP replaces the workers one by one, each
only once its successor takes requests. SIGTERM turns newcomers away, then lets all workers go.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Coroutine, Mapping

from app.observability.metrics import Samples, cumulative, merge
from app.serving.config import GRACEFUL_SECONDS, OPENING_SECONDS
from app.serving.listening_socket import drop_new_connections
from app.serving.server import DRAIN_SECONDS
from app.serving.status import WorkerStatus
from app.serving.worker_process import Worker, spawn

log = logging.getLogger(__name__)

_LEAVING_SECONDS = GRACEFUL_SECONDS + DRAIN_SECONDS + 5.0
_SHORT_LIFE_SECONDS = 10.0
_FIRST_PAUSE_SECONDS = 0.25
_LONGEST_PAUSE_SECONDS = 30.0


class Supervisor:
    """Keeps `count` workers, which get these environment variables on top of its own."""

    def __init__(
        self, listening_socket: socket.socket, count: int, variables: Mapping[str, str]
    ) -> None:
        self._socket = listening_socket
        self._count = count
        self._variables = variables
        self._serving: set[Worker] = set()
        self._watching: dict[Worker, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._replacing = asyncio.Lock()
        self._dead_worker_metrics: Samples = {}
        self._backoff_seconds = 0.0
        self._stopping = False

    async def start(self) -> bool:
        """Start all workers at once; False where none of them opens."""
        async with self._replacing:
            opened = await asyncio.gather(*(self._add() for _ in range(self._count)))
        log.info("%d of %d workers are open", sum(opened), self._count)
        missing = self._count - sum(opened)
        if missing < self._count:
            self._background(*(self._respawn_with_backoff() for _ in range(missing)))
        return any(opened)

    async def replace_all(self) -> None:
        """Replace the workers one by one; where a new one does not open, the others stay."""
        async with self._replacing:
            for worker in tuple(self._serving):
                if worker not in self._serving:
                    continue  # it died, and its death has brought a successor
                if self._stopping or not await self._add():
                    log.error("The restart was given up; the workers that are left go on.")
                    return
                self._serving.discard(worker)
                worker.terminate()
                self._stop_surplus()
            log.info("All workers were replaced")

    async def stop(self, delay_seconds: float) -> None:
        """Let all workers finish; those that take too long are ended."""
        self._stopping = True
        await asyncio.sleep(delay_seconds)
        drop_new_connections(self._socket)
        for worker in self._watching:
            worker.terminate()
        self._socket.close()
        watches = [*self._watching.values()]
        if watches:
            await asyncio.wait(watches, timeout=_LEAVING_SECONDS)
        for worker in self._watching:
            log.error("Worker %d took too long to stop", worker.pid)
            worker.kill()
        await asyncio.gather(*watches)

    async def status(self) -> WorkerStatus:
        """Ready while any worker is; the counts of all, and of those that are gone."""
        told = await asyncio.gather(
            *(worker.status() for worker in self._watching if worker.is_open)
        )
        ready = not self._stopping and any(status.ready for status in told)
        return WorkerStatus(
            ready, merge([self._dead_worker_metrics, *(status.samples for status in told)])
        )

    async def _add(self) -> bool:
        """One more worker, watched from its first instant; whether it takes requests."""
        worker = await spawn(self._socket, self._variables)
        self._watching[worker] = asyncio.create_task(self._watch(worker))
        if await worker.wait_ready(OPENING_SECONDS):
            self._serving.add(worker)
            log.info("Worker %d is open", worker.pid)
            return True
        worker.kill()
        return False

    async def _watch(self, worker: Worker) -> None:
        code = await worker.ended()
        self._dead_worker_metrics = merge([self._dead_worker_metrics, cumulative(worker.samples)])
        del self._watching[worker]
        if worker in self._serving and not self._stopping:
            log.error("Worker %d ended with %d and is replaced", worker.pid, code)
            self._serving.discard(worker)
            self._backoff_seconds = backoff(self._backoff_seconds, worker.age_seconds)
            self._background(self._respawn_with_backoff())
        else:
            log.info("Worker %d has left", worker.pid)

    async def _respawn_with_backoff(self) -> None:
        """One more worker as soon as one can be had, with longer and longer pauses."""
        while not self._stopping:
            await asyncio.sleep(self._backoff_seconds)
            if self._stopping:
                return
            if await self._add():
                self._stop_surplus()
                return
            self._backoff_seconds = backoff(self._backoff_seconds, 0.0)

    def _stop_surplus(self) -> None:
        """One that died while its successor opened has got two of them."""
        while len(self._serving) > self._count:
            self._serving.pop().terminate()

    def _background(self, *works: Coroutine[None, None, None]) -> None:
        for work in works:
            task = asyncio.create_task(work)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)


def backoff(previous_seconds: float, lived_seconds: float) -> float:
    """How long to wait before the next worker: not at all, unless workers die young.

    >>> backoff(8.0, lived_seconds=3600.0), backoff(0.0, 1.0), backoff(0.25, 1.0)
    (0.0, 0.25, 0.5)
    """
    if lived_seconds >= _SHORT_LIFE_SECONDS:
        return 0.0
    return min(max(_FIRST_PAUSE_SECONDS, 2 * previous_seconds), _LONGEST_PAUSE_SECONDS)
