"""Open connections: how many there are, whose they are, and which of them wait for a request.

A connection that would exceed a limit is refused. Where all connections are taken, the one that
has waited longest for a request gives way: first those that have never sent a whole request
head, then those between two requests. Trusted proxies have no limit of their own, and their
connections do not give way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from app.asgi.trusted_proxies import TrustedProxies
from app.observability.metrics import (
    CONNECTIONS,
    CONNECTIONS_CLOSED,
    CONNECTIONS_REFUSED,
    Metrics,
    Sample,
)

_ROOM = 16
"""Descriptors that are made free when none is left."""


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """How many connections may be open at once, in all and for one client."""

    total: int
    per_client: int


class Closable(Protocol):
    """What the registry asks of a connection."""

    def abort(self) -> None:
        """End at once."""

    def announce_end(self) -> None:
        """Tell the client that the connection will end soon."""

    def close_if_idle(self) -> None:
        """End now where no request is under way."""


class Connections:
    """The open connections of one listening socket."""

    def __init__(self, limits: ConnectionLimits, proxies: TrustedProxies, metrics: Metrics) -> None:
        self._most = limits.total
        self._most_per_client = limits.per_client
        self._proxies = proxies
        self._metrics = metrics
        self._clients: dict[Closable, str | None] = {}
        self._counts: Counter[str] = Counter()
        # Both in the order in which the connections began to wait.
        self._without_request: dict[Closable, None] = {}
        self._between_requests: dict[Closable, None] = {}

    def metrics_samples(self) -> Iterator[Sample]:
        """What metrics tell of the connections."""
        yield CONNECTIONS, (), len(self._clients)

    def reason_to_refuse(self, peer: str | None) -> str | None:
        """Why one more connection of a peer is not accepted; room is made for it if need be."""
        client = self._limited_client(peer)
        if client is not None and self._counts[client] >= self._most_per_client:
            return self._refused("client")
        if len(self._clients) >= self._most and not self.make_room():
            return self._refused("total")
        return None

    def lower(self) -> None:
        """Descriptors have run out: keep fewer connections from now on, so that some are free."""
        self._refused("descriptors")
        self._most = max(min(self._most, _ROOM), len(self._clients) - _ROOM)
        while len(self._clients) > self._most and self.make_room():
            pass

    def count_closed(self, reason: str) -> None:
        """Count a connection or an HTTP/2 stream that the service ended for a reason."""
        self._metrics.count(CONNECTIONS_CLOSED, reason)

    def add(self, connection: Closable, peer: str | None) -> None:
        """Register a connection that was accepted."""
        client = self._clients[connection] = self._limited_client(peer)
        if client is not None:
            self._counts[client] += 1
            self._without_request[connection] = None

    def remove(self, connection: Closable) -> None:
        """Forget a connection that has ended."""
        self.note_busy(connection)
        client = self._clients.pop(connection, None)
        if client is not None:
            self._counts[client] -= 1
            if not self._counts[client]:
                del self._counts[client]

    def note_busy(self, connection: Closable) -> None:
        """A request has begun on a connection."""
        self._without_request.pop(connection, None)
        self._between_requests.pop(connection, None)

    def note_idle(self, connection: Closable, *, first: bool) -> None:
        """A connection waits for a request, be it the first or another one."""
        if self._clients.get(connection) is not None:
            waiting = self._without_request if first else self._between_requests
            waiting[connection] = None

    def make_room(self) -> bool:
        """End the connection that has waited longest; False where all are busy."""
        connection = next(iter(self._without_request or self._between_requests), None)
        if connection is None:
            return False
        self.remove(connection)
        self.count_closed("room")
        connection.abort()
        return True

    def announce_end(self) -> None:
        """Tell all clients that their connections will end soon."""
        for connection in tuple(self._clients):
            connection.announce_end()

    def close_idle(self) -> None:
        """End all connections on which no request is under way."""
        for connection in tuple(self._clients):
            connection.close_if_idle()

    def abort(self) -> None:
        """End all that is left, at once."""
        for connection in tuple(self._clients):
            connection.abort()

    def _limited_client(self, peer: str | None) -> str | None:
        """Whose limit a peer's connections count against; None for a trusted proxy."""
        return None if self._proxies.trusts(peer) else self._proxies.client(peer, "")

    def _refused(self, reason: str) -> str:
        self._metrics.count(CONNECTIONS_REFUSED, reason)
        return reason
