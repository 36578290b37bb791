"""The supervisor: runs a number of workers on shared sockets, and restarts dead ones.

No connection is dropped. The sockets listen from when the first worker is ready, as long as any
worker runs, and any free worker accepts the connections in their queues. SIGHUP starts new
workers; each that is ready replaces an old one. SIGTERM drops new connections, then stops all
workers.
"""

import asyncio
import logging
import socket
from collections.abc import Coroutine, Mapping, Sequence
from signal import SIGHUP, SIGINT, SIGTERM
from time import monotonic

from app.platform.observability.metrics import Samples, cumulative, merge
from app.server.lifecycle import (
    DRAIN_SECONDS,
    GRACEFUL_SECONDS,
    Monitoring,
    Worker,
    WorkerStatus,
    spawn,
    stop_on,
)
from app.server.sockets import ListeningSockets, drop_new_connections
from app.settings import Settings


async def serve_with_workers(
    settings: Settings, sockets: ListeningSockets, monitoring: Monitoring, count: int
) -> bool:
    """Supervise workers until SIGTERM or SIGINT; return False if none of them could start.

    SIGHUP replaces the workers. They read their settings from the environment.
    """
    stop = stop_on(SIGTERM, SIGINT)
    variables = {"HOST": settings.host, "PORT": str(sockets.public[0].getsockname()[1])}
    supervisor = Supervisor(sockets.public, count, variables, settings.startup_seconds)
    async with monitoring(supervisor.status):
        starting = asyncio.create_task(supervisor.start())
        replacing: set[asyncio.Task[None]] = set()
        asyncio.get_running_loop().add_signal_handler(
            SIGHUP, lambda: replacing.add(asyncio.create_task(supervisor.replace_all()))
        )
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait({starting, stopping}, return_when=asyncio.FIRST_COMPLETED)
        started = stop.is_set() or starting.result()
        if started:
            await stopping
        await supervisor.stop(settings.stop_delay_seconds)
    return started


log = logging.getLogger(__name__)


_STOP_SECONDS = GRACEFUL_SECONDS + DRAIN_SECONDS + 5.0
_LAST_WORDS_SECONDS = 5.0
"""How much longer than its start may take a worker may live, to say what took how long."""


