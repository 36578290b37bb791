"""Conditional requests: whether a client has an answer already, and what a 304 leaves out."""

from __future__ import annotations

from werkzeug.http import parse_etags

ENTITY_HEADERS = frozenset(
    {
        b"content-encoding",
        b"content-language",
        b"content-length",
        b"content-signal",
        b"content-type",
        b"last-modified",
        b"x-markdown-tokens",
    }
)
"""What describes the bytes of a 200; a 304 has no bytes to describe."""


def etag_matches(etag: str, if_none_match: str | None) -> bool:
    """Whether the client named this entity tag, compared weakly as RFC 9110 wants.

    >>> etag_matches("a1", '"zz", W/"a1"'), etag_matches("a1", "*"), etag_matches("a1", None)
    (True, True, False)
    """
    return bool(if_none_match) and parse_etags(if_none_match).contains_weak(etag)
