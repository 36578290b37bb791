"""HTTP/1: Hypercorn's protocol, with strict parsing and bodies that are sent piece by piece."""

from __future__ import annotations

from functools import partial
from typing import cast

import h11
from hypercorn.protocol.events import Body, Request
from hypercorn.protocol.events import Event as StreamEvent
from hypercorn.protocol.h11 import STREAM_ID, H11Protocol
from hypercorn.protocol.http_stream import HTTPStream
from hypercorn.typing import AppWrapper, H11SendableEvent, TaskGroup

from app.serving.output import PIECE_BYTES
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
        """Send what the application answers, a large body piece by piece."""
        if isinstance(event, Body) and len(event.data) > PIECE_BYTES:
            await self._send_in_pieces(event.data)
        else:
            await super().stream_send(event)

    def announce_end(self) -> None:
        """Nothing can be told between two answers; the next one has `Connection: close`."""

    def last_words(self) -> bytes:
        """None."""
        return b""

    async def _send_in_pieces(self, body: bytes) -> None:
        give_up = partial(self._transport.give_up, "memory")
        with self._transport.shared.unsent.sending(body, give_up) as sending:
            for start in range(0, len(body), PIECE_BYTES):
                if self._transport.output.is_closed:
                    return
                piece = body[start : start + PIECE_BYTES]
                await super().stream_send(Body(stream_id=STREAM_ID, data=piece))
                sending.moved()

    async def _send_h11_event(self, event: H11SendableEvent) -> None:
        if not self._transport.output.is_closed:
            await super()._send_h11_event(event)

    async def _create_stream(self, request: h11.Request) -> None:
        """Hand the request to the application, a WebSocket handshake too.

        Hypercorn would answer handshakes by itself. The application refuses them, and so counts
        them like any other request.
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
