"""Request heads: parses those of plain reads with httptools, and leaves all others to h11.

A plain read is a GET or HEAD in HTTP/1.1 without a body that changes nothing about the connection.
What is parsed here is what h11 would return; whatever might differ, or be refused, is left to it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

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
_OTHERS = frozenset({b"content-length", b"expect", b"transfer-encoding", b"upgrade"})
"""Headers for which there is more to do than to respond."""


def with_letters_encoded(received: bytes) -> bytes:
    r"""Return what was received of a head, with the letters of its target percent-encoded.

    Parsers would refuse them without a word.

    >>> with_letters_encoded("GET /?q=é HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    b'GET /?q=%C3%A9 HTTP/1.1\r\nHost: x\r\n\r\n'
    """
    line = None if received.isascii() else _LINE_WITH_LETTERS.match(received)
    if line is None:
        return received
    start, end = line.span("target")
    return received[:start] + encode_letters(line["target"]) + received[end:]


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
