"""The line writer: collects lines for a moment, and writes them in a thread.

A slow disk, or a program that stops reading, delays no request. Lines that wait for it are limited
in memory; those beyond the limit are dropped, and the log says how many.
"""

from __future__ import annotations

import asyncio
import logging
from queue import SimpleQueue
from threading import Thread
from typing import Self

from app.platform.observability.log_output import LogOutput

log = logging.getLogger(__name__)

BATCH_SECONDS = 0.2
"""How long lines are collected; a process that is killed loses no more than those."""
MAX_WAITING_BYTES = 16 * 1024 * 1024
_CLOSE_SECONDS = 5.0
"""Maximum time that a stop waits for an output that does not take the lines."""


class LineWriter:
    """Writes lines to an output between the start and the end of an `async with` block."""

    def __init__(self, output: LogOutput, max_waiting_bytes: int = MAX_WAITING_BYTES) -> None:
        self._output = output
        self._max_waiting_bytes = max_waiting_bytes
        self._lines: list[str] = []
        self._batches: SimpleQueue[bytes | None] = SimpleQueue()
        self._waiting_bytes = 0
        self._dropped = 0
        self._has_failed = False
        self._thread: Thread | None = None

    async def __aenter__(self) -> Self:
        self._thread = Thread(target=self._run, name="majlis-lines", daemon=True)
        self._thread.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._pass_on()
        self._batches.put(None)
        thread, self._thread = self._thread, None
        if thread is not None:
            await asyncio.to_thread(thread.join, _CLOSE_SECONDS)
            if thread.is_alive():
                log.error("The output of the access log takes no lines; the last ones are lost.")

    def write(self, line: str) -> None:
        """Write a line, which has its line feed; called in the event loop."""
        if self._thread is None:  # a response that was cut off at the end of a stop
            self._write(line.encode())
            return
        if not self._lines:
            asyncio.get_running_loop().call_later(BATCH_SECONDS, self._pass_on)
        self._lines.append(line)

    def _pass_on(self) -> None:
        """Pass the collected lines to the thread, unless too many wait for it already."""
        lines, self._lines = self._lines, []
        if not lines:
            return
        if self._waiting_bytes > self._max_waiting_bytes:
            self._dropped += len(lines)
            return
        self._log_dropped()
        batch = "".join(lines).encode()
        self._waiting_bytes += len(batch)
        self._batches.put(batch)

    def _log_dropped(self) -> None:
        if self._dropped:
            log.error("The access log lost %d lines: its output was too slow.", self._dropped)
            self._dropped = 0

    def _run(self) -> None:
        while (batch := self._batches.get()) is not None:
            self._write(batch)
            self._waiting_bytes -= len(batch)

    def _write(self, lines: bytes) -> None:
        """Write lines, and log the first of several errors."""
        try:
            self._output.write(lines)
        except OSError as error:
            if not self._has_failed:
                log.error("The access log cannot be written: %s.", error.strerror or error)
            self._has_failed = True
        else:
            self._has_failed = False
