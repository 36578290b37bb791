"""Entity tags: comparison with If-None-Match."""

from __future__ import annotations

from werkzeug.http import parse_etags


def etag_matches(etag: str, if_none_match: str | None) -> bool:
    """Return whether If-None-Match lists this entity tag, by weak comparison (RFC 9110).

    >>> etag_matches("a1", '"zz", W/"a1"'), etag_matches("a1", "*"), etag_matches("a1", None)
    (True, True, False)
    """
    return bool(if_none_match) and parse_etags(if_none_match).contains_weak(etag)
