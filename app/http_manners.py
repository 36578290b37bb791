"""What holds for every exchange: well-formed URLs in, CORS and nosniff out."""

from __future__ import annotations

import re

from quart import Quart, Response, request

from app import legacy
from knowledge.errors import InvalidArgument

_BROKEN_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")
_PUBLIC = "/api/"
_EXPOSED = (
    "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy, Retry-After, "
    "ETag, Link, Deprecation, Sunset"
)


def install(app: Quart) -> None:
    """Hook the manners into the application."""
    app.before_request(_refuse_malformed_url)
    app.after_request(_finish)


async def _refuse_malformed_url() -> None:
    for part in (_raw_path(), request.query_string):
        if _BROKEN_ESCAPE.search(part) or not _is_utf8(part):
            raise InvalidArgument("URL", "its percent-encoding is malformed", "UTF-8, encoded")


def _raw_path() -> bytes:
    raw: bytes = request.scope.get("raw_path") or request.path.encode()
    return raw.partition(b"?")[0]


def _is_utf8(part: bytes) -> bool:
    try:
        unescaped = re.sub(rb"%([0-9A-Fa-f]{2})", lambda m: bytes.fromhex(m[1].decode()), part)
        unescaped.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in unescaped


async def _finish(response: Response) -> Response:
    response.headers["X-Content-Type-Options"] = "nosniff"
    if request.path.startswith(_PUBLIC):
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Expose-Headers"] = _EXPOSED
        if request.method == "OPTIONS":
            response.headers["Access-Control-Allow-Methods"] = "GET, HEAD, OPTIONS"
            response.headers["Access-Control-Allow-Headers"] = "*"
            response.headers["Access-Control-Max-Age"] = "86400"
    return legacy.mark(response, _raw_path().decode("ascii", "replace"))
