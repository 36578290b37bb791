"""A connection: one accepted socket. Cached reads are answered here, all others by Hypercorn."""

import asyncio
import fcntl
import logging
import socket
import struct
import termios
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

import h11
from hypercorn.asyncio.task_group import TaskGroup
from hypercorn.asyncio.worker_context import WorkerContext
from hypercorn.events import Closed, Event, RawData, Updated
from hypercorn.protocol.h11 import H11Protocol
from hypercorn.typing import (
    ASGIFramework,
    ASGIReceiveCallable,
    ASGISendCallable,
    ASGISendEvent,
    ConnectionState,
    HTTPResponseBodyEvent,
    HTTPScope,
    Scope,
)
from hypercorn.utils import parse_socket_addr, wrap_app

from app.server.fast_front.connections import CHUNK_BYTES, Connections, UnsentBodies, while_progress
from app.server.fast_front.plain_reads import END, READS, EagerRequest, HeadParser, scope_of
from app.server.fast_front.strict import FrontConfig, StrictConnection

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Shared:
    """The objects that all connections of a server share."""

    app: ASGIFramework
    config: FrontConfig
    context: WorkerContext
    state: ConnectionState
    connections: Connections
    unsent: UnsentBodies
    heads: HeadParser


_READ_BYTES = 64 * 1024
_HIGH_WATER_BYTES = 128 * 1024
"""A connection never buffers more than this and one chunk."""

_MAX_AT_ONCE = 16
"""Pipelined requests that are answered at once before other connections have their turn."""

_HALF_CLOSED_SECONDS = 5
"""How long a client that has closed its sending side may wait for its response. Whether it has
closed the whole connection cannot be seen, so what is still in progress then learns of its end."""


