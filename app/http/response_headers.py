"""Hooks for every request and response: URL validation, CORS and security headers."""

from __future__ import annotations

import re
from typing import cast
from urllib.parse import unquote_to_bytes

from hypercorn.typing import Scope
from quart import Quart, Response, request
from werkzeug.exceptions import NotFound

from app.asgi.caching import is_private
from app.asgi.conditional_requests import ENTITY_HEADERS, etag_matches
from app.asgi.refusal import raise_refusal
from app.http import legacy
from app.http.csrf import may_send_leads
from app.limits.rate_limits import LEADS_PATHS
from app.partner.paths import is_partner_path
from app.services import services
from knowledge.errors import InvalidArgument
from llms.well_known import link_header

_BROKEN_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
PAGE_POLICY = (
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' https:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Pages may load their own styles and fonts, and images over https, but no scripts.

`connect-src` is for tools that fetch robots.txt from within the page, as Lighthouse does.
"""

_EXPOSED = (
    "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy, Retry-After, "
    "ETag, Link, Deprecation, Sunset, X-Request-Id"
)


def install(app: Quart) -> None:
    """Register the hooks."""
    app.before_request(_raise_refusal)
    app.before_request(_refuse_malformed_url)
    app.after_request(_add_headers)


async def _raise_refusal() -> None:
    raise_refusal()


async def _refuse_malformed_url() -> None:
    for part in (_raw_path(), request.query_string):
        error = url_problem(part)
        if error is not None:
            raise error
    if _CONTROL.search(request.scope["path"]):  # else the router ignores a trailing line break
        problem = "its path contains a control character"
        raise InvalidArgument("URL", problem, "text without control characters")
    if request.scope["path"].startswith("//"):  # else the router strips slashes and matches
        raise NotFound


def url_problem(part: bytes) -> InvalidArgument | None:
    """Return the error of a raw path or query, or None."""
    decoded = unquote_to_bytes(part)
    if _BROKEN_ESCAPE.search(part) or not _is_utf8(decoded):
        problem = "its percent-encoding is malformed"
        return InvalidArgument("URL", problem, "percent-encoded UTF-8")
    if b"\0" in decoded:
        problem = "it contains a NUL character"
        return InvalidArgument("URL", problem, "text without NUL characters")
    return None


def _raw_path() -> bytes:
    return request.scope["raw_path"]


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


async def _add_headers(response: Response) -> Response:
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "strict-origin-when-cross-origin"
    public_url = services().settings.public_url
    response.headers.add("Link", link_header(public_url))
    if public_url.startswith("https:"):
        response.headers["Strict-Transport-Security"] = "max-age=31536000"
    if (response.content_type or "").startswith("text/html"):
        response.headers["Content-Security-Policy"] = PAGE_POLICY
    if not (is_private(cast(Scope, request.scope)) or is_partner_path(request.path)):
        _allow_cross_origin(response)
    legacy.mark(response, _raw_path().decode("ascii", "replace"))
    return _not_modified_if_current(response)


def _not_modified_if_current(response: Response) -> Response:
    """Turn a 200 into a 304 if the client sent its entity tag in If-None-Match."""
    etag, _ = response.get_etag()
    if_none_match = request.headers.get("If-None-Match")
    if response.status_code == 200 and etag and etag_matches(etag, if_none_match):
        response.status_code = 304
        response.set_data(b"")
        for name in ENTITY_HEADERS:
            response.headers.pop(name.decode(), None)
    return response


def _allow_cross_origin(response: Response) -> None:
    """Add the CORS headers: scripts of any origin may read public responses.

    On the paths for leads, origins that may not send leads get no CORS headers, so that
    browsers block the request.
    """
    if request.path in LEADS_PATHS:
        response.vary.add("Origin")
        if not may_send_leads():
            return
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Access-Control-Expose-Headers"] = _EXPOSED
    if request.method == "OPTIONS" and response.status_code == 200:
        response.status_code = 204
        del response.headers["Content-Type"], response.headers["Content-Length"]
        response.headers["Access-Control-Allow-Methods"] = response.headers["Allow"]
        response.headers["Access-Control-Allow-Headers"] = "*"
        response.headers["Access-Control-Max-Age"] = "86400"
