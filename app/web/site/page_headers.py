"""Response headers of pages: caching, robots, and links between representations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from app.platform.asgi.caching import Caching
from knowledge.resources.site_page import PageMeta
from knowledge.views.content_view import absolute
from renderers import pagination
from renderers.representation import MediaType, other_languages

NO_INDEX = "noindex"

_LINKS_BYTES = 2_200
"""What the links of a page may take of a response head, which proxies limit to 4 KiB. All other
headers take less than 1.8 KiB."""


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
    location = absolute("", pagination.representation_path(page, media_type))
    headers = {}
    if not by_suffix and media_type.suffix and len(location) < _LINKS_BYTES:
        headers["Content-Location"] = location
    headers["Link"] = _link_header(page, media_type, offered, sum(map(len, headers.values())))
    if by_suffix:
        headers["X-Robots-Tag"] = NO_INDEX
    elif page.seo.no_index:
        headers["X-Robots-Tag"] = page.seo.robots
    return headers


def _link_header(
    page: PageMeta, media_type: MediaType, offered: Iterable[MediaType], used: int
) -> str:
    """Return the Link header, without what a very long address leaves no room for.

    The HTML head and the front matter of markdown have all links. `used` is the length of what
    other headers say of the address.
    """
    index = f'<{page.view.absolute(page.index_path)}>; rel="describedby"; type="text/markdown"'
    room = _LINKS_BYTES - used - len(index)
    return ", ".join([*_fitting(_links(page, media_type, offered), room), index])


def _fitting(links: Iterable[str], room: int) -> Iterator[str]:
    for link in links:
        room -= len(link)
        if room >= 0:
            yield link


def _links(page: PageMeta, media_type: MediaType, offered: Iterable[MediaType]) -> Sequence[str]:
    """Return the links to other forms of the page, the most important ones first.

    Those to other locales would be dozens: they stand in the HTML head and in the sitemap.
    """
    canonical = f'<{pagination.canonical(page)}>; rel="canonical"'
    if media_type is not MediaType.HTML:
        linked = media_type if media_type.suffix else MediaType.MARKDOWN
        same_format = [
            f'{_alternate(variant.href, linked)}; hreflang="{variant.hreflang}"'
            for variant in other_languages(page, linked)
        ]
        return [canonical, *same_format]
    formats = [
        _alternate(page.view.absolute(pagination.representation_path(page, other)), other)
        for other in offered
        if other.suffix
    ]
    return [canonical, *formats]


def _alternate(url: str, media_type: MediaType) -> str:
    return f'<{url}>; rel="alternate"; type="{media_type}"'
