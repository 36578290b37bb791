"""An HTTP/2 client that can violate the protocol: it sends frames and records the responses."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Self

from hpack import Encoder
from hyperframe.frame import (
    DataFrame,
    Frame,
    GoAwayFrame,
    HeadersFrame,
    PingFrame,
    RstStreamFrame,
    SettingsFrame,
    WindowUpdateFrame,
)

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_HEAD_BYTES = 9


class Http2Client:
    """A connection with prior knowledge of HTTP/2."""

    def __init__(self, connection: socket.socket, window: int = 65_535) -> None:
        self.socket = connection
        self.answered: set[int] = set()
        """Streams with a complete response."""
        self.heads: set[int] = set()
        self.resets: dict[int, int] = {}
        self.last_streams: list[int] = []
        """The last stream ID of each GOAWAY frame."""
        self.errors: list[int] = []
        self.is_closed = False
        self.pings_answered = 0
        self._encoder = Encoder()
        self._received = bytearray()
        self._next = 1
        self._reads = window > 0
        settings = {SettingsFrame.INITIAL_WINDOW_SIZE: window}
        self.socket.sendall(PREFACE + SettingsFrame(0, settings).serialize())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.socket.close()

    def request(self, path: str) -> bytes:
        """Build the frame that requests a path on the next stream."""
        headers = [(":method", "GET"), (":scheme", "http"), (":path", path), (":authority", "x")]
        frame = HeadersFrame(self._next, data=self._encoder.encode(headers))
        frame.flags |= {"END_HEADERS", "END_STREAM"}
        self._next += 2
        return frame.serialize()

    def reset(self, number: int = 1) -> bytes:
        """Build the frames that reset the latest streams."""
        streams = range(self._next - 2 * number, self._next, 2)
        return b"".join(RstStreamFrame(stream, error_code=8).serialize() for stream in streams)

    def ping(self) -> None:
        """Send a ping and wait for its answer, so that the server has read all earlier frames."""
        self.pings_answered = 0
        self.socket.sendall(PingFrame(0, b"are you?").serialize())
        self.read_until(lambda: self.pings_answered > 0)

    def ask(self, *paths: str) -> None:
        """Request several paths at once."""
        self.socket.sendall(b"".join(map(self.request, paths)))

    def has_answered(self, number: int) -> bool:
        """Return whether at least this number of streams have complete responses."""
        return len(self.answered) >= number

    def read_until(self, happened: Callable[[], bool], answer_pings: bool = True) -> None:
        """Read until a condition is true or the connection has ended."""
        while not happened() and not self.is_closed:
            self._read(answer_pings)

    def read_until_silent(self, seconds: float) -> None:
        """Read until nothing has arrived for this time."""
        self.socket.settimeout(seconds)
        with suppress(TimeoutError):
            self.read_until(lambda: False)

    def _read(self, answer_pings: bool) -> None:
        try:
            data = self.socket.recv(65_536)
        except ConnectionError:
            data = b""
        self.is_closed = not data
        self._received += data
        while len(self._received) >= _HEAD_BYTES:
            frame, length = Frame.parse_frame_header(
                memoryview(bytes(self._received[:_HEAD_BYTES]))
            )
            if len(self._received) < _HEAD_BYTES + length:
                break
            frame.parse_body(memoryview(bytes(self._received[_HEAD_BYTES : _HEAD_BYTES + length])))
            del self._received[: _HEAD_BYTES + length]
            self._note(frame, answer_pings)

    def _note(self, frame: Frame, answer_pings: bool) -> None:
        if isinstance(frame, HeadersFrame):
            self.heads.add(frame.stream_id)
        if isinstance(frame, DataFrame) and frame.flow_controlled_length and self._reads:
            self.socket.sendall(WindowUpdateFrame(0, frame.flow_controlled_length).serialize())
        if isinstance(frame, HeadersFrame | DataFrame) and "END_STREAM" in frame.flags:
            self.answered.add(frame.stream_id)
        elif isinstance(frame, RstStreamFrame):
            self.resets[frame.stream_id] = frame.error_code
        elif isinstance(frame, GoAwayFrame):
            self.last_streams.append(frame.last_stream_id)
            self.errors.append(frame.error_code)
        elif isinstance(frame, PingFrame) and "ACK" in frame.flags:
            self.pings_answered += 1
        elif isinstance(frame, PingFrame) and answer_pings:
            answer = PingFrame(0, frame.opaque_data, flags=["ACK"])
            self.socket.sendall(answer.serialize())
