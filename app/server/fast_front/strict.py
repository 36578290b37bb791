"""Strict HTTP/1: the configuration of Hypercorn, and what it uses as its h11 connection."""

import re
from collections.abc import Callable
from time import time
from typing import Any
from wsgiref.handlers import format_date_time

import h11
from hypercorn.config import Config

from app.platform.asgi.request_target import with_letters_encoded
from app.platform.asgi.scope import HeaderBlock

KEEP_ALIVE_SECONDS = 20
"""Maximum idle time of a connection. A proxy in front should use a slightly shorter timeout."""

HEAD_SECONDS = 10.0
"""Maximum time for the first complete request head on a new connection."""

WRITE_SECONDS = 20.0
"""Maximum time for which a client may read nothing of what is sent to it."""


class FrontConfig(Config):
    """Hypercorn's configuration, with what the front adds."""

    def __init__(self) -> None:
        super().__init__()
        self.keep_alive_timeout = KEEP_ALIVE_SECONDS
        self.head_timeout = HEAD_SECONDS
        self.write_timeout = WRITE_SECONDS
        self.draining = False
        """Whether every response asks its client to disconnect."""
        self.log_refusal: Callable[[str | None, int], None] | None = None
        """Logs the peer and the status of what is refused before the application is called."""
        self._second = 0
        self._date = HeaderBlock([])

    def date_block(self) -> HeaderBlock:
        """Return Date, formatted and encoded once per second."""
        second = int(time())
        if second != self._second:
            self._second = second
            self._date = HeaderBlock([(b"date", format_date_time(second).encode())])
        return self._date


_PREFACE = (b"PRI", b"*", b"2.0")
_SWITCHES = {b"h2c", b"websocket"}
_EMPTY_LINES = re.compile(rb"(?:\r?\n)+")
_MAX_BODY_BYTES = 64 * 1024
"""A longer body is not read after the response, so that no request can follow."""

_REQUEST_TIMEOUT = 408


