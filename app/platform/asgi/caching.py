"""Caching of responses: `Cache-Control`, entity tags, byte ranges, and content encodings."""

import gzip
import re
import sys
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NamedTuple

import brotli
from werkzeug.http import parse_accept_header, parse_date, parse_etags

from app.platform.asgi.scope import RequestHeaders
from knowledge.resources.errors import MajlisError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


class Caching(StrEnum):
    """The values of Cache-Control that responses use."""

    PUBLIC = "public, max-age=60, stale-while-revalidate=300"
    NEGOTIATED = "private, max-age=300"
    SUGGESTING = "private, max-age=0, must-revalidate"
    PRESENT = SUGGESTING
    """Of what tells the present state of something: only the cache of the service keeps it."""
    PERSONAL = "private, no-store"
    NEVER = "no-store"
    REVALIDATED = "private, no-cache"
    HOUR = "public, max-age=3600"
    ASSET = "public, max-age=3600, stale-while-revalidate=86400"
    FOREVER = "public, max-age=31536000, immutable"


_IN_THE_KEY = {Caching.NEGOTIATED.encode(), Caching.SUGGESTING.encode()}
_NOT_SHARED = {b"private", b"no-store", b"no-cache"}


def is_storable(cache_control: bytes) -> bool:
    """Return whether a response with this Cache-Control may be shared between clients.

    Only `public` allows it. NEGOTIATED and SUGGESTING are the exceptions: they are private because
    shared caches ignore Vary, while the key of the response cache contains the chosen media type
    and the suggested locale.

    >>> is_storable(b"public, max-age=60"), is_storable(b"private, no-cache"), is_storable(b"")
    (True, False, False)
    """
    if cache_control in _IN_THE_KEY:
        return True
    directives = {directive.strip() for directive in cache_control.lower().split(b",")}
    return b"public" in directives and directives.isdisjoint(_NOT_SHARED)


def lists_tag(if_none_match: str, etag: str) -> bool:
    """Return whether If-None-Match lists an entity tag; they are compared weakly (RFC 9110).

    >>> lists_tag('"zz", W/"a1"', "a1"), lists_tag("*", "a1"), lists_tag("", "a1")
    (True, True, False)
    """
    return parse_etags(if_none_match).contains_weak(etag)


def is_not_modified(headers: RequestHeaders, etag: str, last_modified: str | None) -> bool:
    """Return whether the client has the current response.

    If-None-Match decides alone if it is there (RFC 9110, section 13.1.3).

    >>> date = "Wed, 04 Mar 2026 05:06:07 GMT"
    >>> is_not_modified({b"if-modified-since": date.encode()}, "a1", date)
    True
    >>> is_not_modified({b"if-modified-since": date.encode(), b"if-none-match": b'"b"'}, "a1", date)
    False
    """
    if b"if-none-match" in headers:
        return lists_tag(headers[b"if-none-match"].decode("latin-1"), etag)
    since = parse_date(headers.get(b"if-modified-since", b"").decode("latin-1"))
    modified = parse_date(last_modified)
    return since is not None and modified is not None and modified <= since


MIN_BYTES = 256
"""Smaller bodies do not shrink enough to be worth it."""

_ENCODERS: Mapping[str, Callable[[bytes, bool], bytes]] = {
    "br": lambda body, fast: brotli.compress(body, quality=1 if fast else 5),
    # Windows of at most 2 MiB; RFC 9659: 8.
    "zstd": lambda body, fast: zstd.compress(body, level=1 if fast else 6),
    "gzip": lambda body, fast: gzip.compress(body, compresslevel=1 if fast else 6, mtime=0),
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


def encode(body: bytes, coding: str, *, fast: bool = False) -> bytes:
    """Encode a body with a coding returned by `choose`; `fast` is for a body that is sent once."""
    return body if coding == IDENTITY else _ENCODERS[coding](body, fast)


def coded_tag(tag: str, coding: str) -> str:
    """Return the entity tag of a body in a content coding."""
    return tag if coding == IDENTITY else f"{tag}-{coding}"


_RANGE = re.compile(r"([0-9]{0,99})-([0-9]{0,99})")


class RangeNotSatisfiable(MajlisError):
    """The range begins behind the end of the body."""

    status = 416

    def __init__(self, size: int) -> None:
        super().__init__(
            f"The body has only {size} bytes.",
            "Ask for a range within them.",
            {"Content-Range": f"bytes */{size}"},
        )


class BodyPart(NamedTuple):
    """The bytes of a body from `start` up to, but without, `stop`."""

    start: int
    stop: int

    def content_range(self, size: int) -> str:
        """Return the Content-Range of a body of so many bytes.

        >>> BodyPart(0, 500).content_range(1234)
        'bytes 0-499/1234'
        """
        return f"bytes {self.start}-{self.stop - 1}/{size}"


def requested_part(
    headers: RequestHeaders, size: int, etag: str, last_modified: str | None
) -> BodyPart | None:
    """Return the part of a body that a GET asks for, or None for all of it.

    All of it answers several ranges, malformed ones, and those of another unit or version
    (If-Range). Raises RangeNotSatisfiable.
    """
    unit, _, ranges = headers.get(b"range", b"").decode("latin-1").partition("=")
    # If-Range is compared exactly, so that weak tags do not match.
    expected = headers.get(b"if-range", b"").decode("latin-1").strip()
    if unit.strip().lower() != "bytes" or expected not in ("", f'"{etag}"', last_modified):
        return None
    listed = [each for each in map(str.strip, ranges.split(",")) if each]
    match = _RANGE.fullmatch(listed[0]) if len(listed) == 1 else None
    return _part(match[1], match[2], size) if match else None


def _part(first: str, last: str, size: int) -> BodyPart | None:
    """Return a part by the two numbers of a range; None if they are malformed."""
    if not first and not last:
        return None
    if not first:  # the last so many bytes
        start, stop = max(0, size - int(last)), size
    elif last and int(last) < int(first):
        return None
    else:
        start, stop = int(first), min(size, int(last) + 1 if last else size)
    if start >= size:
        raise RangeNotSatisfiable(size)
    return BodyPart(start, stop)
