"""Open connections: their number, their clients, which wait for a request, and unsent output.

A connection that would exceed a limit is refused. At the total limit, the connection that has
waited longest for a request is closed instead: first those that have never sent a complete
request head, then those between two requests. The limit per client does not apply to trusted
proxies, and their connections are never closed to free capacity.

Clients may read slowly, within bounds of time and memory. A slow client is served as long as it
makes progress. A body that is sent counts once, however many clients it is sent to. If all unsent
bodies together exceed the limit, the client that has read nothing for the longest time is
disconnected.
"""

import asyncio
import fcntl
import struct
import termios
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import Protocol

from app.platform.asgi.client_address import TrustedProxies
from app.platform.observability.metrics import (
    CONNECTIONS,
    CONNECTIONS_CLOSED,
    CONNECTIONS_REFUSED,
    Metrics,
    Sample,
)


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Maximum number of open connections, in total and per client."""

    total: int
    per_client: int


class Closable(Protocol):
    """The methods of a connection that the registry calls."""

    def abort(self) -> None:
        """Close the connection at once."""

    def close_if_idle(self) -> None:
        """Close the connection now if no request is in progress, read or unread."""


_REFUSED = ("client", "total", "descriptors")
_CLOSED = ("room", "stalled", "memory")
"""The reasons for which connections are refused, and closed early."""

_FREED_DESCRIPTORS = 16
"""Number of descriptors to free when none is left."""


class Connections:
    """The open connections of one listening socket."""

    def __init__(self, limits: ConnectionLimits, proxies: TrustedProxies, metrics: Metrics) -> None:
        self._max_total = limits.total
        self._max_per_client = limits.per_client
        self._proxies = proxies
        self._metrics = metrics
        self._clients: dict[Closable, str | None] = {}
        self._counts: Counter[str] = Counter()
        # Both are ordered by the time at which the connections began to wait.
        self._without_request: dict[Closable, None] = {}
        self._between_requests: dict[Closable, None] = {}

    def register(self) -> None:
        """Add the connections to the metrics, for a server that accepts them here."""
        self._metrics.register(self.metrics_samples)
        for reason in _REFUSED:  # Prometheus sees no increase in a counter that starts at 1
            self._metrics.count(CONNECTIONS_REFUSED, reason, by=0)
        for reason in _CLOSED:
            self._metrics.count(CONNECTIONS_CLOSED, reason, by=0)

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the number of open connections."""
        yield CONNECTIONS, (), len(self._clients)

    def reason_to_refuse(self, peer: str | None) -> str | None:
        """Return why another connection of a peer is refused, or None if it is accepted.

        At the total limit, this closes a waiting connection if there is one.
        """
        client = self._limited_client(peer)
        if client is not None and self._counts[client] >= self._max_per_client:
            return self._refused("client")
        if len(self._clients) >= self._max_total and not self.close_longest_waiting():
            return self._refused("total")
        return None

    def lower_limit(self) -> None:
        """Lower the total limit after the process has run out of descriptors."""
        self._refused("descriptors")
        target = len(self._clients) - _FREED_DESCRIPTORS
        self._max_total = max(min(self._max_total, _FREED_DESCRIPTORS), target)
        while len(self._clients) > self._max_total and self.close_longest_waiting():
            pass

    def count_closed(self, reason: str) -> None:
        """Count a connection that the service closed, by reason."""
        self._metrics.count(CONNECTIONS_CLOSED, reason)

    def add(self, connection: Closable, peer: str | None) -> None:
        """Register an accepted connection."""
        client = self._clients[connection] = self._limited_client(peer)
        if client is not None:
            self._counts[client] += 1
            self._without_request[connection] = None

    def remove(self, connection: Closable) -> None:
        """Remove a connection that has ended."""
        self.note_busy(connection)
        client = self._clients.pop(connection, None)
        if client is not None:
            self._counts[client] -= 1
            if not self._counts[client]:
                del self._counts[client]

    def note_busy(self, connection: Closable) -> None:
        """Record that a request has begun on a connection."""
        self._without_request.pop(connection, None)
        self._between_requests.pop(connection, None)

    def note_request(self, connection: Closable) -> None:
        """Record a request that has ended already: the connection waits for the next one."""
        if self._clients.get(connection) is not None:
            self.note_busy(connection)
            self._between_requests[connection] = None

    def note_idle(self, connection: Closable) -> None:
        """Record that a connection waits for its next request."""
        if self._clients.get(connection) is not None:
            self._between_requests[connection] = None

    def close_longest_waiting(self) -> bool:
        """Close the connection that has waited longest; return False if all are busy."""
        connection = next(iter(self._without_request or self._between_requests), None)
        if connection is None:
            return False
        self.remove(connection)
        self.count_closed("room")
        connection.abort()
        return True

    def close_idle(self) -> None:
        """Close all connections without a request in progress."""
        for connection in tuple(self._clients):
            connection.close_if_idle()

    def abort(self) -> None:
        """Close all remaining connections at once."""
        for connection in tuple(self._clients):
            connection.abort()

    def _limited_client(self, peer: str | None) -> str | None:
        """Return the client whose limit applies to a peer, or None for a trusted proxy."""
        return None if self._proxies.trusts(peer) else self._proxies.client(peer, "")

    def _refused(self, reason: str) -> str:
        self._metrics.count(CONNECTIONS_REFUSED, reason)
        return reason


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
