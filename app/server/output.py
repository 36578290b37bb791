"""The output of a connection: buffered sending with a timeout for clients that stop reading.

A slow client is served as long as it makes progress. If it reads nothing for WRITE_SECONDS, its
connection is aborted and its buffers are freed.

A body that is sent counts once, however many clients it is sent to. If all unsent bodies together
exceed the limit, the client that has read nothing for the longest time is disconnected.
"""

from __future__ import annotations

import asyncio
import fcntl
import struct
import termios
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic

WRITE_SECONDS = 20.0
"""Maximum time for which a client may read nothing of what is sent to it."""

CHUNK_BYTES = 64 * 1024
"""Size of the chunks in which a large body is written."""

_HIGH_WATER_BYTES = 128 * 1024
"""A connection never buffers more than this and one chunk."""

MAX_BYTES = 128 * 1024 * 1024
"""Maximum size of all unsent bodies together; a single one may be larger."""


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
        return self._written - unsent - _unacknowledged(self._transport)


def _unacknowledged(transport: asyncio.WriteTransport) -> int:
    """Return the number of bytes in the system's send queue, 0 if it is unknown."""
    with suppress(OSError, AttributeError):
        descriptor = transport.get_extra_info("socket").fileno()
        (waiting,) = struct.unpack("i", fcntl.ioctl(descriptor, termios.TIOCOUTQ, bytes(4)))
        return int(waiting)
    return 0


class Sending:
    """A body that is being sent to one client; `give_up` aborts it."""

    def __init__(self, body: bytes, give_up: Callable[[], None]) -> None:
        self.body = body
        self.give_up = give_up
        self.progressed_at = monotonic()

    def note_progress(self) -> None:
        """Record that the client has read a part of the body."""
        self.progressed_at = monotonic()


class UnsentBodies:
    """The bodies that this process is sending."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._sendings: dict[Sending, None] = {}
        self._holders: Counter[int] = Counter()
        self.size = 0

    @contextmanager
    def sending(self, body: bytes, give_up: Callable[[], None]) -> Iterator[Sending]:
        """Count a body during the block."""
        sending = Sending(body, give_up)
        size = 0 if id(body) in self._holders else len(body)
        while self._sendings and self.size + size > self._max_bytes:
            slowest = min(self._sendings, key=lambda each: each.progressed_at)
            self._release(slowest)
            slowest.give_up()
        self._sendings[sending] = None
        self._holders[id(body)] += 1
        if self._holders[id(body)] == 1:
            self.size += len(body)
        try:
            yield sending
        finally:
            self._release(sending)

    def _release(self, sending: Sending) -> None:
        if sending not in self._sendings:
            return  # it was given up
        del self._sendings[sending]
        self._holders[id(sending.body)] -= 1
        if not self._holders[id(sending.body)]:
            del self._holders[id(sending.body)]
            self.size -= len(sending.body)
