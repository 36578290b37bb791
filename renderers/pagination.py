"""Pagination: the page number of a list of posts or results, and the URLs of its pages.

Page 2 and later are canonical URLs themselves, because they do not repeat page 1. So is a search,
which search engines are told not to list: the list without it is another page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import urlencode

from knowledge.resources.base import Body_co, Pagination
from knowledge.resources.blog import PostList
from knowledge.resources.queries import ProductQuery, ProductSort
from knowledge.resources.search import SearchResults
from knowledge.resources.seo import Alternate
from knowledge.resources.site_page import PageMeta, PageModel
from renderers.representation import MediaType, mutual, suffixed_path


def page_number(page: PageMeta) -> int:
    """Return the page number within a list; 1 if the page is not a list."""
    shown = _pagination(page)
    return shown.page if shown else 1


def is_past_end(page: PageMeta) -> bool:
    """Return whether the page comes after the last one of its list, and shows nothing of it."""
    shown = _pagination(page)
    return shown is not None and shown.page > shown.total_pages


def previous_and_next(page: PageMeta) -> tuple[str | None, str | None]:
    """Return the paths of the previous and the next page of a list."""
    shown = _pagination(page)
    if shown is None:
        return None, None
    previous = min(shown.page - 1, shown.total_pages)
    return (
        page.path + _query(page, previous) if shown.page > 1 else None,
        page.path + _query(page, shown.page + 1) if shown.page < shown.total_pages else None,
    )


def canonical(page: PageMeta) -> str:
    """Return the absolute canonical URL of the page."""
    return page.seo.canonical + _query(page, page_number(page))


def representation_path(page: PageMeta, media_type: MediaType) -> str:
    """Return the per-format path of the page, with the same page number and search."""
    query = _query(page, page_number(page)) or _product_query(page)
    return suffixed_path(page.path, media_type) + query


def variants(page: PageMeta) -> Sequence[Alternate]:
    """Return the page in other locales, which name it too.

    There are none after page 1, as the lists of other locales paginate differently.
    """
    if _query(page, page_number(page)) or _product_query(page):
        return ()
    return mutual(page, page.seo.alternates)


def _pagination(page: PageMeta) -> Pagination | None:
    """Return the pagination of a list of posts or results; None for other pages."""
    resource = page.answer.resource if isinstance(page, PageModel) else None
    return resource.pagination if isinstance(resource, (PostList, SearchResults)) else None


def _search(page: PageMeta) -> str:
    return (page.query.search or "") if isinstance(page, PageModel) else ""


def _query(page: PageMeta, number: int) -> str:
    """Return the query of a page of the list; empty on the first one without a search."""
    search = _search(page)
    if not isinstance(page, PageModel) or (not search and number <= 1):
        return ""
    return search_query(page, search, page.query.site.kinds, number)


def _product_query(page: PageMeta) -> str:
    """Return the query of a list of products or of a comparison."""
    if not isinstance(page, PageModel):
        return ""
    compared = ",".join(page.query.compared)
    return f"?{urlencode({'items': compared})}" if compared else product_search(page.query.products)


def product_parameters(query: ProductQuery) -> Mapping[str, str]:
    """Return the parameters of a list of products that differ from their defaults."""
    parameters = {
        "category": query.category or "",
        "minPrice": "" if query.min_price is None else f"{query.min_price:f}",
        "maxPrice": "" if query.max_price is None else f"{query.max_price:f}",
        "stock": "in" if query.in_stock else "",
        "sort": "" if query.sort is ProductSort.DEFAULT else query.sort,
    }
    return {name: value for name, value in parameters.items() if value}


def product_search(query: ProductQuery) -> str:
    """Return the query string of a list of products, empty for the plain list."""
    parameters = product_parameters(query)
    return "?" + urlencode(parameters) if parameters else ""


def search_query(
    page: PageModel[Body_co], search: str, kinds: Iterable[str] = (), number: int = 1
) -> str:
    """Return the query of a search, of the page's list, for its results of some kinds."""
    parameters = {
        page.address.page.parameters[0]: search,
        "kind": ",".join(kinds),
        "page": str(number) if number > 1 else "",
    }
    given = {name: value for name, value in parameters.items() if value}
    return "?" + urlencode(given)
