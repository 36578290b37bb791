"""The watch on a client that reads nothing of what is sent to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from app.server.output import unacknowledged


class StallWatch:
    """Calls `on_stall` when a client has acknowledged nothing for some seconds."""

    def __init__(self, seconds: float, on_stall: Callable[[], None]) -> None:
        self._seconds = seconds
        self._on_stall = on_stall
        self._handle: asyncio.TimerHandle | None = None

    def watch(self, transport: asyncio.Transport) -> None:
        """Begin to watch what the transport has buffered, unless that is watched already."""
        if self._handle is None and transport.get_write_buffer_size():
            self._look_later(transport, _unsent(transport))

    def stop(self) -> None:
        """Stop: the client has read, or the connection is closed."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _look_later(self, transport: asyncio.Transport, unsent: int) -> None:
        loop = asyncio.get_running_loop()
        self._handle = loop.call_later(self._seconds, self._look, transport, unsent)

    def _look(self, transport: asyncio.Transport, before: int) -> None:
        self._handle = None
        unsent = _unsent(transport)
        if unsent >= before:
            self._on_stall()
        elif transport.get_write_buffer_size():
            self._look_later(transport, unsent)


def _unsent(transport: asyncio.Transport) -> int:
    """Return how many bytes the client's machine has not acknowledged."""
    return transport.get_write_buffer_size() + unacknowledged(transport)
