"""Parsing of HTTP/1: the heads of plain reads with httptools, and all else strictly with h11.

A plain read is a GET or HEAD in HTTP/1.1 without a body that changes nothing about the connection.
What is parsed here is what h11 would return; whatever might differ, or be refused, is left to it.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import h11
from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser

from app.platform.asgi.request_target import encode_letters

HeaderLines = list[tuple[bytes, bytes]]

READS = (b"GET ", b"HEAD ")
"""What a head that can be parsed begins with."""

END = b"\r\n\r\n"

_REQUEST_LINE = re.compile(rb"(GET|HEAD) ([!-~]+) HTTP/1\.1\r\n")
_LINE_WITH_LETTERS = re.compile(
    rb"[!-~]+ (?P<target>[!-~]*[\x80-\xff][!-~\x80-\xff]*) HTTP/\d\.\d\r?\n"
)
_PREFACE = (b"PRI", b"*", b"2.0")
_FRAMING = {b"content-length", b"transfer-encoding"}
_EMPTY_LINES = re.compile(rb"(?:\r?\n)+")
_OTHERS = frozenset({b"content-length", b"expect", b"transfer-encoding", b"upgrade"})
"""Headers for which there is more to do than to respond."""


class Head(NamedTuple):
    """The head of a plain read."""

    method: str
    target: bytes
    headers: HeaderLines


class HeadParser:
    """Parses one whole head after the other, of any connection."""

    def __init__(self) -> None:
        self._parser = HttpRequestParser(self)
        self._headers: HeaderLines = []
        self._hosts = 0
        self._is_complete = False
        self._is_plain = True

    def parse(self, head: bytes) -> Head | None:
        """Parse a head up to and including its empty line; None if it is for h11."""
        line = _REQUEST_LINE.match(head)
        if line is None or head.count(b"\n") != head.count(b"\r\n"):
            return None
        self._headers, self._hosts = [], 0
        self._is_complete, self._is_plain = False, True
        try:
            self._parser.feed_data(head)
        except (HttpParserError, HttpParserUpgrade):
            self._is_plain = False
        if self._is_plain and self._is_complete and self._hosts == 1:
            method, target = line.groups()
            return Head(method.decode(), target, self._headers)
        self._parser = HttpRequestParser(self)  # its state is that of a message in progress
        return None

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header; called by httptools."""
        name, value = name.lower(), value.strip(b" \t")
        self._headers.append((name, value))
        if name == b"host":
            self._hosts += 1
        elif name in _OTHERS or (name == b"connection" and value.lower() != b"keep-alive"):
            self._is_plain = False

    def on_message_complete(self) -> None:
        """Note the end of the head, which is that of the message; called by httptools."""
        self._is_complete = True


class StrictConnection(h11.Connection):
    """A strict h11 server connection, which refuses the preface of HTTP/2."""

    def __init__(self, max_bytes: int) -> None:
        super().__init__(h11.SERVER, max_incomplete_event_size=max_bytes)
        self.is_over = False
        """Whether no request can follow; what was received after the last one is ignored."""

    def next_event(self) -> Any:
        """Return the next event; raises RemoteProtocolError for a refused request."""
        if self.is_over:
            return h11.ConnectionClosed()
        if self.their_state is h11.MUST_CLOSE and self.trailing_data[0]:
            return h11.PAUSED  # h11 would refuse what follows, and answer 400 for the last request
        if self.their_state is not h11.IDLE:
            return super().next_event()
        received = self.trailing_data[0]
        if empty := _EMPTY_LINES.match(received):  # RFC 9112, section 2.2
            self._receive_buffer.maybe_extract_at_most(empty.end())
            received = received[empty.end() :]
        if received == b"\r":
            return h11.NEED_DATA
        encoded = _with_letters_encoded(received)
        if encoded is not received:
            self._receive_buffer.maybe_extract_at_most(len(received))
            self._receive_buffer += encoded
            received = encoded
        event = super().next_event()
        if type(event) is h11.Request:
            remaining = len(self.trailing_data[0])
            self._check(event, received[: len(received) - remaining])
        return event

    def _check(self, request: h11.Request, head: bytes) -> None:
        if b"\n " in head or b"\n\t" in head:
            _refuse("A header line must not continue on the next line.")
        framing = _FRAMING.intersection(name for name, _ in request.headers)
        if len(framing) == len(_FRAMING):
            _refuse("Content-Length and Transfer-Encoding must not be combined.")
        if b"transfer-encoding" in framing and request.http_version < b"1.1":
            _refuse("HTTP/1.0 does not support Transfer-Encoding.")
        if (request.method, request.target, request.http_version) == _PREFACE:
            _refuse("HTTP/2 is not supported.")


def _refuse(reason: str) -> None:
    raise h11.RemoteProtocolError(reason, error_status_hint=400)


def _with_letters_encoded(received: bytes) -> bytes:
    r"""Return what was received of a head, with the letters of its target percent-encoded.

    Parsers would refuse them without a word.

    >>> _with_letters_encoded("GET /?q=é HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    b'GET /?q=%C3%A9 HTTP/1.1\r\nHost: x\r\n\r\n'
    """
    line = None if received.isascii() else _LINE_WITH_LETTERS.match(received)
    if line is None:
        return received
    start, end = line.span("target")
    return received[:start] + encode_letters(line["target"]) + received[end:]