class Supervisor:
    """Runs `count` workers, with `variables` added to their environment."""

    def __init__(
        self,
        sockets: Sequence[socket.socket],
        count: int,
        variables: Mapping[str, str],
        startup_seconds: float,
    ) -> None:
        self._sockets = sockets
        self._count = count
        self._variables = variables
        self._startup_seconds = startup_seconds + _LAST_WORDS_SECONDS
        self._serving: set[Worker] = set()
        self._recorder: Worker | None = None
        """The worker that records the changes of the content."""
        self._watching: dict[Worker, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._replacing = asyncio.Lock()
        self._dead_worker_metrics: Samples = {}
        self._backoff_seconds = 0.0
        self._stopping = False

    async def start(self) -> bool:
        """Start all workers at once; return False if none of them becomes ready."""
        async with self._replacing:
            ready = await asyncio.gather(*map(self._join, await self._spawn(self._count)))
        log.info("%d of %d workers are ready", sum(ready), self._count)
        missing = self._count - sum(ready)
        if missing < self._count:
            self._background(*(self._respawn_with_backoff() for _ in range(missing)))
        return any(ready)

    async def replace_all(self) -> None:
        """Start as many workers as there are; each that becomes ready replaces an old one."""
        async with self._replacing:
            if self._stopping:
                return
            old = tuple(self._serving)
            new = await self._spawn(len(old))
            if all(await asyncio.gather(*map(self._replace, old, new))):
                log.info("All workers were replaced")
            else:
                log.error("Rolling restart aborted; keeping the remaining workers.")

    async def stop(self, delay_seconds: float) -> None:
        """Stop all workers gracefully after the delay; kill those that take too long."""
        self._stopping = True
        await asyncio.sleep(delay_seconds)
        drop_new_connections(self._sockets)
        for worker in self._watching:
            worker.terminate()
        for each in self._sockets:
            each.close()
        watches = [*self._watching.values()]
        if watches:
            await asyncio.wait(watches, timeout=_STOP_SECONDS)
        for worker in self._watching:
            log.error("Worker %d took too long to stop; killing it", worker.pid)
            worker.kill()
        await asyncio.gather(*watches)

    async def status(self) -> WorkerStatus:
        """Return the status of the service, with merged metrics.

        It is ready if any worker is, and none serves older content than other machines.
        """
        statuses = await asyncio.gather(
            *(worker.status() for worker in self._watching if worker.ready.is_set())
        )
        is_late = any(status.is_late for status in statuses)
        ready = not self._stopping and not is_late and any(status.ready for status in statuses)
        return WorkerStatus(
            ready, merge([self._dead_worker_metrics, *(status.samples for status in statuses)])
        )

    async def _spawn(self, count: int) -> Sequence[Worker]:
        """Start workers, and watch them."""
        workers = await spawn(self._sockets, self._variables, count)
        for worker in workers:
            self._watching[worker] = asyncio.create_task(self._watch(worker))
        return workers

    async def _join(self, worker: Worker) -> bool:
        """Wait for a worker; return whether it became ready."""
        if await worker.wait_ready(self._startup_seconds):
            self._serving.add(worker)
            self._choose_recorder()
            log.info("Worker %d is ready", worker.pid)
            return True
        if monotonic() - worker.started_at >= self._startup_seconds:
            log.error(
                "Worker %d starts for too long, see its last step. Raise STARTUP_SECONDS.",
                worker.pid,
            )
        worker.kill()
        return False

    async def _replace(self, old: Worker, new: Worker) -> bool:
        """Stop a worker once another one is ready; return whether that happened."""
        if not await self._join(new):
            return False
        if old in self._serving:  # else it died, and another worker was started for it
            self._serving.discard(old)
            old.terminate()
        self._stop_surplus()
        return True

    async def _watch(self, worker: Worker) -> None:
        code = await worker.ended()
        self._dead_worker_metrics = merge(
            [self._dead_worker_metrics, cumulative(worker.last_status.samples)]
        )
        del self._watching[worker]
        if worker in self._serving and not self._stopping:
            log.error("Worker %d exited with %d; restarting it", worker.pid, code)
            self._serving.discard(worker)
            self._backoff_seconds = backoff(self._backoff_seconds, monotonic() - worker.started_at)
            self._background(self._respawn_with_backoff())
        else:
            log.info("Worker %d stopped", worker.pid)
        if worker is self._recorder:
            self._recorder = None
            self._choose_recorder()

    def _choose_recorder(self) -> None:
        """Let a worker record the changes, if none does; each that records needs more memory."""
        if self._recorder is None and not self._stopping:
            self._recorder = next(iter(self._serving), None)
            if self._recorder is not None:
                self._recorder.record_changes()

    async def _respawn_with_backoff(self) -> None:
        """Start a worker, with growing pauses between failed attempts."""
        while not self._stopping:
            await asyncio.sleep(self._backoff_seconds)
            if self._stopping:
                return
            (worker,) = await self._spawn(1)
            if await self._join(worker):
                self._stop_surplus()
                return
            self._backoff_seconds = backoff(self._backoff_seconds, 0.0)

    def _stop_surplus(self) -> None:
        """Stop workers above the count: one that died during its replacement is replaced twice."""
        while len(self._serving) > self._count:
            self._serving.pop().terminate()

    def _background(self, *coroutines: Coroutine[None, None, None]) -> None:
        for coroutine in coroutines:
            task = asyncio.create_task(coroutine)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)


_MIN_UPTIME_SECONDS = 10.0
"""A worker that lives for less delays the start of the next one."""

_MIN_BACKOFF_SECONDS = 0.25
_MAX_BACKOFF_SECONDS = 30.0


def backoff(previous_seconds: float, uptime_seconds: float) -> float:
    """Return the pause before the next worker starts: 0 unless the last one died early.

    >>> backoff(8.0, uptime_seconds=3600.0), backoff(0.0, 1.0), backoff(0.25, 1.0)
    (0.0, 0.25, 0.5)
    """
    if uptime_seconds >= _MIN_UPTIME_SECONDS:
        return 0.0
    return min(max(_MIN_BACKOFF_SECONDS, 2 * previous_seconds), _MAX_BACKOFF_SECONDS)
