"""Plain responses: those with one small body, as the bytes that h11 would send."""

from __future__ import annotations

from hypercorn.typing import HTTPResponseStartEvent

from app.platform.asgi.header_blocks import HeaderBlock, blocks_of
from app.server.output import CHUNK_BYTES

_NO_BODY = frozenset({204, 304})


def response_bytes(
    method: str, start: HTTPResponseStartEvent, body: bytes, added: HeaderBlock
) -> bytes | None:
    r"""Return a response as h11 would send it, or None if h11 has to.

    >>> start = {"status": 200, "headers": [(b"content-length", b"2")]}
    >>> added = HeaderBlock([(b"date", b"now")])
    >>> response_bytes("GET", start, b"hi", added)
    b'HTTP/1.1 200 \r\ncontent-length: 2\r\ndate: now\r\n\r\nhi'
    >>> response_bytes("GET", start, b"longer", added)
    """
    status = start["status"]
    if status < 200 or len(body) > CHUNK_BYTES:
        return None
    parts, length = [b"HTTP/1.1 %d \r\n" % status], None
    for block in (*blocks_of(start["headers"]), added):
        encoded = block.encoded()
        if encoded is None:
            return None
        parts.append(encoded.lines)
        length = encoded.content_length or length
    parts.append(b"\r\n")
    if status in _NO_BODY:
        return b"".join(parts)
    if length != b"%d" % len(body) and (method != "HEAD" or length is None):
        return None
    if method != "HEAD":
        parts.append(body)
    return b"".join(parts)
