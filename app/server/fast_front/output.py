"""Output: clients may read slowly, within bounds of time and memory.

A slow client is served as long as it makes progress. A body that is sent counts once, however many
clients it is sent to. If all unsent bodies together exceed the limit, the client that has read
nothing for the longest time is disconnected.
"""

import asyncio
import fcntl
import struct
import termios
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from time import monotonic

CHUNK_BYTES = 64 * 1024
"""Size of the chunks in which a large body is written."""

MAX_BYTES = 128 * 1024 * 1024
"""Maximum size of all unsent bodies together; a single one may be larger."""


async def while_progress(
    transport: asyncio.Transport, finish: Callable[[], Awaitable[None]], seconds: float
) -> bool:
    """Wait for `finish` as long as the client reads something in so many seconds.

    Returns False once it reads nothing.
    """
    before, waiting = inf, _waiting_bytes(transport)
    while waiting < before:
        with suppress(TimeoutError, OSError):
            async with asyncio.timeout(seconds) as limit:
                await finish()
        if not limit.expired():
            return True
        before, waiting = waiting, _waiting_bytes(transport)
    return False


def _waiting_bytes(transport: asyncio.Transport) -> int:
    """Return the number of bytes that the client's machine has not acknowledged."""
    unsent = transport.get_write_buffer_size()
    with suppress(OSError, AttributeError):
        descriptor = transport.get_extra_info("socket").fileno()
        (sent,) = struct.unpack("i", fcntl.ioctl(descriptor, termios.TIOCOUTQ, bytes(4)))
        unsent += sent
    return unsent


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
