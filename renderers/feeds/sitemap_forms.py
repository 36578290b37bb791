"""The sitemap of the site as markdown, for agents, and as JSON, for programs.

Both have the pages and the parts of the XML, in the same order.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources.site_map import SiteMap, SitemapEntry
from knowledge.views.content_view import absolute
from renderers.feeds.sitemap import DEFAULT_LIMITS, SitemapLimits, part_path, split
from renderers.representation import MediaType, Representation

_TITLE = "# Sitemap\n"


class _Url(NamedTuple):
    """A URL, when its page changed, and its variants by their hreflang tags."""

    url: str
    updated_at: datetime | None
    alternates: Sequence[tuple[str, str]]


def render(
    site_map: SiteMap,
    base_url: str,
    media_type: MediaType,
    number: int | None = None,
    limits: SitemapLimits = DEFAULT_LIMITS,
) -> Representation | None:
    """Render `/sitemap.xml`, or with a number one of its parts; None if there is no such part."""
    parts = split(site_map, base_url, limits)
    if number is None and len(parts) > 1:
        urls = [absolute(base_url, part_path(each)) for each in range(1, len(parts) + 1)]
        if media_type is MediaType.JSON:
            return _json({"sitemaps": urls})
        return _markdown(f"- <{url}>\n" for url in urls)
    if number is not None and (len(parts) == 1 or not 1 <= number <= len(parts)):
        return None
    first = number is None or number == 1
    pages = parts[(number or 1) - 1]
    listed = (*(_unlocalized(site_map, base_url) if first else ()), *_urls(pages, base_url))
    if media_type is MediaType.JSON:
        return _json({"pages": [_fields(each) for each in listed]})
    return _markdown(f"- <{each.url}>{_changed(each)}\n" for each in listed)


def _json(body: object) -> Representation:
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return Representation(MediaType.JSON, text.encode())


def _markdown(lines: Iterable[str]) -> Representation:
    text = f"{_TITLE}\n{''.join(lines)}"
    tokens = estimate_tokens(text)
    return Representation(f"{MediaType.MARKDOWN}; charset=utf-8", text.encode(), tokens=tokens)


def _fields(page: _Url) -> dict[str, object]:
    dated = {"updatedAt": f"{page.updated_at:%Y-%m-%dT%H:%M:%SZ}"} if page.updated_at else {}
    variants = [{"hreflang": tag, "href": url} for tag, url in page.alternates]
    return {"url": page.url, **dated, "alternates": variants}


def _changed(page: _Url) -> str:
    return f", updated {page.updated_at:%Y-%m-%d}" if page.updated_at else ""


def _unlocalized(site_map: SiteMap, base_url: str) -> Iterator[_Url]:
    variants = [(tag, absolute(base_url, path)) for tag, path in site_map.unlocalized_variants]
    for path in site_map.unlocalized:
        yield _Url(absolute(base_url, path), None, variants)


def _urls(pages: Iterable[SitemapEntry], base_url: str) -> Iterator[_Url]:
    for page in pages:
        path = absolute("", page.address.path) if page.address.path else ""
        variants = [(tag, f"{base_url}{locale.path}{path}") for tag, locale in page.hreflangs]
        for locale, updated_at in page.variants:
            yield _Url(f"{base_url}{locale.path}{path}", updated_at, variants)
