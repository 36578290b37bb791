"""The supervisor's handle of a worker process."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from time import monotonic

from app.serving.status import WorkerStatus, parse_status

_STATUS_SECONDS = 2.0
_MAX_LINE_BYTES = 16 * 1024 * 1024


class Worker:
    """A worker process, created with `spawn`."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self.pid = process.pid
        self.last_status = WorkerStatus(ready=False, samples={})
        """The last status received."""
        self.started_at = monotonic()
        self.ready = asyncio.Event()
        """Set once the worker has begun to accept requests."""
        self._process = process
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
            self._writer.write(b"status\n")
            await asyncio.wait_for(self._answered.wait(), _STATUS_SECONDS)
        return self.last_status

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
                self.last_status = parse_status(line)
                self.ready.set()
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
