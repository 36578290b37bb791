"""What a connection gives to the version of HTTP that is spoken on it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from hypercorn.asyncio.worker_context import WorkerContext
from hypercorn.events import Event
from hypercorn.typing import ASGIFramework, ConnectionState

from app.serving.config import ServerConfig
from app.serving.connections import Connections
from app.serving.output import Output
from app.serving.unsent import UnsentBodies
from app.serving.work import Work

Address = tuple[str, int] | None


@dataclass(frozen=True, slots=True)
class Shared:
    """What all connections of a server share."""

    app: ASGIFramework
    config: ServerConfig
    context: WorkerContext
    state: ConnectionState
    connections: Connections
    unsent: UnsentBodies


@dataclass(frozen=True, slots=True)
class Transport:
    """One connection as HTTP sees it: its two ends, and how to act on it."""

    shared: Shared
    client: Address
    server: Address
    output: Output
    work: Work
    send: Callable[[Event], Awaitable[None]]
    """Takes Hypercorn's events: RawData to send, Closed to end, Updated when it becomes idle."""

    give_up: Callable[[str], None]
    """Ends the connection at once, for a reason that is counted."""


class HttpProtocol(Protocol):
    """A version of HTTP on one connection."""

    async def handle(self, event: Event) -> None:
        """Take what came in: RawData, or Closed when the client has left."""

    def announce_end(self) -> None:
        """Tell the client that the connection will end soon, where the version can."""

    def last_words(self) -> bytes:
        """What is sent before an idle connection is closed."""
