"""Framing: requests that another server in the chain may read differently are refused."""

from __future__ import annotations

from collections.abc import Iterable

Headers = Iterable[tuple[bytes, bytes]]


def is_ambiguous(http_version: str, headers: Headers) -> bool:
    """Return whether a request of HTTP/1 has not one host, or more than one framing.

    >>> is_ambiguous("1.1", [(b"host", b"x")]), is_ambiguous("1.1", [])
    (False, True)
    >>> is_ambiguous("1.0", [(b"transfer-encoding", b"chunked")])
    True
    """
    names = [name for name, _ in headers]
    hosts = names.count(b"host")
    if b"transfer-encoding" in names and (http_version < "1.1" or b"content-length" in names):
        return True
    return hosts > 1 or (not hosts and http_version >= "1.1")
