"""HTTP/1: Hypercorn's protocol, with strict parsing and large bodies sent in chunks.

Plain reads are parsed by httptools, and responded to at once if the application can. All others,
and those that have to wait, go through Hypercorn and h11.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from time import time
from typing import cast
from wsgiref.handlers import format_date_time

import h11
from hypercorn.asyncio.worker_context import WorkerContext
from hypercorn.config import Config
from hypercorn.events import Closed, Event, Updated
from hypercorn.protocol.events import Body, EndBody, Request
from hypercorn.protocol.events import Event as StreamEvent
from hypercorn.protocol.h11 import STREAM_ID, H11Protocol
from hypercorn.protocol.http_stream import HTTPStream
from hypercorn.typing import (
    AppWrapper,
    ASGIFramework,
    ConnectionState,
    H11SendableEvent,
    HTTPScope,
    TaskGroup,
)

from app.platform.asgi.scope import HeaderBlock
from app.server.connections import Connections
from app.server.lifecycle import GRACEFUL_SECONDS
from app.server.output import CHUNK_BYTES, WRITE_SECONDS, Output, UnsentBodies
from app.server.parsing import END, READS, HeadParser, StrictConnection
from app.server.tasks import EagerRequest, RequestTasks, scope_of

KEEP_ALIVE_SECONDS = 20
"""Maximum idle time of a connection. A proxy in front should use a slightly shorter timeout."""

HEAD_SECONDS = 10.0
"""Maximum time for the first complete request head on a new connection."""


class ServerConfig(Config):
    """Hypercorn's configuration, which also sets the headers of every response."""

    def __init__(self, log_level: str) -> None:
        super().__init__()
        self.graceful_timeout = GRACEFUL_SECONDS
        self.keep_alive_timeout = KEEP_ALIVE_SECONDS
        self.head_timeout = HEAD_SECONDS
        self.write_timeout = WRITE_SECONDS
        # Hypercorn's own handlers would write every line a second time.
        self.errorlog = logging.getLogger("hypercorn.error")
        self.loglevel = log_level
        self.draining = False
        self.responds_at_once = False
        """Whether a request starts without a task, see `app.platform.concurrency.eager_start`."""
        self.log_refusal: Callable[[str | None, int], None] | None = None
        """Logs the peer and the status of what is refused before the application is called."""
        self._second = 0
        self._date = HeaderBlock([])

    def response_headers(self, protocol: str) -> list[tuple[bytes, bytes]]:
        """Return Date, and `Connection: close` while draining."""
        headers = self.date_block().headers
        if self.draining and protocol == "h11":
            return [*headers, (b"connection", b"close")]
        return headers

    def date_block(self) -> HeaderBlock:
        """Return Date, formatted and encoded once per second."""
        second = int(time())
        if second != self._second:
            self._second = second
            self._date = HeaderBlock([(b"date", format_date_time(second).encode())])
        return self._date


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


_MAX_DISCARDED = 64 * 1024
"""Bytes of a request body that are still read after the response, so that others can follow."""

_REQUEST_TIMEOUT = 408

_MAX_AT_ONCE = 16
"""Pipelined requests that are responded to before other connections have their turn."""


Address = tuple[str, int] | None


@dataclass(frozen=True, slots=True)
class Transport:
    """A connection as the HTTP protocol uses it: both addresses, output, tasks and callbacks."""

    shared: Shared
    client: Address
    server: Address
    output: Output
    tasks: RequestTasks
    send: Callable[[Event], Awaitable[None]]
    """Handles Hypercorn's events: RawData to send, Closed to close, Updated for idle or busy."""

    note_request: Callable[[], None]
    """Notes a request that has been responded to at once."""

    give_up: Callable[[str], None]
    """Aborts the connection, and counts it under the given reason."""


