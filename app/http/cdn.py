"""CDNs: what a content delivery network may keep, as CDN-Cache-Control (RFC 9213)."""

from __future__ import annotations

from quart import Quart, Response, request

from app.asgi.caching import Caching, is_storable
from app.settings import CDN
from renderers.media_types import MediaType

HEADER = "CDN-Cache-Control"


def install(app: Quart, cdn: CDN) -> None:
    """Add the header to all responses of the application, once their Cache-Control is final.

    Without a CDN nothing is installed.
    """
    if cdn == "off":
        return

    async def add_header(response: Response) -> Response:
        response.headers[HEADER] = _policy(cdn, request.path, response)
        return response

    app.after_request(add_header)


def _policy(cdn: CDN, path: str, response: Response) -> str:
    """Return what a CDN may do with a response; one for a single reader is never kept."""
    policy = response.headers.get("Cache-Control", Caching.NEVER)
    if cdn == "vary" and policy == Caching.NEGOTIATED:
        return Caching.PUBLIC
    is_kept = policy != Caching.SUGGESTING and is_storable(policy.encode())
    if is_kept and (cdn == "vary" or _has_one_form(path, response)):
        return policy
    return Caching.NEVER


def _has_one_form(path: str, response: Response) -> bool:
    """Whether a URL names its format, so that a cache that ignores Vary may keep it."""
    is_named = "." in path.rpartition("/")[2] and not path.startswith("/api/")
    return is_named and response.mimetype != MediaType.HTML
