"""The life of serving processes: periods, signals and status, and the handles of a supervisor."""

import asyncio
import ctypes
import json
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass
from time import monotonic

from app.platform.observability.metrics import Samples

GRACEFUL_SECONDS = 25.0
"""Maximum time for responses in progress after a stop signal."""

DRAIN_SECONDS = 0.5
"""How long responses ask clients to disconnect before idle connections are closed."""


def stop_on(*signals: signal.Signals) -> asyncio.Event:
    """Return an event that is set when the process receives any of the signals."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in signals:
        loop.add_signal_handler(number, stop.set)
    return stop


@dataclass(frozen=True, slots=True)
class WorkerStatus:
    """Whether a process is ready for new requests, and its metric samples."""

    ready: bool
    samples: Samples
    is_late: bool = False
    """Whether it serves older content than others do."""

    def to_line(self) -> bytes:
        """Serialize the status as one line of JSON."""
        samples = [[name, labels, numbers] for (name, labels), numbers in self.samples.items()]
        status = {"ready": self.ready, "samples": samples, "is_late": self.is_late}
        return json.dumps(status).encode() + b"\n"


Status = Callable[[], Awaitable[WorkerStatus]]
"""Returns the status of a service, for its monitoring port."""

Monitoring = Callable[[Status], AbstractAsyncContextManager[object]]
"""Serves the monitoring port of a service in a block, if it has one."""


def parse_status(line: bytes) -> WorkerStatus:
    """Parse a line that `WorkerStatus.to_line` wrote."""
    status = json.loads(line)
    samples = {(name, tuple(labels)): numbers for name, labels, numbers in status["samples"]}
    return WorkerStatus(status["ready"], samples, status["is_late"])


_STATUS_SECONDS = 2.0
_MAX_LINE_BYTES = 16 * 1024 * 1024

_PR_SET_CHILD_SUBREAPER = 36
"""From Linux's prctl.h."""


STATUS = b"status\n"
"""The supervisor's request for a status."""

RECORD = b"record\n"
"""The supervisor's request to record the changes of the content, which one worker does."""


class Worker:
    """A worker process, created with `spawn`; until it is forked, it is its loader."""

    def __init__(
        self,
        loader: asyncio.subprocess.Process,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self.pid = loader.pid
        self.last_status = WorkerStatus(ready=False, samples={})
        """The last status received."""
        self.started_at = monotonic()
        self.ready = asyncio.Event()
        """Set once the worker has begun to accept requests."""
        self._loader = loader
        self._reader = reader
        self._writer = writer
        self._answered = asyncio.Event()
        self._running = asyncio.create_task(self._run())

    async def wait_ready(self, within_seconds: float) -> bool:
        """Wait until the worker is ready; return False if it exits first or takes too long."""
        ready = asyncio.create_task(self.ready.wait())
        await asyncio.wait(
            {ready, self._running}, timeout=within_seconds, return_when=asyncio.FIRST_COMPLETED
        )
        ready.cancel()
        return self.ready.is_set() and not self._running.done()

    async def ended(self) -> int:
        """Wait until the process exits; return its exit code, negative for a signal."""
        return await asyncio.shield(self._running)

    async def status(self) -> WorkerStatus:
        """Request the current status; return the last one if the worker is busy or stopping."""
        if self._writer.is_closing():
            return self.last_status
        self._answered.clear()
        with suppress(TimeoutError, ConnectionError):
            self._writer.write(STATUS)
            await asyncio.wait_for(self._answered.wait(), _STATUS_SECONDS)
        return self.last_status

    def record_changes(self) -> None:
        """Ask the worker to record the changes of the content."""
        self._writer.write(RECORD)

    def terminate(self) -> None:
        """Ask the process to stop gracefully."""
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        """Kill the process."""
        self._send(signal.SIGKILL)

    def _send(self, number: signal.Signals) -> None:
        if not self._running.done():
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    async def _run(self) -> int:
        with suppress(ConnectionError):
            if line := await self._reader.readline():
                self.pid = int(line)
            while line := await self._reader.readline():
                self.last_status = parse_status(line)
                self.ready.set()
                self._answered.set()
        self._writer.close()
        self._answered.set()  # no further status will come
        if self.pid == self._loader.pid:
            return await self._loader.wait()
        with suppress(ProcessLookupError):
            self._loader.kill()  # it may still index for the others, which do that themselves
        await self._loader.wait()  # only then is the worker a child of this process
        _, status = await asyncio.to_thread(os.waitpid, self.pid, 0)
        return os.waitstatus_to_exitcode(status)


async def spawn(
    sockets: Sequence[socket.socket], variables: Mapping[str, str], count: int
) -> Sequence[Worker]:
    """Start workers on the sockets, with `variables` added to their environment.

    On Linux one loader becomes all of them, so that they share the memory of what it loaded.
    """
    sizes = [count] if _adopt_orphans() else [1] * count
    return [worker for size in sizes for worker in await _load(sockets, variables, size)]


async def _load(
    sockets: Sequence[socket.socket], variables: Mapping[str, str], count: int
) -> Sequence[Worker]:
    """Start a loader that becomes a number of workers."""
    channels = [socket.socketpair() for _ in range(count)]
    listening = [each.fileno() for each in sockets]
    ends = [theirs.fileno() for _, theirs in channels]
    loader = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "app.server"),
        ",".join(map(str, listening)),
        *map(str, ends),
        pass_fds=(*listening, *ends),
        env={**os.environ, **variables},
        # Ctrl-C in a terminal signals the whole process group; only the supervisor stops
        # the workers.
        start_new_session=True,
    )
    for _, theirs in channels:
        theirs.close()
    return [
        Worker(loader, *await asyncio.open_connection(sock=ours, limit=_MAX_LINE_BYTES))
        for ours, _ in channels
    ]


def _adopt_orphans() -> bool:
    """Make this process the parent of all descendants whose parent ends; False if it cannot be.

    Only Linux can do it. Elsewhere such processes go to the init process.
    """
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    return prctl is not None and prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
