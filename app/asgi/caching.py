"""Caching: who may keep an answer, and which answers the response cache may give to others."""

from __future__ import annotations

from enum import StrEnum

from hypercorn.typing import Scope

from app.asgi.scope import scope_state

_PRIVATE = "majlis.private"


class Caching(StrEnum):
    """Who may keep an answer, and how long."""

    PUBLIC = "public, max-age=60, stale-while-revalidate=300"
    NEGOTIATED = "private, max-age=300"
    PERSONAL = "private, no-store"
    NEVER = "no-store"
    REVALIDATED = "private, no-cache"
    ASSET = "public, max-age=3600, stale-while-revalidate=86400"
    FOREVER = "public, max-age=31536000, immutable"


_REFUSING = {b"private", b"no-store", b"no-cache"}


def is_storable(cache_control: bytes) -> bool:
    """Whether an answer with this Cache-Control may be given to other readers.

    Only `public` allows it. NEGOTIATED is the one exception: it is private because shared caches
    ignore Vary, while the response cache has the chosen form in its key.

    >>> is_storable(b"public, max-age=60"), is_storable(b"private, no-cache"), is_storable(b"")
    (True, False, False)
    """
    if cache_control == Caching.NEGOTIATED.encode():
        return True
    directives = {each.strip() for each in cache_control.lower().split(b",")}
    return b"public" in directives and directives.isdisjoint(_REFUSING)


def keep_private(scope: Scope) -> None:
    """Note on a request that nobody else may have its answer, whatever its headers say."""
    scope_state(scope)[_PRIVATE] = True


def is_private(scope: Scope) -> bool:
    """Whether nobody else may have the answer to a request."""
    return _PRIVATE in scope_state(scope)
