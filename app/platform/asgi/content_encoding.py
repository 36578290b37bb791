"""Content codings: brotli, Zstandard and gzip, chosen by Accept-Encoding."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping

import brotli
from backports import zstd
from werkzeug.http import parse_accept_header

MIN_BYTES = 256
"""Smaller bodies do not shrink enough to be worth it."""

_ENCODERS: Mapping[str, Callable[[bytes], bytes]] = {
    "br": lambda body: brotli.compress(body, quality=5),
    "zstd": lambda body: zstd.compress(body, level=6),  # windows of at most 2 MiB; RFC 9659: 8
    "gzip": lambda body: gzip.compress(body, compresslevel=6, mtime=0),
}
CODINGS = tuple(_ENCODERS)
"""The content codings besides identity."""

IDENTITY = "identity"
_TEXTS = frozenset({"application/json", "application/xml"})
_TEXT_SUFFIXES = ("+json", "+xml")


def can_shrink(media_type: str) -> bool:
    """Return whether a media type is worth compressing: text is, other types already are.

    >>> can_shrink("text/html; charset=utf-8"), can_shrink("image/svg+xml")
    (True, True)
    >>> can_shrink("application/pdf"), can_shrink("font/woff2"), can_shrink("image/png")
    (False, False, False)
    """
    bare = media_type.partition(";")[0].strip().lower()
    return bare.startswith("text/") or bare in _TEXTS or bare.endswith(_TEXT_SUFFIXES)


def choose(accept_encoding: str | None) -> str:
    """Return the best accepted coding: among equals brotli, Zstandard, gzip, else identity.

    >>> choose("gzip, deflate, br, zstd"), choose("gzip;q=0.5, zstd"), choose("*;q=0"), choose(None)
    ('br', 'zstd', 'identity', 'identity')
    """
    if not accept_encoding:
        return IDENTITY
    accepted = dict(parse_accept_header(accept_encoding.lower()))
    anything = accepted.get("*", 0)
    qualities = {coding: accepted.get(coding, anything) for coding in _ENCODERS}
    best = max(qualities, key=lambda coding: qualities[coding])
    if qualities[best] == 0 or qualities[best] < accepted.get(IDENTITY, 0):
        return IDENTITY
    return best


def encode(body: bytes, coding: str) -> bytes:
    """Encode a body with a coding returned by `choose`."""
    return body if coding == IDENTITY else _ENCODERS[coding](body)
