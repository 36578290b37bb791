"""Queries of pages and lists, and what a page type declares with its resource.

A new page type may declare a `PageGroup` of its own; its `order` places it among these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from knowledge.addresses.addresses import Address
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.field_types import Omittable
from knowledge.fields.page_type import PAGE_TYPES, PageGroup, PageType
from knowledge.resources.base import LocalizedResource, Resource, Uri
from knowledge.resources.passages import Passage, Spans
from knowledge.snapshot.post_index import PostRecords
from knowledge.views.content_view import ContentView


@dataclass(frozen=True, slots=True)
class PostQuery:
    """Selects posts; `matches` holds the slugs that a search found, best first.

    `found` has the posts selected by all of it, once they are known. `suggestion` is the query to
    suggest if no post matches.
    """

    page: int = 1
    page_size: int = 9
    category: str | None = None
    tag: str | None = None
    author: str | None = None
    matches: Sequence[str] | None = None
    found: PostRecords | None = None
    suggestion: str | None = None


class SearchFit(Resource):
    """How well what was found answers a question."""

    relevance: Annotated[float, Field(ge=0, le=1)] = 0.0
    """How likely it is that what was found answers the query, by the best passage: its words, where
    rare ones count more, and with `MEANING` the closeness of the nearest one in meaning."""
    not_found: Omittable[list[str]] = None
    """Words of the query that occur nowhere on the site."""
    note: Omittable[str] = None
    """A sentence for people, if words occur nowhere, nothing fits well, or other countries are
    named."""
    contact: Omittable[Uri] = None
    """URL of the page at which the company answers, if nothing fits well."""


@dataclass(frozen=True, slots=True)
class FoundPages:
    """What a search of the site found.

    `shown` has the best passage of each page on the shown part of the list, `total` counts the
    pages of the whole list. `is_complete` says whether these are all pages that match; then
    `counts` has their number by kind, whatever kinds are asked for. `suggestion` is another query,
    in which the words `misspelt` are corrected. `elsewhere` counts the pages in the other language
    of the country, if this one has none or lacks the rarest word; `elsewhere_first` has the best of
    them. `holds` says whether a text has a value that the query asks for.
    """

    shown: Sequence[Passage] = ()
    total: int = 0
    is_complete: bool = True
    counts: Mapping[str, int] = field(default_factory=dict)
    suggestion: str | None = None
    misspelt: Sequence[str] = ()
    fit: SearchFit = field(default_factory=SearchFit)
    elsewhere: int = 0
    elsewhere_first: Sequence[Passage] = ()
    holds: Callable[[str], bool] | None = None


@dataclass(frozen=True, slots=True)
class SiteQuery:
    """A search of the site: its text, the kinds of pages, and what it found."""

    text: str = ""
    page: int = 1
    kinds: tuple[str, ...] = ()
    found: FoundPages = field(default_factory=FoundPages)


class ProductSort(StrEnum):
    """The orders of a list of products; the default is by sortOrder."""

    DEFAULT = "default"
    PRICE = "price"
    PRICE_DESCENDING = "price-desc"
    NAME = "name"
    NEWEST = "newest"


@dataclass(frozen=True, slots=True)
class ProductQuery:
    """Filters and sorts products; `ignored` names the parameters that could not be read."""

    category: str | None = None
    min_price: Decimal | None = None
    max_price: Decimal | None = None
    in_stock: bool = False
    sort: ProductSort = ProductSort.DEFAULT
    ignored: tuple[str, ...] = ()

    @property
    def has_price(self) -> bool:
        """Whether it filters by price."""
        return self.min_price is not None or self.max_price is not None

    @property
    def is_filtered(self) -> bool:
        """Whether it leaves products out."""
        return self.category is not None or self.has_price or self.in_stock

    def without(self, name: str) -> ProductQuery:
        """Return the query without one filter: category, price or stock."""
        return {
            "category": replace(self, category=None),
            "price": replace(self, min_price=None, max_price=None),
            "stock": replace(self, in_stock=False),
        }[name]

    @property
    def is_plain(self) -> bool:
        """Whether the list is as without any parameter; templates of sites may ask it."""
        return not self.is_filtered and self.sort is ProductSort.DEFAULT and not self.ignored


Enquiry = Mapping[str, int]
"""The products that a visitor asks for: how many, by their slugs."""
MAX_ENQUIRED, MAX_QUANTITY = 30, 9_999


ENTRIES_SHOWN = 24
"""How many documents of a declared kind a page of its list shows."""


@dataclass(frozen=True, slots=True)
class EntryQuery:
    """Filters the list of a declared kind by the values of its fields.

    A document has one of the values of each field, and none of those that begin with `-`.
    """

    page: int = 1
    wanted: Mapping[str, Sequence[str]] = field(default_factory=dict)
    sort: str = ""
    """The field by which to sort, with `-` the greatest first; `""` is the order of the kind."""

    page_size: int = ENTRIES_SHOWN

    @property
    def filters(self) -> Mapping[str, str]:
        """The first value of each field."""
        return {name: next(iter(values)) for name, values in self.wanted.items() if values}


@dataclass(frozen=True, slots=True)
class PageQuery:
    """The query parameters of a page's URL; only lists use them."""

    posts: PostQuery = field(default_factory=PostQuery)
    search: str | None = None
    site: SiteQuery = field(default_factory=SiteQuery)
    highlights: Spans | None = None
    products: ProductQuery = field(default_factory=ProductQuery)
    compared: tuple[str, ...] = ()
    enquiry: Enquiry = field(default_factory=dict)
    entries: EntryQuery = field(default_factory=EntryQuery)


Builder = Callable[[ContentView, Address, PageQuery], LocalizedResource[Resource]]
"""Returns the resource at an address; raises NotFound if it is missing."""

BUILDERS: dict[str, Builder] = {}
"""The functions that build the resources of pages, by the form of their type."""


def declare_page(page: PageType, builder: Builder) -> PageType:
    """Add a page type to `PAGE_TYPES` and return it; raises ValueError if it contradicts one."""
    BUILDERS[PAGE_TYPES.declare(page).form] = builder
    return page


COMPANY = PageGroup(10, _("Company and service"))
MODULES = PageGroup(20, _("Software modules"))
INDUSTRIES = PageGroup(30, _("Industries"))
PRODUCTS = PageGroup(40, _("Products", "llms.txt"))
CITIES = PageGroup(50, _("Cities"))
BLOG = PageGroup(60, _("Blog"))