class Http1(H11Protocol):
    """HTTP/1 on one connection."""

    def __init__(self, transport: Transport) -> None:
        shared = transport.shared
        super().__init__(
            cast(AppWrapper, shared.app),
            shared.config,
            shared.context,
            cast(TaskGroup, transport.tasks),
            shared.state,
            False,
            transport.client,
            transport.server,
            transport.send,
        )
        self._log_refusal = shared.config.log_refusal
        self._is_body_long = False
        self._transport = transport
        self._eager: EagerRequest | None = None
        self._is_at_rest = shared.config.responds_at_once
        """Whether h11 waits for a request and has received nothing of it, if that matters."""
        self._scope = HTTPScope(
            type="http",
            asgi={"spec_version": "2.1", "version": "3.0"},
            http_version="1.1",
            method="GET",
            scheme="http",
            path="/",
            raw_path=b"/",
            query_string=b"",
            root_path=shared.config.root_path,
            headers=[],
            client=transport.client,
            server=transport.server,
            state=shared.state,
            extensions={},
        )
        self.connection: StrictConnection = StrictConnection(shared.config.h11_max_incomplete_size)

    async def handle(self, event: Event) -> None:
        """Handle received data, or the end of the connection."""
        self._is_at_rest = False
        await super().handle(event)
        if isinstance(event, Closed) and self._eager is not None:
            self._eager.close()
            self._eager = None

    def take(self, data: bytes) -> bytes:
        """Respond at once to the requests for which that is possible; return what remains.

        What remains is to be handled, and begins with the request that could not be responded to.
        """
        for _ in range(_MAX_AT_ONCE):
            if not data.startswith(READS) or not self._can_respond_at_once():
                break
            end = data.find(END) + len(END)
            if end < len(END) or not self._respond(data[:end]):
                break
            data = data[end:]
        return data

    def _can_respond_at_once(self) -> bool:
        """Return whether nothing is in progress, and no response would close the connection."""
        config = self._transport.shared.config
        return (
            self._is_at_rest
            and not self._transport.output.is_pending
            and self.keep_alive_requests + 1 < config.keep_alive_max_requests
            and not config.draining
        )

    def _respond(self, received: bytes) -> bool:
        """Respond to the request with this head; False if it is to be handled."""
        head = self._transport.shared.heads.parse(received)
        if head is None:
            return False
        eager = EagerRequest(self._transport.shared.app, scope_of(head, self._scope))
        response = eager.response(self._transport.shared.config.date_block())
        if response is None:
            self._eager = eager
            return False
        self.keep_alive_requests += 1
        self._transport.output.write(response)
        self._transport.note_request()
        return True

    async def stream_send(self, event: StreamEvent) -> None:
        """Send a part of the application's response, a large body in chunks."""
        if isinstance(event, Body) and len(event.data) > CHUNK_BYTES:
            await self._send_in_chunks(event.data)
        else:
            await super().stream_send(event)

    async def _send_in_chunks(self, body: bytes) -> None:
        give_up = partial(self._transport.give_up, "memory")
        with self._transport.shared.unsent.sending(body, give_up) as sending:
            for start in range(0, len(body), CHUNK_BYTES):
                if self._transport.output.is_closed:
                    return
                chunk = body[start : start + CHUNK_BYTES]
                await super().stream_send(Body(stream_id=STREAM_ID, data=chunk))
                sending.note_progress()

    async def _maybe_recycle(self) -> None:
        """Prepare for the next request, or end the connection and what waits for its turn.

        A body that still arrives precedes the next request; the client has the time of an idle
        connection to send it.
        """
        connection = self.connection
        if connection.our_state is h11.DONE and connection.their_state is h11.SEND_BODY:
            await self._close_stream()
            rest = _DiscardedBody(self._maybe_recycle, partial(self.send, Closed()))
            self.stream = cast(HTTPStream, rest)
            await self.send(Updated(idle=True))
            return
        await super()._maybe_recycle()
        connection.is_over = connection.our_state is not h11.IDLE
        has_received = connection.is_over or bool(connection.trailing_data[0])
        self._is_at_rest = self._transport.shared.config.responds_at_once and not has_received

    async def _send_h11_event(self, event: H11SendableEvent) -> None:
        if not self._transport.output.is_closed:
            if isinstance(event, h11.Response) and self._ends_with(event):
                event = h11.Response(
                    status_code=event.status_code,
                    headers=[*event.headers, (b"connection", b"close")],
                    http_version=event.http_version,
                    reason=event.reason,
                )
            await super()._send_h11_event(event)

    async def _send_error_response(self, status_code: int) -> None:
        """Refuse a request, and log it unless the application has it and logs its end."""
        if self.stream is None and self._log_refusal is not None:
            self._log_refusal(self.client[0] if self.client else None, status_code)
        await super()._send_error_response(status_code)

    def _ends_with(self, response: h11.Response) -> bool:
        """Return whether no request follows a response: the rest of the body is long, or late."""
        awaits_body = self.connection.their_state is h11.SEND_BODY
        return awaits_body and (self._is_body_long or response.status_code == _REQUEST_TIMEOUT)

    async def _create_stream(self, request: h11.Request) -> None:
        """Pass the request to the application, also if it is a WebSocket handshake.

        Hypercorn would answer handshakes by itself. Here the application refuses them, so that
        its metrics include them.
        """
        eager, self._eager = self._eager, None
        self.stream = HTTPStream(
            cast(AppWrapper, eager) if eager else self.app,
            self.config,
            self.context,
            self.task_group,
            self.ssl,
            self.client,
            self.server,
            self.stream_send,
            STREAM_ID,
        )
        length = int(dict(request.headers).get(b"content-length", 0))
        self._is_body_long = length > _MAX_DISCARDED
        await self.stream.handle(
            Request(
                stream_id=STREAM_ID,
                headers=list(request.headers),
                http_version=request.http_version.decode(),
                method=request.method.decode().upper(),
                raw_path=request.target,
                state=self.connection_state,
            )
        )
        self.keep_alive_requests += 1
        await self.context.mark_request()

    async def _check_protocol(self, event: h11.Request) -> None:
        """Ignore an offer to change to HTTP/2 (RFC 9110, section 7.8)."""


class _DiscardedBody:
    """What a client still sends of a body after the response, in the place of its stream."""

    def __init__(
        self, on_end: Callable[[], Awaitable[None]], give_up: Callable[[], Awaitable[None]]
    ) -> None:
        self._on_end = on_end
        self._give_up = give_up
        self._size = 0

    async def handle(self, event: StreamEvent) -> None:
        """Discard a part; the end of the body makes way for the next request."""
        if isinstance(event, EndBody):
            await self._on_end()
        elif isinstance(event, Body):
            self._size += len(event.data)
            if self._size > _MAX_DISCARDED:
                await self._give_up()
