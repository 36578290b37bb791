"""The interface between a connection and its HTTP protocol."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from hypercorn.asyncio.worker_context import WorkerContext
from hypercorn.events import Event
from hypercorn.typing import ASGIFramework, ConnectionState

from app.server.config import ServerConfig
from app.server.connections import Connections
from app.server.heads import HeadParser
from app.server.output import Output
from app.server.unsent import UnsentBodies
from app.server.work import Work

Address = tuple[str, int] | None


@dataclass(frozen=True, slots=True)
class Shared:
    """The objects that all connections of a server share."""

    app: ASGIFramework
    config: ServerConfig
    context: WorkerContext
    state: ConnectionState
    connections: Connections
    unsent: UnsentBodies
    heads: HeadParser
    responds_at_once: bool
    """Whether a request starts without a task, see `app.platform.concurrency.first_step`."""


@dataclass(frozen=True, slots=True)
class Transport:
    """A connection as the HTTP protocol uses it: both addresses, output, tasks and callbacks."""

    shared: Shared
    client: Address
    server: Address
    output: Output
    work: Work
    send: Callable[[Event], Awaitable[None]]
    """Handles Hypercorn's events: RawData to send, Closed to close, Updated for idle or busy."""

    note_request: Callable[[], None]
    """Notes a request that has been responded to at once."""

    give_up: Callable[[str], None]
    """Aborts the connection, and counts it under the given reason."""
