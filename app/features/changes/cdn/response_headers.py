"""CDNs: what a content delivery network may keep, and under which tags.

`CDN-Cache-Control` is that of RFC 9213; CDNs have agreed on `Cache-Tag` without one.
"""

from __future__ import annotations

from quart import Quart, Response, request

from app.features.changes.cdn.cache_tags import ALL, response_tags
from app.features.changes.settings import CDN
from app.platform.asgi.caching import Caching, is_storable
from app.web.http.responses import has_one_form
from knowledge.edits.reads import EDITION, reads_so_far

HEADER = "CDN-Cache-Control"
TAGS_HEADER = "Cache-Tag"

_HEAD_BYTES = 2_600
"""Of the 4 KiB that proxies read of a response head. The layers around the application add to it:
encoding, entity tag, rate limits, request ID."""


def install(app: Quart, cdn: CDN) -> None:
    """Add the headers to all responses of the application, once their Cache-Control is final.

    Without a CDN nothing is installed.
    """
    if cdn == "off":
        return

    async def add_headers(response: Response) -> Response:
        policy = _policy(cdn, request.path, response)
        response.headers[HEADER] = policy
        if policy != Caching.NEVER:
            response.headers[TAGS_HEADER] = _tags(request.path, response)
        return response

    app.after_request(add_headers)


def _tags(path: str, response: Response) -> str:
    """Return the tags of a response; only the widest ones if its head would become too long."""
    tags = ",".join(response_tags(path, reads_so_far()))
    head = sum(len(f"{name}: {value}\r\n") for name, value in response.headers.items())
    return tags if len(tags) + head <= _HEAD_BYTES else f"{ALL},{EDITION}"


def _policy(cdn: CDN, path: str, response: Response) -> str:
    """Return what a CDN may do with a response.

    One for a single reader is never kept, nor one of the API, which counts requests.
    """
    policy = response.headers.get("Cache-Control", Caching.NEVER)
    if path.startswith("/api/"):
        return Caching.NEVER
    if cdn == "vary" and policy == Caching.NEGOTIATED:
        return Caching.PUBLIC
    is_kept = policy != Caching.SUGGESTING and is_storable(policy.encode())
    form = (path, response.status_code, response.mimetype or "", policy)
    if is_kept and (cdn == "vary" or has_one_form(*form)):
        return policy
    return Caching.NEVER
