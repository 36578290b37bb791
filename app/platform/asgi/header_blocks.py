"""Header blocks: headers that many responses share, encoded as lines of HTTP/1 once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from app.platform.asgi.scope import Headers

Header = tuple[bytes, bytes]

_CONNECTION_HEADERS = frozenset({b"connection", b"trailer", b"transfer-encoding"})
"""Headers on which the connection depends, so that the HTTP library has to send them."""


class EncodedHeaders(NamedTuple):
    """Headers as lines of HTTP/1, and the length of the body if they state it."""

    lines: bytes
    content_length: bytes | None


class HeaderBlock:
    """Some headers of a response. Do not mutate them, as their lines are made once."""

    __slots__ = ("_encoded", "_is_encoded", "headers")

    def __init__(self, headers: Headers) -> None:
        self.headers = headers
        self._is_encoded = False
        self._encoded: EncodedHeaders | None = None

    def encoded(self) -> EncodedHeaders | None:
        """Return the headers as lines, or None if the HTTP library has to send them.

        It has to if they concern the connection, or if a value would break its line.
        """
        if not self._is_encoded:
            self._encoded, self._is_encoded = _encoded(self.headers), True
        return self._encoded


class HeaderBlocks:
    """The headers of a response, in blocks; an ASGI server sees them one after the other."""

    __slots__ = ("blocks",)

    def __init__(self, *blocks: HeaderBlock) -> None:
        self.blocks = blocks

    def __iter__(self) -> Iterator[Header]:
        return chain.from_iterable([block.headers for block in self.blocks])


def with_blocks(headers: Iterable[Header], *added: HeaderBlock) -> HeaderBlocks:
    """Return the headers of a response with more blocks of them.

    >>> shared = HeaderBlocks(HeaderBlock([(b"a", b"1")]))
    >>> list(with_blocks(shared, HeaderBlock([(b"b", b"2")]))), list(shared)
    ([(b'a', b'1'), (b'b', b'2')], [(b'a', b'1')])
    """
    return HeaderBlocks(*blocks_of(headers), *added)


def blocks_of(headers: Iterable[Header]) -> tuple[HeaderBlock, ...]:
    """Return the blocks of headers; of others than `HeaderBlocks`, all are one block."""
    if isinstance(headers, HeaderBlocks):
        return headers.blocks
    return (HeaderBlock([*headers]),)


def _encoded(headers: Headers) -> EncodedHeaders | None:
    by_name = dict(headers)
    lines = b"".join([b"%b: %b\r\n" % header for header in headers])
    is_plain = lines.count(b"\n") == lines.count(b"\r") == len(headers) and b"\0" not in lines
    if not is_plain or not by_name.keys().isdisjoint(_CONNECTION_HEADERS):
        return None
    return EncodedHeaders(lines, by_name.get(b"content-length"))
