"""HTTP/2 without TLS, on the `h2` library, with limits on what a client can use.

- The application handles at most WORKING_STREAMS requests of a connection at once. The other
  streams wait.
- A body is never copied as a whole. It is sent frame by frame as the client's windows allow. A
  stream that can send nothing for the write timeout is reset.
- Request bodies are acknowledged as the application reads them, so the flow-control window of
  the connection limits how much is buffered.
- The number of resets, and of frames with neither a request nor data, is limited per second. If
  a stream is reset, its request is not started, or it receives a disconnect message.
- The shutdown follows RFC 9113, section 6.8: streams that the client opened before it received
  the announcement are answered. Later streams are refused; the client can retry them on another
  connection.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

from h2.errors import ErrorCodes
from h2.events import (
    ConnectionTerminated,
    DataReceived,
    PingAckReceived,
    PingReceived,
    PriorityUpdated,
    RemoteSettingsChanged,
    RequestReceived,
    StreamEnded,
    StreamReset,
    UnknownFrameReceived,
    WindowUpdated,
)
from h2.events import Event as H2Event
from h2.exceptions import ProtocolError
from hypercorn.events import Closed, Event, RawData, Updated
from hypercorn.protocol.events import (
    Body,
    EndBody,
    InformationalResponse,
    Response,
)
from hypercorn.protocol.events import Event as StreamEvent
from hypercorn.protocol.events import StreamClosed as StreamEnding

from app.server.http2_messages import (
    HeaderLines,
    goaway,
    is_answerable,
    new_connection,
    request_event,
)
from app.server.http2_stream import Http2Stream
from app.server.rate import Rate
from app.server.transport import Transport
from app.server.upgrade import padded

WORKING_STREAMS = 16
RESETS_PER_SECOND = 100
CONTROL_FRAMES_PER_SECOND = 200

_SLICE_BYTES = 4_096
"""Size of the parts passed to h2, which parses a whole part before a limit can apply."""

_FRAME_BYTES = 16_384
_GRACE_SECONDS = 2.0
"""Maximum wait for the client to receive the announcement, unless it answers the ping first."""

_LINGER_SECONDS = 1.0
"""Maximum wait for the client to close the connection after the final GOAWAY."""

_ANY_STREAM = 2**31 - 1
_PING = b"ending.."

Handler = Callable[[Any], Awaitable[None]]


class Http2:
    """HTTP/2 on one connection."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._shared = transport.shared
        self._output = transport.output
        self._h2 = new_connection()
        self._streams: dict[int, Http2Stream] = {}
        self._slots = asyncio.Semaphore(WORKING_STREAMS)
        self._resets = Rate(RESETS_PER_SECOND)
        self._controls = Rate(CONTROL_FRAMES_PER_SECOND)
        self._requests = 0
        self._is_closed = False
        self._is_ending = False
        self._last_stream: int | None = None
        """The last stream that is answered, or None before the final GOAWAY."""
        self._timers: list[asyncio.TimerHandle] = []
        self._handlers: dict[type[H2Event], Handler] = {
            RequestReceived: self._on_request,
            DataReceived: self._on_data,
            StreamEnded: self._on_request_end,
            StreamReset: self._on_reset,
            WindowUpdated: self._on_window,
            RemoteSettingsChanged: self._on_settings,
            PingAckReceived: self._on_ping_ack,
            PingReceived: self._on_control,
            PriorityUpdated: self._on_control,
            UnknownFrameReceived: self._on_control,
            ConnectionTerminated: self._on_goaway,
        }

    async def begin(self) -> None:
        """Start the connection after the client's preface."""
        self._h2.initiate_connection()
        await self._flush()

    async def begin_with(self, headers: HeaderLines, settings: bytes) -> None:
        """Start the connection after an upgrade; the upgrade request becomes stream 1."""
        try:
            self._h2.initiate_upgrade_connection(padded(settings))
        except ProtocolError:
            await self._end()
            return
        await self._flush()
        stream = await self._open(1, headers)
        stream.is_request_complete = True
        await stream.handle(EndBody(stream_id=1))

    async def handle(self, event: Event) -> None:
        """Handle received data, or the end of the connection."""
        if isinstance(event, RawData):
            for start in range(0, len(event.data), _SLICE_BYTES):
                if self._is_closed:
                    return
                await self._receive(event.data[start : start + _SLICE_BYTES])
        elif isinstance(event, Closed):
            self._is_closed = True
            for timer in self._timers:
                timer.cancel()
            for stream in tuple(self._streams.values()):
                await self._drop(stream)

    def announce_end(self) -> None:
        """Tell the client to open no more streams on this connection."""
        if self._is_ending or self._is_closed:
            return
        self._is_ending = True
        self._h2.ping(_PING)
        self._output.write(goaway(_ANY_STREAM) + self._h2.data_to_send())
        self._later(_GRACE_SECONDS, self._refuse_newer)

    def closing_bytes(self) -> bytes:
        """Return a GOAWAY frame that names the last answered stream."""
        return b"" if self._is_closed else goaway(self._h2.highest_inbound_stream_id)

    # Received frames

    async def _receive(self, data: bytes) -> None:
        try:
            events = self._h2.receive_data(data)
        except ProtocolError:
            await self._end()
            return
        for event in events:
            handler = self._handlers.get(type(event))
            if handler is not None and not self._is_closed:
                with suppress(ProtocolError):  # a later frame has ended the stream of the event
                    await handler(event)
        await self._flush()

    async def _on_request(self, event: RequestReceived) -> None:
        stream_id, headers = event.stream_id, event.headers
        if self._last_stream is not None:
            self._h2.reset_stream(stream_id, ErrorCodes.REFUSED_STREAM)
            await self._count(self._resets)
        elif not is_answerable(headers):
            self._log_refusal()
            self._h2.reset_stream(stream_id, ErrorCodes.PROTOCOL_ERROR)
            await self._count(self._resets)
        else:
            await self._transport.send(Updated(idle=False))
            await self._open(stream_id, headers)

    def _log_refusal(self) -> None:
        """Log a request that gets a reset as what HTTP/1 would answer it with."""
        if self._shared.config.log_refusal is not None:
            client = self._transport.client
            self._shared.config.log_refusal(client[0] if client else None, 400)

    async def _on_data(self, event: DataReceived) -> None:
        stream = self._streams.get(event.stream_id)
        data, size = event.data, event.flow_controlled_length
        if stream is None:
            self._acknowledge(event.stream_id, size)
            return
        self._acknowledge(stream.id, size - len(data))
        if data:
            stream.unread += len(data)
            await stream.handle(Body(stream_id=stream.id, data=data))
        elif event.stream_ended is None:
            await self._count(self._controls)

    async def _on_request_end(self, event: StreamEnded) -> None:
        stream = self._streams.get(event.stream_id)
        if stream is not None:
            stream.is_request_complete = True
            await stream.handle(EndBody(stream_id=stream.id))

    async def _on_reset(self, event: StreamReset) -> None:
        stream = self._streams.get(event.stream_id)
        if stream is not None:
            await self._drop(stream)
        await self._count(self._resets)

    async def _on_window(self, event: WindowUpdated) -> None:
        if event.stream_id:
            stream = self._streams.get(event.stream_id)
            if stream is not None:
                stream.window_changed.set()
        else:
            self._wake_streams()

    async def _on_settings(self, event: RemoteSettingsChanged) -> None:
        self._wake_streams()
        await self._count(self._controls)

    async def _on_ping_ack(self, event: PingAckReceived) -> None:
        if event.ping_data == _PING and self._is_ending:
            await self._refuse_newer()

    async def _on_control(self, event: H2Event) -> None:
        await self._count(self._controls)

    async def _on_goaway(self, event: ConnectionTerminated) -> None:
        await self._end()

    async def _count(self, rate: Rate) -> None:
        """Count an event, and close the connection if the rate exceeds its limit."""
        if rate.is_exceeded() and not self._is_closed:
            self._shared.connections.count_closed("flood")
            self._h2.close_connection(ErrorCodes.ENHANCE_YOUR_CALM)
            await self._end()

    # Streams

    async def _open(self, stream_id: int, headers: HeaderLines) -> Http2Stream:
        stream = Http2Stream(stream_id, self._transport, self._slots, self._on_read, self._on_send)
        self._streams[stream_id] = stream
        await stream.handle(request_event(stream_id, headers, self._shared.state))
        self._requests += 1
        if self._requests >= self._shared.config.keep_alive_max_requests:
            self.announce_end()
        return stream

    async def _on_read(self, stream: Http2Stream, size: int) -> None:
        """Acknowledge the body bytes that the application has read, so that more can be sent."""
        if stream.id in self._streams:
            stream.unread -= size
            self._acknowledge(stream.id, size)
            await self._flush()

    async def _drop(self, stream: Http2Stream) -> None:
        """Remove a stream that has ended for any reason."""
        if self._streams.pop(stream.id, None) is None:
            return
        self._acknowledge(stream.id, stream.unread)
        await stream.end()
        if not self._streams:
            await self._transport.send(Updated(idle=True))
            self._end_when_done()

    def _acknowledge(self, stream_id: int, size: int) -> None:
        if size and not self._is_closed:
            self._h2.acknowledge_received_data(size, stream_id)

    def _wake_streams(self) -> None:
        for stream in self._streams.values():
            stream.window_changed.set()

    # Sent frames

    async def _on_send(self, event: StreamEvent) -> None:
        """Send an event of Hypercorn's stream, unless the stream has ended."""
        stream = self._streams.get(event.stream_id)
        if stream is None or self._is_closed:
            return
        try:
            await self._send(stream, event)
        except ProtocolError:  # the client has reset the stream in the meantime
            await self._drop(stream)
        await self._flush()

    async def _send(self, stream: Http2Stream, event: StreamEvent) -> None:
        if isinstance(event, Response | InformationalResponse):
            self._h2.send_headers(stream.id, self._response_headers(event))
        elif isinstance(event, Body):
            await self._send_body(stream, event.data)
        elif isinstance(event, EndBody):
            self._h2.end_stream(stream.id)
            stream.is_answered = True
        elif isinstance(event, StreamEnding):
            self._finish(stream)
            await self._drop(stream)

    def _response_headers(self, event: Response | InformationalResponse) -> HeaderLines:
        status = [(b":status", b"%d" % event.status_code)]
        return [*status, *event.headers, *self._shared.config.response_headers("h2")]

    def _finish(self, stream: Http2Stream) -> None:
        """Reset a stream whose response or request is incomplete."""
        if not stream.is_answered:
            self._h2.reset_stream(stream.id, ErrorCodes.INTERNAL_ERROR)
        elif not stream.is_request_complete:
            self._h2.reset_stream(stream.id, ErrorCodes.NO_ERROR)

    async def _send_body(self, stream: Http2Stream, body: bytes) -> None:
        give_up = partial(self._transport.give_up, "memory")
        with self._shared.unsent.sending(body, give_up) as sending:
            remaining = memoryview(body)
            while remaining and (size := await self._window(stream)):
                self._h2.send_data(stream.id, remaining[:size])
                remaining = remaining[size:]
                await self._flush()
                sending.note_progress()

    async def _window(self, stream: Http2Stream) -> int:
        """Wait until at least one byte may be sent; return how many, or 0 if the stream ended."""
        while stream.id in self._streams and not self._output.is_closed:
            size = min(self._h2.local_flow_control_window(stream.id), _FRAME_BYTES)
            if size > 0:
                stream.note_sent()
                return size
            if not await stream.wait_for_window(self._shared.config.write_timeout):
                self._shared.connections.count_closed("stalled")
                self._h2.reset_stream(stream.id, ErrorCodes.CANCEL)
                await self._drop(stream)
        return 0

    async def _flush(self) -> None:
        data = self._h2.data_to_send()
        if data:
            await self._output.send(data)

    # Shutdown

    async def _refuse_newer(self) -> None:
        """Send the final GOAWAY, which names the last stream that is answered."""
        if self._last_stream is None and not self._is_closed:
            self._last_stream = self._h2.highest_inbound_stream_id
            self._output.write(goaway(self._last_stream))
            self._end_when_done()

    def _end_when_done(self) -> None:
        if self._last_stream is not None and not self._streams:
            self._later(_LINGER_SECONDS, self._end)

    async def _end(self) -> None:
        self._is_closed = True
        await self._flush()
        await self._transport.send(Closed())

    def _later(self, seconds: float, function: Callable[[], Awaitable[None]]) -> None:
        loop = asyncio.get_running_loop()
        self._timers.append(loop.call_later(seconds, self._transport.work.spawn, function))
