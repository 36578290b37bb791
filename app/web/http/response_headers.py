"""Headers of every response: links, security and CORS."""

from __future__ import annotations

from app.platform.asgi.scope import Headers
from app.web.http.route_policy import Cors, RoutePolicy
from llms.well_known import link_header

_EXPOSED = (
    "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit, RateLimit-Policy, "
    "Retry-After, ETag, Link, Deprecation, Sunset, X-Request-Id"
)
ALLOWED_HEADERS = "*, Authorization"
"""The request headers that scripts of other sites may send; `*` does not include Authorization."""

CORS_HEADERS: Headers = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", _EXPOSED.encode()),
]
"""Allow the script that sent a request to read its response."""


_NOT_INDEXED = (b"x-robots-tag", b"noindex")
"""Of the API: search engines are to show pages instead of the bodies that programs read."""


def headers_of(
    policy: RoutePolicy, public_url: str, deprecation: Headers, *, is_api: bool, mcp: bool
) -> Headers:
    """Return the headers of every response to a path.

    `deprecation` has those of an alias, `is_api` says whether it is below `/api/`, and `mcp`
    whether the MCP server runs. Its messages are no documents, so that they have no links.
    """
    headers = [(b"x-content-type-options", b"nosniff")]
    if not policy.is_mcp:
        headers += [
            (b"referrer-policy", b"strict-origin-when-cross-origin"),
            (b"link", link_header(public_url, mcp).encode()),
            *deprecation,
        ]
    if is_api:
        headers.append(_NOT_INDEXED)
    if public_url.startswith("https:"):
        headers.append((b"strict-transport-security", b"max-age=31536000"))
    return headers + CORS_HEADERS if policy.cors is Cors.ANYONE else headers
