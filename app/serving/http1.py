"""HTTP/1: Hypercorn's protocol, with strict parsing and large bodies sent in chunks."""

from __future__ import annotations

from functools import partial
from typing import cast

import h11
from hypercorn.protocol.events import Body, Request
from hypercorn.protocol.events import Event as StreamEvent
from hypercorn.protocol.h11 import STREAM_ID, H11Protocol
from hypercorn.protocol.http_stream import HTTPStream
from hypercorn.typing import AppWrapper, H11SendableEvent, TaskGroup

from app.serving.output import CHUNK_BYTES
from app.serving.strict_h11 import StrictConnection
from app.serving.transport import Transport
from app.serving.upgrade import offers_http2


class Http1(H11Protocol):
    """HTTP/1 on one connection."""

    def __init__(self, transport: Transport) -> None:
        shared = transport.shared
        super().__init__(
            cast(AppWrapper, shared.app),
            shared.config,
            shared.context,
            cast(TaskGroup, transport.work),
            shared.state,
            False,
            transport.client,
            transport.server,
            transport.send,
        )
        self._http2 = shared.config.http2
        self._transport = transport
        self.connection = StrictConnection(shared.config.h11_max_incomplete_size, http2=self._http2)

    async def stream_send(self, event: StreamEvent) -> None:
        """Send a part of the application's response, a large body in chunks."""
        if isinstance(event, Body) and len(event.data) > CHUNK_BYTES:
            await self._send_in_chunks(event.data)
        else:
            await super().stream_send(event)

    def announce_end(self) -> None:
        """Do nothing: HTTP/1 can only announce it in a response, by `Connection: close`."""

    def closing_bytes(self) -> bytes:
        """Return nothing: HTTP/1 closes an idle connection without a message."""
        return b""

    async def _send_in_chunks(self, body: bytes) -> None:
        give_up = partial(self._transport.give_up, "memory")
        with self._transport.shared.unsent.sending(body, give_up) as sending:
            for start in range(0, len(body), CHUNK_BYTES):
                if self._transport.output.is_closed:
                    return
                chunk = body[start : start + CHUNK_BYTES]
                await super().stream_send(Body(stream_id=STREAM_ID, data=chunk))
                sending.note_progress()

    async def _send_h11_event(self, event: H11SendableEvent) -> None:
        if not self._transport.output.is_closed:
            await super()._send_h11_event(event)

    async def _create_stream(self, request: h11.Request) -> None:
        """Pass the request to the application, also if it is a WebSocket handshake.

        Hypercorn would answer handshakes by itself. Here the application refuses them, so that
        its metrics include them.
        """
        self.stream = HTTPStream(
            self.app,
            self.config,
            self.context,
            self.task_group,
            self.ssl,
            self.client,
            self.server,
            self.stream_send,
            STREAM_ID,
        )
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
        if self._http2 and (event.method == b"PRI" or offers_http2(event.headers)):
            await super()._check_protocol(event)
