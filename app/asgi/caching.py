"""HTTP caching: the values of Cache-Control, and the comparison of entity tags."""

from __future__ import annotations

from enum import StrEnum

from werkzeug.http import parse_etags


class Caching(StrEnum):
    """The values of Cache-Control that responses use."""

    PUBLIC = "public, max-age=60, stale-while-revalidate=300"
    NEGOTIATED = "private, max-age=300"
    SUGGESTING = "private, max-age=0, must-revalidate"
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


def etag_matches(etag: str, if_none_match: str | None) -> bool:
    """Return whether If-None-Match lists this entity tag, by weak comparison (RFC 9110).

    >>> etag_matches("a1", '"zz", W/"a1"'), etag_matches("a1", "*"), etag_matches("a1", None)
    (True, True, False)
    """
    return bool(if_none_match) and parse_etags(if_none_match).contains_weak(etag)
