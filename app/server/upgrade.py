"""The upgrade from HTTP/1.1 to HTTP/2 without TLS (RFC 7540, section 3.2)."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable

_SETTING_BYTES = 6


def offers_http2(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Return whether a request offers HTTP/2 with valid settings.

    >>> offers_http2([(b"upgrade", b"h2c"), (b"http2-settings", b"AAMAAABkAAQAAP__")])
    True
    >>> offers_http2([(b"upgrade", b"h2c"), (b"http2-settings", b"%%")])
    False
    """
    lines = list(headers)
    upgrade = [value.lower() for name, value in lines if name == b"upgrade"]
    settings = [value for name, value in lines if name == b"http2-settings"]
    return upgrade == [b"h2c"] and len(settings) == 1 and decoded(settings[0]) is not None


def decoded(settings: bytes) -> bytes | None:
    """Decode an HTTP2-Settings header to the payload of a SETTINGS frame; None if invalid."""
    try:
        payload = base64.b64decode(padded(settings), altchars=b"-_", validate=True)
    except binascii.Error:
        return None
    return payload if len(payload) % _SETTING_BYTES == 0 else None


def padded(settings: bytes) -> bytes:
    """Return the header value with the base64 padding that clients may omit.

    >>> padded(b"AAM"), padded(b"AAMA")
    (b'AAM=', b'AAMA')
    """
    bare = settings.rstrip(b"=")
    return bare + b"=" * (-len(bare) % 4)
