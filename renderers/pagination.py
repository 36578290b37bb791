"""Listings: which part of a list of posts or results is shown, and the addresses of that part.

A later part is no copy of the first: it is its own canonical page. A search is none of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from knowledge.addresses import Page
from knowledge.resources.blog import Pagination, PostList
from knowledge.resources.search import SearchResults
from knowledge.resources.seo import Alternate
from knowledge.resources.site_page import PageMeta, PageModel
from renderers.media_types import MediaType
from renderers.representation_urls import suffixed_path


def page_number(page: PageMeta) -> int:
    """Which part of its list a page is; 1 where it is no list."""
    found = _pagination(page)
    return found.page if found else 1


def previous_and_next(page: PageMeta) -> tuple[str | None, str | None]:
    """The paths of the list's previous and next part."""
    found = _pagination(page)
    if found is None:
        return None, None
    before = min(found.page - 1, found.total_pages)
    return (
        page.path + _query(page, before) if found.page > 1 else None,
        page.path + _query(page, found.page + 1) if found.page < found.total_pages else None,
    )


def canonical(page: PageMeta) -> str:
    """The absolute URL under which the page is to be known."""
    return page.seo.canonical + ("" if _search(page) else _query(page, page_number(page)))


def representation_path(page: PageMeta, form: MediaType) -> str:
    """The twin that has what the page shows."""
    return suffixed_path(page.path, form) + _query(page, page_number(page))


def variants(page: PageMeta) -> Sequence[Alternate]:
    """The page in other locales, which split their lists in parts of their own."""
    return () if _query(page, page_number(page)) else page.seo.alternates


def _pagination(page: PageMeta) -> Pagination | None:
    """Where a list of posts or results stands; None for other pages."""
    resource = page.answer.resource if isinstance(page, PageModel) else None
    return resource.pagination if isinstance(resource, (PostList, SearchResults)) else None


def _search(page: PageMeta) -> str:
    return (page.query.search or "") if isinstance(page, PageModel) else ""


def _query(page: PageMeta, part: int) -> str:
    name = "q" if isinstance(page, PageModel) and page.address.page is Page.SEARCH else "search"
    parameters = {name: _search(page), "page": str(part) if part > 1 else ""}
    encoded = urlencode({name: value for name, value in parameters.items() if value})
    return f"?{encoded}" if encoded else ""
