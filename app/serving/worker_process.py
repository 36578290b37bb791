"""The supervisor's handle of a worker process."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from time import monotonic

from app.observability.metrics import Samples
from app.serving.status import WorkerStatus, parse_status

_STATUS_SECONDS = 2.0
_MAX_LINE_BYTES = 16 * 1024 * 1024
_UNKNOWN = WorkerStatus(ready=False, samples={})


class Worker:
    """A worker process, created with `spawn`."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self._process = process
        self._reader = reader
        self._writer = writer
        self._status = _UNKNOWN
        self._ready = asyncio.Event()
        self._answered = asyncio.Event()
        self._started_at = monotonic()
        self._running = asyncio.create_task(self._run())

    @property
    def pid(self) -> int:
        """The process ID."""
        return self._process.pid

    @property
    def samples(self) -> Samples:
        """The metric samples of the last status received."""
        return self._status.samples

    @property
    def age_seconds(self) -> float:
        """Seconds since the process was started."""
        return monotonic() - self._started_at

    @property
    def is_ready(self) -> bool:
        """Whether the worker has begun to accept requests."""
        return self._ready.is_set()

    async def wait_ready(self, within_seconds: float) -> bool:
        """Wait until the worker is ready; return False if it exits first or takes too long."""
        ready = asyncio.create_task(self._ready.wait())
        await asyncio.wait(
            {ready, self._running}, timeout=within_seconds, return_when=asyncio.FIRST_COMPLETED
        )
        ready.cancel()
        return self.is_ready and not self._running.done()

    async def ended(self) -> int:
        """Wait until the process exits; return its exit code, negative for a signal."""
        return await asyncio.shield(self._running)

    async def status(self) -> WorkerStatus:
        """Request the current status; return the last one if the worker is busy or stopping."""
        if self._writer.is_closing():
            return self._status
        self._answered.clear()
        with suppress(TimeoutError, ConnectionError):
            self._writer.write(b"status\n")
            await asyncio.wait_for(self._answered.wait(), _STATUS_SECONDS)
        return self._status

    def terminate(self) -> None:
        """Ask the process to stop gracefully."""
        with suppress(ProcessLookupError):
            self._process.terminate()

    def kill(self) -> None:
        """Kill the process."""
        with suppress(ProcessLookupError):
            self._process.kill()

    async def _run(self) -> int:
        with suppress(ConnectionError):
            while line := await self._reader.readline():
                self._status = parse_status(line)
                self._ready.set()
                self._answered.set()
        self._writer.close()
        self._answered.set()  # no further status will come
        return await self._process.wait()


async def spawn(listening_socket: socket.socket, variables: Mapping[str, str]) -> Worker:
    """Start a worker on the listening socket, with `variables` added to its environment."""
    channel, worker_channel = socket.socketpair()
    with worker_channel:
        descriptors = (listening_socket.fileno(), worker_channel.fileno())
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "app.serving"),
            *(str(number) for number in descriptors),
            pass_fds=descriptors,
            env={**os.environ, **variables},
            # Ctrl-C in a terminal signals the whole process group; only the supervisor stops
            # the workers.
            start_new_session=True,
        )
    reader, writer = await asyncio.open_connection(sock=channel, limit=_MAX_LINE_BYTES)
    return Worker(process, reader, writer)
