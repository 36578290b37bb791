"""Search requests: read the parameters of lists, products and searches, and search the indexes.

A handler tells the pipeline what was searched and how much was found in a header of its response,
as the response cache keeps headers: an answer from the cache is counted as well. The observer of
the audience removes the header again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple, Self, TypeVar
from urllib.parse import quote, unquote

from quart import Quart, Response, g, request

from app.platform.observability.retained_texts import retained_query
from app.publishing.content.indexes import EditionPosts, SearchBeingPrepared
from app.publishing.content.passage_finder import search_site
from app.services import edition, services
from app.web.extensions import Channel, SearchCounter
from app.web.http import parameters
from app.web.http.parameters import AnyParameter, Parameter
from indexes.blog.index import Suggestions
from indexes.passages.queries import has_word
from indexes.text.analysis import highlighter
from knowledge.addresses.addresses import Address
from knowledge.fields.field_types import MAX_SLUG
from knowledge.fields.kinds import PAGE_PARAMETER, RESERVED_PARAMETERS, SORT_PARAMETER
from knowledge.fields.page_type import PageType
from knowledge.resources.authors import AUTHOR_PAGE
from knowledge.resources.blog import CATEGORY_PAGE, TAG_PAGE, filter_posts
from knowledge.resources.product_list import PRODUCTS_PAGE, known_categories
from knowledge.resources.queries import (
    MAX_ENQUIRED,
    MAX_QUANTITY,
    Enquiry,
    EntryQuery,
    PageQuery,
    PostQuery,
    ProductQuery,
    ProductSort,
    SiteQuery,
)
from knowledge.resources.search import searched_kinds
from knowledge.views.content_view import ContentView

_MAX_SITES = 4


@lru_cache(_MAX_SITES)
def kind_parameter(known: tuple[str, ...]) -> Parameter[tuple[str, ...]]:
    """Return the parameter that selects kinds of pages, on a site with these."""
    return parameters.some_of(
        "kind",
        known,
        f"Kinds of pages to search, separated by commas: {', '.join(known)}. Default: all.",
        example="registry,post",
        allowed="one or more of",
        wrong="supported",
    )


KIND = kind_parameter(searched_kinds())
"""The parameter of a site without kinds of its own."""


def asked_kinds() -> tuple[str, ...]:
    """Read the kinds of pages that are asked for, none for all."""
    return kind_parameter(searched_kinds(edition().snapshot.page_types)).read()


_IN_STOCK = "in"

COMPARED = replace(
    parameters.text("items", "Slugs of products, by commas or repeated.", example="desk,lamp"),
    repeats=True,
)

ENQUIRED = replace(
    parameters.text("product", "Slug of a product to ask for, and `:` how many.", example="desk:2"),
    repeats=True,
)
QUANTITY = parameters.text("quantity", "How many of the product without a number.", example="2")

PRODUCT_FILTERS = (
    parameters.text("minPrice", "Lowest price, without VAT.", example="100"),
    parameters.text("maxPrice", "Highest price, without VAT.", example="500.50"),
    parameters.text("stock", "`in` for products in stock only.", example=_IN_STOCK),
    parameters.text("sort", f"One of {', '.join(ProductSort)}.", example="price"),
)
"""The parameters of the list besides the category."""

_OF_LISTS: Mapping[str, AnyParameter] = {
    parameter.name: parameter
    for parameter in (
        *(*parameters.POSTS, *PRODUCT_FILTERS, COMPARED, ENQUIRED, QUANTITY),
        *(parameters.SITE_SEARCH, KIND),
    )
}
"""The query parameters of lists, which page types name."""


def posts(
    view: ContentView,
    category: str | None = None,
    tag: str | None = None,
    author: str | None = None,
) -> PostQuery:
    """Read `page`, `pageSize`, `category` and `search`; a `category` argument takes precedence."""
    search = parameters.SEARCH.read()
    query = PostQuery(
        page=parameters.PAGE.read(),
        page_size=parameters.PAGE_SIZE.read(),
        category=category or parameters.CATEGORY.read(),
        tag=tag,
        author=author,
    )
    if search is None:
        return query
    return _search_posts(edition().posts, view, query, search)


def page_query(view: ContentView, address: Address) -> PageQuery:
    """Read the query of a page; only list pages and the search page have one."""
    read = list_parameters(address)
    if parameters.SITE_SEARCH in read:
        return _site_query(view)
    if address.page.kind:
        return PageQuery(entries=_entry_query(address.page))
    if ENQUIRED in read:
        query = PageQuery(enquiry=enquiry())
        if address.page == PRODUCTS_PAGE:
            return replace(query, products=product_query(view))
        return replace(query, compared=chosen_products()) if COMPARED in read else query
    if parameters.SEARCH not in read:
        return PageQuery()
    search = parameters.SEARCH.read()
    category = address.slug if address.page == CATEGORY_PAGE else None
    tag = address.slug if address.page == TAG_PAGE else None
    author = address.slug if address.page == AUTHOR_PAGE else None
    return PageQuery(
        search=search,
        posts=posts(view, category, tag, author),
        highlights=highlighter(search, edition().vocabulary) if search else None,
    )


def list_parameters(address: Address) -> tuple[AnyParameter, ...]:
    """Return the parameters that `page_query` reads for a page."""
    own = _own_parameter if address.page.kind else _OF_LISTS.__getitem__
    return tuple(map(own, address.page.parameters))


def _own_parameter(name: str) -> AnyParameter:
    """Return a parameter of the list of a declared kind: its page, or the value of a field."""
    if name == PAGE_PARAMETER:
        return parameters.PAGE
    return replace(parameters.text(name, "A value of the field.", example=""), repeats=True)


def _entry_query(page: PageType) -> EntryQuery:
    if not page.parameters:
        return EntryQuery()
    fields = (name for name in page.parameters if name not in RESERVED_PARAMETERS)
    wanted = {name: [each.strip() for each in parameters.arguments(name)] for name in fields}
    given = {name: values for name, values in wanted.items() if values}
    sort = parameters.argument(SORT_PARAMETER) or ""
    return EntryQuery(parameters.PAGE.read(), given, sort)


def _site_query(view: ContentView) -> PageQuery:
    """Search the site; a query of signs only is none."""
    search = parameters.SITE_SEARCH.read() or ""
    has_query = has_word(search)
    query = SiteQuery(search if has_query else "", parameters.PAGE.read(), asked_kinds())
    if not has_query:
        return PageQuery(site=query)
    result = search_site(edition().passages, view, query)
    if query.page == 1 and result.site and result.site.found:
        note_search(Channel.SITE, search, result.site.found.total)
    return result


def _search_posts(
    posts: EditionPosts | None, view: ContentView, query: PostQuery, search: str
) -> PostQuery:
    """Return the query with the posts that match the most words, or else with a suggestion.

    Raises SearchBeingPrepared without an index.
    """
    if posts is None:
        raise SearchBeingPrepared
    query = replace(query, matches=())
    for slugs in posts.closest(view.locale, search):
        if found := filter_posts(view, replace(query, matches=slugs)):
            _note_first(query, search, len(found))
            return replace(query, matches=slugs, found=found)
    _note_first(query, search, 0)

    def is_match(slug: str) -> bool:
        return posts.is_unchanged(slug) and bool(filter_posts(view, replace(query, matches=[slug])))

    suggestions = Suggestions(posts.found_in, view, is_match)
    return replace(query, suggestion=suggestions.instead_of(search))


def _note_first(query: PostQuery, search: str, hits: int) -> None:
    """Note a search of the blog, once for all pages of what it finds."""
    if query.page == 1:
        note_search(Channel.BLOG, search, hits)


Value = TypeVar("Value")

_AMOUNT = re.compile(r"\d{1,12}(\.\d{1,4})?")

MAX_READ = 12
"""Of so many slugs at most the comparison says that they are too many, or do not exist."""


def product_query(view: ContentView) -> ProductQuery:
    """Read the query of the list; a value that cannot be read is ignored, and named as such."""
    ignored: list[str] = []

    def read(name: str, parse: Callable[[str], Value]) -> Value | None:
        value = parameters.argument(name)
        try:
            return parse(value.strip()) if value else None
        except ValueError:
            ignored.append(name)
            return None

    category = read("category", lambda slug: _one_of(known_categories(view), slug))
    low, high = read("minPrice", _amount), read("maxPrice", _amount)
    in_stock = read("stock", lambda value: _one_of({_IN_STOCK}, value)) is not None
    sort = read("sort", ProductSort) or ProductSort.DEFAULT
    return ProductQuery(category, low, high, in_stock, sort, tuple(ignored))


def chosen_products() -> tuple[str, ...]:
    """Read the slugs of the products that are chosen in a list."""
    text = ",".join(request.args.getlist(COMPARED.name))
    slugs = (slug.strip()[:MAX_SLUG] for slug in text.split(","))
    return tuple(filter(None, slugs))[:MAX_READ]


def enquiry(chosen: Iterable[str] = ()) -> Enquiry:
    """Read how many to ask for of each product; of those `chosen` in a list it is one."""
    default, found = parameters.argument(QUANTITY.name) or "", dict[str, int]()
    for each in request.args.getlist(ENQUIRED.name):
        slug, _, number = each.strip().partition(":")
        found[slug[:MAX_SLUG]] = quantity(number or default)
    for slug in chosen:
        found.setdefault(slug, 1)
    return {slug: found[slug] for slug in list(found)[:MAX_ENQUIRED]}


def quantity(text: str) -> int:
    """Parse a number of products, also in Arabic digits; what is none counts as 1."""
    return max(1, min(int(text), MAX_QUANTITY)) if re.fullmatch(r"\d{1,9}", text) else 1


def _one_of(options: frozenset[str] | set[str], value: str) -> str:
    if value not in options:
        raise ValueError(value)
    return value


def _amount(text: str) -> Decimal:
    """Parse an amount, also in Arabic digits."""
    if not _AMOUNT.fullmatch(text):
        raise ValueError(text)
    return Decimal(text)


SEARCH_HEADER = "Majlis-Search"


class Search(NamedTuple):
    """A search: where, for what in the form that is kept, and the number of hits."""

    channel: str
    query: str
    hits: int

    def to_header(self) -> str:
        """Return it as the value of a header."""
        return f"{self.channel};{self.hits};{quote(self.query)}"

    @classmethod
    def from_header(cls, value: bytes) -> Self:
        """Read the value of a header.

        >>> Search.from_header(Search("api", "ضريبة", 3).to_header().encode())
        Search(channel='api', query='ضريبة', hits=3)
        """
        channel, hits, query = value.decode("ascii").split(";")
        return cls(channel, unquote(query), int(hits))


def note_search(channel: Channel, query: str, hits: int) -> None:
    """Note the search of the current request, if searches are counted."""
    if services().find(SearchCounter) is not None:
        g.search = Search(channel.value, retained_query(query), hits)


def install(app: Quart) -> None:
    """Add the header to the responses of searches."""
    app.after_request(_add_header)


async def _add_header(response: Response) -> Response:
    search: Search | None = g.get("search")
    if search is not None and response.status_code == 200:
        response.headers[SEARCH_HEADER] = search.to_header()
    return response
