"""Conditional requests: If-None-Match, and the headers that a 304 leaves out.

`app.http.response_headers` sends the 304 for computed responses, `app.cache.cached_response` for
cached ones.
"""

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
"""Headers that describe the body of a 200; a 304 has no body."""


def etag_matches(etag: str, if_none_match: str | None) -> bool:
    """Return whether If-None-Match lists this entity tag, by weak comparison (RFC 9110).

    >>> etag_matches("a1", '"zz", W/"a1"'), etag_matches("a1", "*"), etag_matches("a1", None)
    (True, True, False)
    """
    return bool(if_none_match) and parse_etags(if_none_match).contains_weak(etag)
