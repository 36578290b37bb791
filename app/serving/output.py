"""The output of a connection: sent in time, or the client is given up.

A client that reads slowly is waited for as long as it reads at all. One that takes nothing for
WRITE_SECONDS loses its connection, and with it what was kept for it.
"""

from __future__ import annotations

import asyncio
import fcntl
import struct
import termios
from collections.abc import Awaitable, Callable
from contextlib import suppress

WRITE_SECONDS = 20.0
"""How long a client may take nothing of what is sent to it."""

PIECE_BYTES = 64 * 1024
"""How much of a body is handed over at once."""

_HIGH_WATER_BYTES = 128 * 1024
"""More than this, and one piece, is never buffered for a connection."""


class Output:
    """Sends to one client; `stalled` is called once where it takes nothing for too long."""

    def __init__(
        self, writer: asyncio.StreamWriter, seconds: float, stalled: Callable[[], None]
    ) -> None:
        self._writer = writer
        self._transport = writer.transport
        self._transport.set_write_buffer_limits(high=_HIGH_WATER_BYTES)
        self._seconds = seconds
        self._stalled = stalled
        self._written = 0

    @property
    def is_closed(self) -> bool:
        """Whether nothing can be sent any more."""
        return self._transport.is_closing()

    async def send(self, data: bytes) -> None:
        """Send, and wait while too much is unsent; to a client that has left nothing is sent."""
        self.write(data)
        if not self._transport.is_closing() and self._transport.get_write_buffer_size():
            await self._while_progress(self._writer.drain)

    def write(self, data: bytes) -> None:
        """Send what is small without waiting."""
        if data and not self._transport.is_closing():
            self._written += len(data)
            self._writer.write(data)

    async def close(self) -> None:
        """Let what is unsent be taken, and close."""
        with suppress(OSError, RuntimeError):
            self._writer.write_eof()
        self._writer.close()
        closed = asyncio.ensure_future(self._writer.wait_closed())
        await self._while_progress(lambda: asyncio.shield(closed))

    def abort(self) -> None:
        """Close at once; what is unsent is lost."""
        self._transport.abort()

    async def _while_progress(self, finish: Callable[[], Awaitable[None]]) -> None:
        """Wait for something that ends when the client has taken enough."""
        before, taken = -1, self._taken()
        while taken > before:
            with suppress(TimeoutError, OSError):
                async with asyncio.timeout(self._seconds) as limit:
                    await finish()
            if not limit.expired():
                return
            before, taken = taken, self._taken()
        self._stalled()
        self.abort()

    def _taken(self) -> int:
        """How many bytes the client's machine has acknowledged so far."""
        unsent = self._transport.get_write_buffer_size()
        return self._written - unsent - _unacknowledged(self._transport)


def _unacknowledged(transport: asyncio.WriteTransport) -> int:
    """Bytes that wait in the system's send queue; 0 where it does not tell."""
    with suppress(OSError, AttributeError):
        descriptor = transport.get_extra_info("socket").fileno()
        (waiting,) = struct.unpack("i", fcntl.ioctl(descriptor, termios.TIOCOUTQ, bytes(4)))
        return int(waiting)
    return 0
