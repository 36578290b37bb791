"""A connection on uvicorn's HTTP/1 protocol, with the limits and refusals of every connection."""

from __future__ import annotations

import asyncio
import socket
from http import HTTPStatus

import httptools
from uvicorn import Config
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from app.server.framing import is_ambiguous
from app.server.heads import with_letters_encoded
from app.server.idle_timer import IdleTimer
from app.server.stall import StallWatch
from app.server.transport import Shared
from app.server.unread import has_unread_bytes
from app.server.uvicorn_exchange import Exchange


class UvicornConnection(HttpToolsProtocol):
    """A client connection, served until the client disconnects, idles or stops reading."""

    def __init__(self, config: Config, accepted: socket.socket, shared: Shared) -> None:
        super().__init__(config, ServerState(), dict(shared.state))
        self._socket = accepted
        self._shared = shared
        self._lost: asyncio.Future[None] = self.loop.create_future()
        self._idle = IdleTimer(shared.config.head_timeout, self._end)
        self._stall = StallWatch(shared.config.write_timeout, self._give_up)
        self._head_bytes: int | None = 0
        """Bytes of an incomplete head that were read; None within a body."""

        self._refusal = HTTPStatus.BAD_REQUEST
        self._exchange: Exchange | None = None
        self._is_refused = False
        self._is_aborted = False

    async def run(self) -> None:
        """Serve the connection until it ends."""
        try:
            await self.loop.connect_accepted_socket(lambda: self, self._socket)
            await self._lost
            if self.tasks:
                await asyncio.wait(self.tasks)
        except OSError:
            self._socket.close()  # the client disconnected during the accept
        finally:
            self._idle.cancel()
            self._stall.stop()
            for task in self.tasks:
                task.cancel()

    def abort(self) -> None:
        """Close the connection at once."""
        self._is_aborted = True
        if self.transport is not None:
            self.transport.abort()

    def announce_end(self) -> None:
        """Let a response that has not begun say `Connection: close`; later ones do so anyway."""
        if self.cycle is not None and not self.cycle.response_started:
            self.cycle.keep_alive = False

    def close_if_idle(self) -> None:
        """Close the connection now if no request is in progress, read or unread."""
        if self._idle.is_idle and not has_unread_bytes(self._socket):
            self._end()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Begin, unless the connection was aborted before."""
        super().connection_made(transport)
        if self._is_aborted:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Let `run` end."""
        super().connection_lost(exc)
        self._lost.set_result(None)

    def eof_received(self) -> bool:  # type: ignore[override]  # uvicorn closes at once
        """Stay open for the response if the client has closed only its side, and waits."""
        if not self._is_waiting or self.cycle.more_body:
            return False
        self.cycle.keep_alive = False
        if self._exchange is not None:
            self._exchange.leave()
        return True

    def data_received(self, data: bytes) -> None:
        """Parse received data; refuse what is malformed or too large."""
        self._unset_keepalive_if_required()
        if self._is_refused:
            return
        before = self._head_bytes
        if before is not None:  # not within a body
            data = with_letters_encoded(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            return  # the application answers, and the connection closes
        except httptools.HttpParserError:
            self._refuse(self._refusal)
            return
        if before is not None and self._head_bytes == before:
            self._head_bytes += len(data)
            if self._head_bytes > self._max_head_bytes:
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def on_headers_complete(self) -> None:
        """Start the application; errors raised here refuse the request."""
        self._check()
        self.server_state.default_headers = self._shared.config.response_headers("h11")
        super().on_headers_complete()
        if self.parser.should_upgrade():
            self.cycle.keep_alive = False
        self._head_bytes = None
        self._idle.stop()
        self._shared.connections.note_busy(self)

    def on_message_complete(self) -> None:
        """Pass the end of the body on; the next head begins."""
        super().on_message_complete()
        self._head_bytes = 0

    def on_response_complete(self) -> None:
        """Start the next request of a pipeline, or wait for it."""
        super().on_response_complete()
        if self.transport.is_closing():
            self._stall.watch(self.transport)
        elif self.cycle.response_complete:
            self._idle.start(self._shared.config.keep_alive_timeout)
            self._shared.connections.note_idle(self, first=False)
            if self._shared.context.terminated.is_set():
                self._end()

    def pause_writing(self) -> None:
        """Watch whether the client goes on reading."""
        super().pause_writing()
        self._stall.watch(self.transport)

    def resume_writing(self) -> None:
        """Go on; the client has read."""
        super().resume_writing()
        self._stall.stop()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._exchange = Exchange(cycle)
        super()._start_asgi_task(cycle, app)

    @property
    def _is_waiting(self) -> bool:
        """Whether the client waits for a response."""
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def _max_head_bytes(self) -> int:
        return self._shared.config.h11_max_incomplete_size

    def _check(self) -> None:
        """Raise ValueError for a head that is too large or ambiguous."""
        lines = sum(len(name) + len(value) + 4 for name, value in self.headers)
        if lines + len(self.url) > self._max_head_bytes:
            self._refusal = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            raise ValueError("The head is too large.")
        if is_ambiguous(self.parser.get_http_version(), self.headers):
            raise ValueError("The request is ambiguous.")

    def _refuse(self, status: HTTPStatus) -> None:
        """Refuse the request that is read, after the responses to those before it."""
        self._is_refused = True
        if self._is_waiting and not self.cycle.more_body:
            self.cycle.keep_alive = False
            return
        if self._is_waiting and (self.cycle.response_started or self.pipeline):
            self._end()
            return
        if not self._is_waiting and self._shared.config.log_refusal is not None:
            self._shared.config.log_refusal(self.client[0] if self.client else None, status)
        self.transport.write(self._refusal_bytes(status))
        self._end()

    def _refusal_bytes(self, status: HTTPStatus) -> bytes:
        headers = {
            **dict(self._shared.config.response_headers("h2")),
            b"content-length": b"0",
            b"connection": b"close",
        }
        lines = [name + b": " + value for name, value in headers.items()]
        first = f"HTTP/1.1 {status.value} {status.phrase}".encode()
        return b"\r\n".join([first, *lines, b"", b""])

    def _give_up(self) -> None:
        self._shared.connections.count_closed("stalled")
        self.abort()

    def _end(self) -> None:
        """Send what is buffered, then close."""
        if self.transport is None:
            self.abort()
        else:
            self.transport.close()
            self._stall.watch(self.transport)
