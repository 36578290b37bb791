"""Response headers of pages: caching, robots, and links between representations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.asgi.caching import Caching
from knowledge.resources.site_page import PageMeta
from renderers import pagination
from renderers.media_types import MediaType
from renderers.representation_urls import other_languages

NO_INDEX = "noindex"


def caching(media_type: MediaType, by_suffix: bool) -> Caching:
    """Return the cache policy of a representation.

    At the page's own URL only HTML is public: a shared cache that ignores Vary must not serve
    another media type to a browser.
    """
    return Caching.PUBLIC if by_suffix or media_type is MediaType.HTML else Caching.NEGOTIATED


def page_headers(
    page: PageMeta, media_type: MediaType, by_suffix: bool, offered: Iterable[MediaType]
) -> dict[str, str]:
    """Return the headers of a page other than the entity headers."""
    headers = {"Link": ", ".join(_links(page, media_type, offered))}
    if not by_suffix and media_type.suffix:
        headers["Content-Location"] = pagination.representation_path(page, media_type)
    if by_suffix:
        headers["X-Robots-Tag"] = NO_INDEX
    elif page.seo.no_index:
        headers["X-Robots-Tag"] = page.seo.robots
    return headers


def _links(page: PageMeta, media_type: MediaType, offered: Iterable[MediaType]) -> Sequence[str]:
    view = page.view
    canonical = f'<{pagination.canonical(page)}>; rel="canonical"'
    index = f'<{view.absolute(page.index_path)}>; rel="describedby"; type="{MediaType.MARKDOWN}"'
    if media_type is not MediaType.HTML:
        linked = media_type if media_type.suffix else MediaType.MARKDOWN
        same_format = [
            f'{_alternate(variant.href, linked)}; hreflang="{variant.hreflang}"'
            for variant in other_languages(page, linked)
        ]
        return [canonical, *same_format, index]
    formats = [
        _alternate(view.absolute(pagination.representation_path(page, other)), other)
        for other in offered
        if other.suffix
    ]
    locales = [
        f'<{variant.href}>; rel="alternate"; hreflang="{variant.hreflang}"'
        for variant in pagination.variants(page)
    ]
    return [canonical, *formats, *locales, index]


def _alternate(url: str, media_type: MediaType) -> str:
    return f'<{url}>; rel="alternate"; type="{media_type}"'
