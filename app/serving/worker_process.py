"""A hired worker: the supervisor's view of one worker process."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from time import monotonic

from app.observability.metrics import Samples
from app.serving.status import WorkerStatus, read_status

_ANSWER_SECONDS = 2.0
_LONGEST_LINE = 16 * 1024 * 1024
_UNKNOWN = WorkerStatus(ready=False, samples={})


class Worker:
    """A worker process; made with `spawn`."""

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
        self._opened = asyncio.Event()
        self._answered = asyncio.Event()
        self._started_at = monotonic()
        self._running = asyncio.create_task(self._run())

    @property
    def pid(self) -> int:
        """Its process."""
        return self._process.pid

    @property
    def samples(self) -> Samples:
        """What it had counted when it was last heard."""
        return self._status.samples

    @property
    def age_seconds(self) -> float:
        """How long ago it was hired."""
        return monotonic() - self._started_at

    @property
    def is_open(self) -> bool:
        """Whether it has taken requests yet."""
        return self._opened.is_set()

    async def wait_ready(self, within_seconds: float) -> bool:
        """Wait until it takes requests; False where it ends first, or takes too long."""
        opened = asyncio.create_task(self._opened.wait())
        await asyncio.wait(
            {opened, self._running}, timeout=within_seconds, return_when=asyncio.FIRST_COMPLETED
        )
        opened.cancel()
        return self.is_open and not self._running.done()

    async def ended(self) -> int:
        """Wait for its end; the exit code, negative for a signal."""
        return await asyncio.shield(self._running)

    async def status(self) -> WorkerStatus:
        """What it tells now, or told last where it is too busy or on its way out."""
        if self._writer.is_closing():
            return self._status
        self._answered.clear()
        with suppress(TimeoutError, ConnectionError):
            self._writer.write(b"status\n")
            await asyncio.wait_for(self._answered.wait(), _ANSWER_SECONDS)
        return self._status

    def terminate(self) -> None:
        """Ask it to stop gracefully."""
        with suppress(ProcessLookupError):
            self._process.terminate()

    def kill(self) -> None:
        """End it at once."""
        with suppress(ProcessLookupError):
            self._process.kill()

    async def _run(self) -> int:
        with suppress(ConnectionError):
            while line := await self._reader.readline():
                self._status = read_status(line)
                self._opened.set()
                self._answered.set()
        self._writer.close()
        self._answered.set()  # there is nothing more to wait for
        return await self._process.wait()


async def spawn(listening_socket: socket.socket, variables: Mapping[str, str]) -> Worker:
    """Start a worker that serves at the door, with these environment variables on top."""
    ours, theirs = socket.socketpair()
    with theirs:
        descriptors = (listening_socket.fileno(), theirs.fileno())
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "app.serving"),
            *(str(number) for number in descriptors),
            pass_fds=descriptors,
            env={**os.environ, **variables},
            # Ctrl-C in a terminal reaches the whole group, and workers stop when told to.
            start_new_session=True,
        )
    reader, writer = await asyncio.open_connection(sock=ours, limit=_LONGEST_LINE)
    return Worker(process, reader, writer)
