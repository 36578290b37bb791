"""The output of a connection: buffered sending with a timeout for clients that stop reading.

A slow client is served as long as it makes progress. If it reads nothing for WRITE_SECONDS, its
connection is aborted and its buffers are freed.
"""

from __future__ import annotations

import asyncio
import fcntl
import struct
import termios
from collections.abc import Awaitable, Callable
from contextlib import suppress

WRITE_SECONDS = 20.0
"""Maximum time for which a client may read nothing of what is sent to it."""

CHUNK_BYTES = 64 * 1024
"""Size of the chunks in which a large body is written."""

_HIGH_WATER_BYTES = 128 * 1024
"""A connection never buffers more than this and one chunk."""


class Output:
    """The output to one client; `on_stall` is called once if the client stops reading."""

    def __init__(
        self, writer: asyncio.StreamWriter, seconds: float, on_stall: Callable[[], None]
    ) -> None:
        self._writer = writer
        self._transport = writer.transport
        self._transport.set_write_buffer_limits(high=_HIGH_WATER_BYTES)
        self._seconds = seconds
        self._on_stall = on_stall
        self._written = 0

    @property
    def is_closed(self) -> bool:
        """Whether the connection is closed for sending."""
        return self._transport.is_closing()

    @property
    def is_pending(self) -> bool:
        """Whether there is data that the client's machine has not taken yet."""
        return self._transport.is_closing() or bool(self._transport.get_write_buffer_size())

    async def send(self, data: bytes) -> None:
        """Send, and wait while the buffer is full; does nothing if the client has disconnected."""
        self.write(data)
        if not self._transport.is_closing() and self._transport.get_write_buffer_size():
            await self._while_progress(self._writer.drain)

    def write(self, data: bytes) -> None:
        """Send a small amount of data without waiting."""
        if data and not self._transport.is_closing():
            self._written += len(data)
            self._transport.write(data)

    async def close(self) -> None:
        """Send what is buffered, then close."""
        with suppress(OSError, RuntimeError):
            self._writer.write_eof()
        self._writer.close()
        closed = asyncio.ensure_future(self._writer.wait_closed())
        await self._while_progress(lambda: asyncio.shield(closed))

    def abort(self) -> None:
        """Close at once and discard what is buffered."""
        self._transport.abort()

    async def _while_progress(self, finish: Callable[[], Awaitable[None]]) -> None:
        """Wait for `finish` as long as the client keeps reading; abort if it stops."""
        before, acknowledged = -1, self._acknowledged()
        while acknowledged > before:
            with suppress(TimeoutError, OSError):
                async with asyncio.timeout(self._seconds) as limit:
                    await finish()
            if not limit.expired():
                return
            before, acknowledged = acknowledged, self._acknowledged()
        self._on_stall()
        self.abort()

    def _acknowledged(self) -> int:
        """Return how many bytes the client's machine has acknowledged so far."""
        unsent = self._transport.get_write_buffer_size()
        return self._written - unsent - unacknowledged(self._transport)


def unacknowledged(transport: asyncio.WriteTransport) -> int:
    """Return the number of bytes in the system's send queue, 0 if it is unknown."""
    with suppress(OSError, AttributeError):
        descriptor = transport.get_extra_info("socket").fileno()
        (waiting,) = struct.unpack("i", fcntl.ioctl(descriptor, termios.TIOCOUTQ, bytes(4)))
        return int(waiting)
    return 0
