"""Cache tags: what a CDN may store, and the names by which it drops what an edit changed.

A response has readable tags, by which operators may purge: its page, the kind of its documents,
and its locale. It has `all` too, and a short digest of each key that it was made from; an edit
purges the digests of the keys that it touched. What was made from too much for so many tags, or
from all content, has the tag `edition`, which each edit purges.

`CDN-Cache-Control` is that of RFC 9213; CDNs have agreed on `Cache-Tag` without one.
"""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b
from urllib.parse import quote

from quart import Quart, Response, request

from app.features.changes.settings import CDN
from app.platform.asgi.caching import Caching, is_storable
from app.web.http.responses import has_one_form
from knowledge.addresses.addresses import parse_address, split_locale
from knowledge.edits.reads import EDITION, Key, reads_so_far
from knowledge.fields.content_types import ContentType
from knowledge.views.content_view import SharedKey
from knowledge.views.edit_effects import Touched

ALL = "all"
"""The tag of every response."""

_DIGEST_BYTES = 3
"""Two keys with the same digest purge each other's responses, which is rare and harmless."""

_MOST_TAGS = 200
"""Of keys; more make `edition`, so that the headers of a response stay short."""

_MOST_PURGED = 200
"""Tags of a purge; more make `all`."""

_LONGEST_PATH = 256
_FORMS = (".md", ".json")


def response_tags(path: str, reads: Iterable[Key] | None) -> list[str]:
    """Return the tags of the response at a path; `reads` is None if they are not known."""
    return [ALL, *_readable(path), *_of_reads(reads)]


def purge_tags(touched: Touched) -> list[str]:
    """Return the tags whose responses an edit may have changed."""
    tags = sorted(set(map(_of_key, touched.keys)))
    return [ALL] if touched.everything or len(tags) > _MOST_PURGED else tags


def _readable(path: str) -> Iterator[str]:
    """Yield the tags of a page, the same for all its forms.

    >>> list(_readable("/sa/en/blog/x.md"))
    ['page:/sa/en/blog/x', 'kind:post', 'locale:en-SA']
    >>> list(_readable("/llms.txt"))
    ['page:/llms%2Etxt']
    """
    for form in _FORMS:
        path = path.removesuffix(form)
    escaped = quote(path, safe="/").replace(".", "%2E").replace("~", "%7E")
    if len(escaped) <= _LONGEST_PATH:
        yield f"page:{escaped}"
    locale, rest = split_locale(path)
    address = parse_address(rest) if locale else None
    if address is not None:
        yield from (f"kind:{kind.singular}" for kind in address.page.content_types)
    if locale is not None:
        yield f"locale:{locale.tag}"


def _of_reads(reads: Iterable[Key] | None) -> list[str]:
    if reads is None:
        return [EDITION]
    tags = sorted(set(map(_of_key, reads)))
    return [EDITION] if EDITION in tags or len(tags) > _MOST_TAGS else tags


@lru_cache(maxsize=65_536)
def _of_key(key: Key) -> str:
    """Return the tag of a key, the same in all processes."""
    if key == EDITION:
        return EDITION
    digest = blake2b(_name(key).encode(), digest_size=_DIGEST_BYTES).digest()
    return b32encode(digest).decode().rstrip("=").lower()  # CDNs ignore case


def _name(key: Key) -> str:
    """Return the text of a key, without what differs between processes.

    >>> from knowledge.fields.content_types import POST
    >>> _name((POST, "stock"))
    'post stock'
    """
    if isinstance(key, tuple):
        return " ".join(map(_name, key))
    if isinstance(key, ContentType):
        return key.singular
    if isinstance(key, SharedKey):
        return f"{key.function.__module__}.{key.function.__qualname__} {key.locale.path}"
    return str(key)


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
