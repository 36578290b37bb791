"""Cached responses: the entries of the response cache."""

from __future__ import annotations

from dataclasses import dataclass

from hypercorn.typing import HTTPResponseBodyEvent, HTTPResponseStartEvent

from app.asgi.caching import is_storable
from app.asgi.scope import Headers

Key = tuple[bytes, bytes, str | None, str]
"""Raw path, part of the query that the route reads, media type, and content coding."""

_OVERHEAD_BYTES = 2_048
"""Estimated memory of an entry besides its body and key: headers, messages, bookkeeping."""

_NO_BODY = HTTPResponseBodyEvent(type="http.response.body", body=b"", more_body=False)


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """A complete response as ASGI messages. The messages are shared; do not mutate them."""

    start: HTTPResponseStartEvent
    body: HTTPResponseBodyEvent
    is_shareable: bool
    """Whether its Cache-Control lets other clients have it."""

    size: int
    """Estimated memory in bytes."""

    def messages(self, method: str) -> tuple[HTTPResponseStartEvent, HTTPResponseBodyEvent]:
        """Return the messages for GET or HEAD."""
        return self.start, _NO_BODY if method == "HEAD" else self.body


def cached_response(key: Key, headers: Headers, body: bytes) -> CachedResponse | None:
    """Create the entry of a 200 response, or return None if it has no entity tag."""
    by_name = dict(headers)
    if b"etag" not in by_name:
        return None
    return CachedResponse(
        HTTPResponseStartEvent(type="http.response.start", status=200, headers=headers),
        HTTPResponseBodyEvent(type="http.response.body", body=body, more_body=False),
        is_storable(by_name.get(b"cache-control", b"")),
        len(body) + len(key[0]) + len(key[1]) + _OVERHEAD_BYTES,
    )
