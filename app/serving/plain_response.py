"""Plain responses: those with one small body, as the bytes that h11 would send."""

from __future__ import annotations

from hypercorn.typing import HTTPResponseStartEvent

from app.serving.heads import HeaderLines
from app.serving.output import CHUNK_BYTES

_FRAMING = frozenset({b"connection", b"trailer", b"transfer-encoding"})
"""Headers on which the connection depends, so that h11 has to send them."""

_NO_BODY = frozenset({204, 304})


def response_bytes(
    method: str, start: HTTPResponseStartEvent, body: bytes, added: HeaderLines
) -> bytes | None:
    r"""Return a response as h11 would send it, or None if h11 has to.

    >>> start = {"status": 200, "headers": [(b"content-length", b"2")]}
    >>> response_bytes("GET", start, b"hi", [(b"date", b"now")])
    b'HTTP/1.1 200 \r\ncontent-length: 2\r\ndate: now\r\n\r\nhi'
    >>> response_bytes("GET", start, b"longer", [])
    """
    status, headers = start["status"], [*start["headers"], *added]
    by_name = dict(headers)
    has_body = method != "HEAD" and status not in _NO_BODY
    if status < 200 or len(body) > CHUNK_BYTES or not _FRAMING.isdisjoint(by_name):
        return None
    length = by_name.get(b"content-length")
    if status not in _NO_BODY and length != b"%d" % len(body) and (has_body or length is None):
        return None
    lines = list(map(b": ".join, headers))
    head = b"HTTP/1.1 %d \r\n%b\r\n\r\n" % (status, b"\r\n".join(lines))
    if not head.count(b"\n") == head.count(b"\r") == len(lines) + 2 or b"\0" in head:
        return None
    return head + body if has_body else head
