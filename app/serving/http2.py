"""HTTP/2 without TLS, on the `h2` library, within bounds that a client cannot exceed.

- The application works on WORKING_STREAMS at once for a connection, the other streams wait.
- A body is never copied whole: it is sent frame by frame as the client's windows allow. A stream
  that could send nothing for the write time-out is reset.
- What a client sends is taken as the application reads it; the flow-control window of the
  connection bounds what is kept until then.
- Resets, and frames that carry neither a request nor data, are bounded each second. What was
  asked on a stream that is reset is not begun, or told that its client has left.
- The end is announced (RFC 9113, section 6.8): streams that were opened before the client could
  know are answered, later ones are refused and can be sent again on another connection.
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

from app.serving.http2_messages import (
    HeaderLines,
    goaway,
    is_answerable,
    new_connection,
    request_event,
)
from app.serving.http2_stream import Http2Stream
from app.serving.rate import Rate
from app.serving.transport import Transport
from app.serving.upgrade import padded

WORKING_STREAMS = 16
RESETS_EACH_SECOND = 100
CONTROL_FRAMES_EACH_SECOND = 200

_SLICE_BYTES = 4_096
"""What h2 is given at once: it reads all of it before a limit can stop it."""

_FRAME_BYTES = 16_384
_GRACE_SECONDS = 2.0
"""How long a client may take to hear of the end; its answer to a ping is quicker."""

_LINGER_SECONDS = 1.0
"""How long a client may take to close a connection whose end it has heard of."""

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
        self._resets = Rate(RESETS_EACH_SECOND)
        self._controls = Rate(CONTROL_FRAMES_EACH_SECOND)
        self._requests = 0
        self._is_closed = False
        self._is_ending = False
        self._last_stream: int | None = None
        """The last stream that is answered, once the client has been told."""
        self._timers: list[asyncio.TimerHandle] = []
        self._handlers: dict[type[H2Event], Handler] = {
            RequestReceived: self._on_request,
            DataReceived: self._on_data,
            StreamEnded: self._on_end_of_request,
            StreamReset: self._on_reset,
            WindowUpdated: self._on_window,
            RemoteSettingsChanged: self._on_settings,
            PingAckReceived: self._on_ping_answer,
            PingReceived: self._on_control,
            PriorityUpdated: self._on_control,
            UnknownFrameReceived: self._on_control,
            ConnectionTerminated: self._on_goodbye,
        }

    async def begin(self) -> None:
        """Begin after the client's preface."""
        self._h2.initiate_connection()
        await self._flush()

    async def begin_with(self, headers: HeaderLines, settings: bytes) -> None:
        """Begin after an upgrade; the request that asked for it is answered as stream 1."""
        try:
            self._h2.initiate_upgrade_connection(padded(settings))
        except ProtocolError:
            await self._end()
            return
        await self._flush()
        stream = await self._open(1, headers)
        stream.is_request_whole = True
        await stream.handle(EndBody(stream_id=1))

    async def handle(self, event: Event) -> None:
        """Take what came in."""
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
        """Tell the client that it should open no more streams here."""
        if self._is_ending or self._is_closed:
            return
        self._is_ending = True
        self._h2.ping(_PING)
        self._output.write(goaway(_ANY_STREAM) + self._h2.data_to_send())
        self._later(_GRACE_SECONDS, self._refuse_newer)

    def last_words(self) -> bytes:
        """GOAWAY with the last stream that was answered."""
        return b"" if self._is_closed else goaway(self._h2.highest_inbound_stream_id)

    # What comes in

    async def _receive(self, data: bytes) -> None:
        try:
            events = self._h2.receive_data(data)
        except ProtocolError:
            await self._end()
            return
        for event in events:
            handler = self._handlers.get(type(event))
            if handler is not None and not self._is_closed:
                with suppress(ProtocolError):  # a later frame has ended what the event is about
                    await handler(event)
        await self._flush()

    async def _on_request(self, event: RequestReceived) -> None:
        stream_id, headers = event.stream_id, event.headers
        if self._last_stream is not None:
            self._h2.reset_stream(stream_id, ErrorCodes.REFUSED_STREAM)
            await self._count(self._resets)
        elif not is_answerable(headers):
            self._h2.reset_stream(stream_id, ErrorCodes.PROTOCOL_ERROR)
            await self._count(self._resets)
        else:
            await self._transport.send(Updated(idle=False))
            await self._open(stream_id, headers)

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

    async def _on_end_of_request(self, event: StreamEnded) -> None:
        stream = self._streams.get(event.stream_id)
        if stream is not None:
            stream.is_request_whole = True
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
            self._look_at_windows()

    async def _on_settings(self, event: RemoteSettingsChanged) -> None:
        self._look_at_windows()
        await self._count(self._controls)

    async def _on_ping_answer(self, event: PingAckReceived) -> None:
        if event.ping_data == _PING and self._is_ending:
            await self._refuse_newer()

    async def _on_control(self, event: H2Event) -> None:
        await self._count(self._controls)

    async def _on_goodbye(self, event: ConnectionTerminated) -> None:
        await self._end()

    async def _count(self, rate: Rate) -> None:
        """Count something that costs us more than the client; too much of it ends all."""
        if rate.is_exceeded() and not self._is_closed:
            self._shared.connections.count_closed("flood")
            self._h2.close_connection(ErrorCodes.ENHANCE_YOUR_CALM)
            await self._end()

    # Streams

    async def _open(self, stream_id: int, headers: HeaderLines) -> Http2Stream:
        stream = Http2Stream(stream_id, self._transport, self._slots, self._read, self._answer)
        self._streams[stream_id] = stream
        await stream.handle(request_event(stream_id, headers, self._shared.state))
        self._requests += 1
        if self._requests >= self._shared.config.keep_alive_max_requests:
            self.announce_end()
        return stream

    async def _read(self, stream: Http2Stream, size: int) -> None:
        """The application has read a part of a body; the client may send as much again."""
        if stream.id in self._streams:
            stream.unread -= size
            self._acknowledge(stream.id, size)
            await self._flush()

    async def _drop(self, stream: Http2Stream) -> None:
        """Forget a stream that has ended, in whichever way."""
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

    def _look_at_windows(self) -> None:
        for stream in self._streams.values():
            stream.window_changed.set()

    # What goes out

    async def _answer(self, event: StreamEvent) -> None:
        """Send an event of Hypercorn's stream; one of a stream that is gone is dropped."""
        stream = self._streams.get(event.stream_id)
        if stream is None or self._is_closed:
            return
        try:
            await self._send(stream, event)
        except ProtocolError:  # the client has ended the stream meanwhile
            await self._drop(stream)
        await self._flush()

    async def _send(self, stream: Http2Stream, event: StreamEvent) -> None:
        if isinstance(event, Response | InformationalResponse):
            self._h2.send_headers(stream.id, self._answer_headers(event))
        elif isinstance(event, Body):
            await self._send_body(stream, event.data)
        elif isinstance(event, EndBody):
            self._h2.end_stream(stream.id)
            stream.is_answered = True
        elif isinstance(event, StreamEnding):
            self._finish(stream)
            await self._drop(stream)

    def _answer_headers(self, event: Response | InformationalResponse) -> HeaderLines:
        status = [(b":status", b"%d" % event.status_code)]
        return [*status, *event.headers, *self._shared.config.response_headers("h2")]

    def _finish(self, stream: Http2Stream) -> None:
        """Reset what is not whole: an answer that broke off, a request that nobody reads on."""
        if not stream.is_answered:
            self._h2.reset_stream(stream.id, ErrorCodes.INTERNAL_ERROR)
        elif not stream.is_request_whole:
            self._h2.reset_stream(stream.id, ErrorCodes.NO_ERROR)

    async def _send_body(self, stream: Http2Stream, body: bytes) -> None:
        give_up = partial(self._transport.give_up, "memory")
        with self._shared.unsent.sending(body, give_up) as sending:
            left = memoryview(body)
            while left and (size := await self._window(stream)):
                self._h2.send_data(stream.id, left[:size])
                left = left[size:]
                await self._flush()
                sending.moved()

    async def _window(self, stream: Http2Stream) -> int:
        """How much may be sent now, at least one byte; 0 when the stream is gone."""
        while stream.id in self._streams and not self._output.is_closed:
            size = min(self._h2.local_flow_control_window(stream.id), _FRAME_BYTES)
            if size > 0:
                stream.note_sent()
                return size
            if not await stream.hears_of_window(self._shared.config.write_timeout):
                self._shared.connections.count_closed("stalled")
                self._h2.reset_stream(stream.id, ErrorCodes.CANCEL)
                await self._drop(stream)
        return 0

    async def _flush(self) -> None:
        data = self._h2.data_to_send()
        if data:
            await self._output.send(data)

    # The end

    async def _refuse_newer(self) -> None:
        """The client has heard of the end: name the last stream that is answered."""
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