class Connection(asyncio.StreamReaderProtocol):
    """A client connection, served until the client disconnects, idles or stops reading."""

    def __init__(self, accepted: socket.socket, shared: Shared) -> None:
        self._loop = asyncio.get_running_loop()
        self._reader = asyncio.StreamReader(loop=self._loop)
        super().__init__(self._reader, loop=self._loop)
        self._socket = accepted
        self._shared = shared
        self._transport: asyncio.Transport | None = None
        self._writer: asyncio.StreamWriter
        self._h11 = StrictConnection(shared.config)
        self._http: H11Protocol | None = None
        self._scope: HTTPScope
        self._eager: EagerRequest | None = None
        self._awaits_data = False
        self._idle = asyncio.Event()
        self._idle_since: float | None = self._loop.time()
        self._idle_seconds = shared.config.head_timeout
        self._timer: asyncio.TimerHandle | None = None

    async def run(self) -> None:
        """Serve the connection until it ends."""
        try:
            client = parse_socket_addr(self._socket.family, self._socket.getpeername())
            server = parse_socket_addr(self._socket.family, self._socket.getsockname())
            await self._loop.connect_accepted_socket(lambda: self, self._socket)
            self._check_idle()
            async with TaskGroup(self._loop) as tasks:
                await self._serve(tasks, client, server)
        except OSError:
            self._socket.close()  # the client disconnected during the accept
        except Exception:
            log.exception("A connection failed")
            self.abort()
        finally:
            if self._timer is not None:
                self._timer.cancel()
            if self._eager is not None:
                self._eager.close()
        if self._transport is not None:
            closed = asyncio.ensure_future(self._writer.wait_closed())
            await self._while_progress(lambda: asyncio.shield(closed))

    def abort(self) -> None:
        """Close the connection at once."""
        if self._transport is not None:
            self._end()
            self._transport.abort()

    def close_if_idle(self) -> None:
        """Close the connection now if no request is in progress, read or unread."""
        if self._idle_since is not None and not _has_unread_bytes(self._socket):
            self._end()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the transport; called by the event loop."""
        super().connection_made(transport)
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=_HIGH_WATER_BYTES)
        self._writer = asyncio.StreamWriter(self._transport, self, self._reader, self._loop)

    def connection_lost(self, error: Exception | None) -> None:
        """Wait no longer for a response that nobody reads; called by the event loop."""
        super().connection_lost(error)
        self._idle.set()

    def data_received(self, data: bytes) -> None:
        """Answer requests at once where possible, and leave what remains to Hypercorn."""
        if self._awaits_data and not self._h11.is_over:
            data = self._answer_at_once(data)
        if data:
            self._awaits_data = False
            super().data_received(data)

    async def _serve(
        self, tasks: TaskGroup, client: tuple[str, int] | None, server: tuple[str, int] | None
    ) -> None:
        shared = self._shared
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
            client=client,
            server=server,
            state=shared.state,
            extensions={},
        )
        app = wrap_app(cast(ASGIFramework, self._respond), 0, "asgi")
        http = self._http = H11Protocol(
            app,
            shared.config,
            cast(Any, shared.context),
            cast(Any, tasks),
            shared.state,
            False,
            client,
            server,
            self._handle_event,
        )
        self._h11.peer = client[0] if client else None
        http.connection = cast(h11.Connection, self._h11)
        await self._receive(http)
        if not self._h11.is_over and not self._h11.is_receiving:
            with suppress(TimeoutError):
                async with asyncio.timeout(_HALF_CLOSED_SECONDS):
                    await self._idle.wait()
        await http.handle(Closed())
        with suppress(OSError, RuntimeError):
            self._writer.write_eof()
        self._writer.close()

    async def _receive(self, http: H11Protocol) -> None:
        """Hand over what is received until its end."""
        with suppress(OSError):
            while not self._h11.is_over:
                self._awaits_data = True
                data = await self._reader.read(_READ_BYTES)
                if not data or self._h11.is_over:
                    break
                await http.handle(RawData(data))
                while self._h11.is_interrupted and not self._h11.is_over:
                    await http.handle(RawData(b""))

    async def _handle_event(self, event: Event) -> None:
        """Carry out an event of Hypercorn's protocol."""
        if isinstance(event, RawData):
            if not self._writer.is_closing():
                self._writer.write(event.data)
                if self._writer.transport.get_write_buffer_size():
                    await self._while_progress(self._writer.drain)
        elif isinstance(event, Closed):
            self._end()
        elif isinstance(event, Updated) and event.idle:
            self._shared.connections.note_idle(self)
            self._note_idle()
        elif isinstance(event, Updated):
            self._idle_since = None
            self._idle.clear()
            self._shared.connections.note_busy(self)

    async def _respond(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Call the application, or let it continue; large bodies are sent in chunks."""

        async def send_in_chunks(message: ASGISendEvent) -> None:
            if message["type"] == "http.response.body":
                body, more = message.get("body", b""), message.get("more_body", False)
                if len(body) > CHUNK_BYTES:
                    await self._send_in_chunks(body, send)
                    message = HTTPResponseBodyEvent(
                        type="http.response.body", body=b"", more_body=more
                    )
                if not more:
                    # Hypercorn waits for room in its queue, which may be full of unread body.
                    reading = self._loop.create_task(_discard(receive))
                    try:
                        await send(message)
                    finally:
                        reading.cancel()
                    return
            await send(message)

        eager, self._eager = self._eager, None
        if eager is None:
            await self._shared.app(scope, receive, send_in_chunks)
        else:
            rest = eager(scope, receive, send_in_chunks)
            await self._loop.create_task(rest, context=eager.context)

    async def _send_in_chunks(self, body: bytes, send: ASGISendCallable) -> None:
        with self._shared.unsent.sending(body, self._give_up) as sending:
            for start in range(0, len(body), CHUNK_BYTES):
                part = body[start : start + CHUNK_BYTES]
                await send(
                    HTTPResponseBodyEvent(type="http.response.body", body=part, more_body=True)
                )
                sending.note_progress()

    def _answer_at_once(self, data: bytes) -> bytes:
        """Answer the first requests, as long as they are in the cache; return what remains."""
        http, config = self._http, self._shared.config
        for _ in range(_MAX_AT_ONCE):
            if (
                not data.startswith(READS)
                or http is None
                or not self._h11.is_at_rest
                or config.draining
                or http.keep_alive_requests + 1 >= config.keep_alive_max_requests
                or self._writer.is_closing()
                or self._writer.transport.get_write_buffer_size()
            ):
                break
            end = data.find(END) + len(END)
            if end < len(END) or not self._answer(data[:end]):
                break
            http.keep_alive_requests += 1
            data = data[end:]
        return data

    def _answer(self, received: bytes) -> bool:
        """Respond to the request with this head; False if that is left to Hypercorn."""
        head = self._shared.heads.parse(received)
        if head is None:
            return False
        eager = EagerRequest(self._shared.app, scope_of(head, self._scope))
        response = eager.response(self._shared.config.date_block())
        if response is None:
            self._eager = eager
            return False
        self._writer.write(response)
        self._shared.connections.note_request(self)
        self._note_idle()
        return True

    async def _while_progress(self, finish: Callable[[], Awaitable[None]]) -> None:
        transport, seconds = self._transport, self._shared.config.write_timeout
        if transport is not None and not await while_progress(transport, finish, seconds):
            self._shared.connections.count_closed("stalled")
            self.abort()

    def _give_up(self) -> None:
        self._shared.connections.count_closed("memory")
        self.abort()

    def _note_idle(self) -> None:
        """Note that the connection is idle from now on, and for how long at most."""
        seconds = self._idle_seconds = self._shared.config.keep_alive_timeout
        self._idle_since = self._loop.time()
        self._idle.set()
        if self._timer is not None and self._timer.when() > self._idle_since + seconds:
            self._timer.cancel()
            self._check_idle()

    def _check_idle(self) -> None:
        """Close a connection that is idle for too long, or schedule the next check."""
        now = self._loop.time()
        since = now if self._idle_since is None else self._idle_since
        if now >= since + self._idle_seconds:
            self._end()
        else:
            self._timer = self._loop.call_at(since + self._idle_seconds, self._check_idle)

    def _end(self) -> None:
        """Stop reading, so that `run` ends and closes the connection."""
        self._h11.is_over = True
        self._idle.set()
        if self._transport is not None:
            self._transport.pause_reading()
        self._reader.feed_eof()


async def _discard(receive: ASGIReceiveCallable) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _has_unread_bytes(connected: socket.socket) -> bool:
    """Return whether bytes wait in a socket's receive buffer; False if the socket is closed."""
    with suppress(OSError, ValueError):
        (count,) = struct.unpack("i", fcntl.ioctl(connected.fileno(), termios.FIONREAD, bytes(4)))
        return bool(count)
    return False