class StrictConnection:
    """The part of h11's interface that Hypercorn uses, with one h11 connection for each request.

    It refuses what proxies may read in another way, and HTTP/2. It encodes the letters of targets,
    reads the rest of a short body after the response, and ignores what follows the last request.
    """

    def __init__(self, config: FrontConfig) -> None:
        self.peer: str | None = None
        self._config = config
        self.is_over = False
        """Whether no request can follow; what was received after the last one is ignored."""
        self.is_interrupted = False
        """Whether Hypercorn has stopped before the end of what was received: its stream ended."""
        self._begin(b"")

    def _begin(self, received: bytes) -> None:
        self._h11 = h11.Connection(
            h11.SERVER, max_incomplete_event_size=self._config.h11_max_incomplete_size
        )
        self._received = received
        self._head = bytearray()
        """What h11 has of the head."""
        self._is_begun = self._is_discarding = False
        self._body_bytes = 0
        """What is announced or received of the body, whichever is more."""
        self._received_bytes = 0

    @property
    def is_at_rest(self) -> bool:
        """Whether the next bytes begin a request."""
        return self._h11.their_state is h11.IDLE and not (self._received or self._head)

    @property
    def is_receiving(self) -> bool:
        """Whether a part of a body is still to arrive."""
        return self._h11.their_state is h11.SEND_BODY

    @property
    def our_state(self) -> Any:
        """The state of the response."""
        return self._h11.our_state

    @property
    def their_state(self) -> Any:
        """The state of the request; a response ends it."""
        is_answered = self.is_receiving and self._h11.our_state is h11.DONE
        return h11.DONE if is_answered and not self._is_long else self._h11.their_state

    @property
    def they_are_waiting_for_100_continue(self) -> bool:
        """Whether the client waits before it sends a body."""
        return self._h11.they_are_waiting_for_100_continue

    @property
    def trailing_data(self) -> tuple[bytes, bool]:
        """What was received after the request."""
        return self._h11.trailing_data

    def receive_data(self, data: bytes) -> None:
        """Add what the client has sent; nothing continues after an interruption."""
        if not data:
            return
        if self._h11.their_state is not h11.IDLE:
            self._h11.receive_data(data)
        elif self._head:
            self._head += data
            self._h11.receive_data(data)
        else:
            self._received += data

    def start_next_cycle(self) -> None:
        """Wait for the next request, or for the rest of the body before it."""
        if self.is_receiving:
            self._is_discarding = True
        else:
            self._begin(self._h11.trailing_data[0])

    def next_event(self) -> Any:
        """Return the next event; raises RemoteProtocolError for a refused request."""
        self.is_interrupted = False
        event = self._next_event()
        self.is_interrupted = isinstance(event, h11.Data | h11.EndOfMessage)
        if isinstance(event, h11.Data):
            self._count(event)
        return event

    def _next_event(self) -> Any:
        if self.is_over:
            return h11.ConnectionClosed()
        if self._is_discarding and (event := self._discard()) is not None:
            return event
        if self._h11.their_state is h11.IDLE:
            return self._next_request()
        if self._h11.their_state is h11.MUST_CLOSE and self._h11.trailing_data[0]:
            return h11.PAUSED  # h11 would refuse what follows, and answer 400 for the last request
        return self._h11.next_event()

    def send(self, event: Any) -> bytes | None:
        """Return the bytes of a part of the response; the last one of a connection says so."""
        if isinstance(event, h11.Response):
            if not self._is_begun and self._config.log_refusal is not None:
                self._config.log_refusal(self.peer, event.status_code)
            if self._ends_with(event):
                event = h11.Response(
                    status_code=event.status_code,
                    headers=[*event.headers, (b"connection", b"close")],
                )
        data: bytes | None = self._h11.send(event)
        return data

    def _ends_with(self, response: h11.Response) -> bool:
        """Return whether no request follows a response: the rest of the body is long, or late."""
        is_late = response.status_code == _REQUEST_TIMEOUT
        ends = self._config.draining or (self.is_receiving and (self._is_long or is_late))
        return ends and (b"connection", b"close") not in response.headers

    @property
    def _is_long(self) -> bool:
        return self._body_bytes > _MAX_BODY_BYTES

    def _count(self, data: h11.Data) -> None:
        self._received_bytes += len(data.data)
        self._body_bytes = max(self._body_bytes, self._received_bytes)

    def _discard(self) -> Any:
        """Read the rest of a body; return what stands in the way of the next request, or None."""
        while isinstance(event := self._h11.next_event(), h11.Data):
            self._count(event)
            if self._is_long:
                _refuse("The rest of the body is too long.")
        if not isinstance(event, h11.EndOfMessage):
            return event
        self._begin(self._h11.trailing_data[0])
        return None

    def _next_request(self) -> Any:
        if self._received:
            if empty := _EMPTY_LINES.match(self._received):  # RFC 9112, section 2.2
                self._received = self._received[empty.end() :]
            if self._is_line_awaited():
                return h11.NEED_DATA
            received, self._received = with_letters_encoded(self._received), b""
            self._head += received
            self._h11.receive_data(received)
        event = self._h11.next_event()
        if isinstance(event, h11.Request):
            self._check(event, self._head[: len(self._head) - len(self._h11.trailing_data[0])])
            self._is_begun = True
            headers = dict(event.headers)
            self._body_bytes = int(headers.get(b"content-length", 0))
            return _without_switch(event) if b"upgrade" in headers else event
        return event

    def _is_line_awaited(self) -> bool:
        """Return whether h11 cannot decide without more of the first line."""
        received = self._received
        if received in (b"", b"\r"):
            return True
        is_wrong = received[0] <= ord(" ") or len(received) > self._config.h11_max_incomplete_size
        return b"\n" not in received and not is_wrong

    def _check(self, request: h11.Request, head: bytearray) -> None:
        if b"\n " in head or b"\n\t" in head:
            _refuse("A header line must not continue on the next line.")
        if request.http_version < b"1.1" and b"transfer-encoding" in dict(request.headers):
            _refuse("HTTP/1.0 does not support Transfer-Encoding.")
        if (request.method, request.target, request.http_version) == _PREFACE:
            _refuse("HTTP/2 is not supported.")


def _refuse(reason: str) -> None:
    raise h11.RemoteProtocolError(reason, error_status_hint=400)


def _without_switch(request: h11.Request) -> h11.Request:
    """Return a request whose offers of h2c and of a WebSocket end with a comma.

    As lists they mean the same, and Hypercorn leaves them to the application.
    """
    headers = [
        (name, value + b"," if name == b"upgrade" and value.lower() in _SWITCHES else value)
        for name, value in request.headers
    ]
    return h11.Request(
        method=request.method,
        target=request.target,
        headers=headers,
        http_version=request.http_version,
    )
