"""Headers of a page: what each form tells of itself and of the others."""

from __future__ import annotations

from collections.abc import Iterator

from app.asgi.caching import Caching
from knowledge.resources.site_page import PageMeta
from renderers import pagination
from renderers.media_types import MediaType
from renderers.representation_urls import other_languages

_NO_INDEX = "noindex"


def caching(form: MediaType, by_suffix: bool) -> Caching:
    """Shared caches that ignore Vary must never keep a form that not all readers want."""
    return Caching.PUBLIC if by_suffix or form is MediaType.HTML else Caching.NEGOTIATED


def page_headers(page: PageMeta, form: MediaType, by_suffix: bool) -> dict[str, str]:
    """What stands beside the entity headers in the answer for a page."""
    headers = {"Link": ", ".join(_links(page, form))}
    if not by_suffix and form is not MediaType.HTML:
        headers["Content-Location"] = pagination.representation_path(page, form)
    if by_suffix:
        headers["X-Robots-Tag"] = _NO_INDEX
    elif page.seo.no_index:
        headers["X-Robots-Tag"] = page.seo.robots
    return headers


def _links(page: PageMeta, form: MediaType) -> Iterator[str]:
    view = page.view
    yield f'<{pagination.canonical(page)}>; rel="canonical"'
    if form is MediaType.HTML:
        for other in (MediaType.MARKDOWN, MediaType.JSON):
            yield _alternate(view.absolute(pagination.representation_path(page, other)), other)
        for each in pagination.variants(page):
            yield f'<{each.href}>; rel="alternate"; hreflang="{each.hreflang}"'
    else:
        for each in other_languages(page, form):
            yield f'{_alternate(each.href, form)}; hreflang="{each.hreflang}"'
    yield f'<{view.absolute(page.index_path)}>; rel="describedby"; type="{MediaType.MARKDOWN}"'


def _alternate(url: str, form: MediaType) -> str:
    return f'<{url}>; rel="alternate"; type="{form}"'
