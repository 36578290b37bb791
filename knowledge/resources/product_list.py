"""Lists of products: filtered, sorted, or beside each other."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import Field

from knowledge.addresses.addresses import LocalizedAddress
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import PRODUCT
from knowledge.fields.field_types import Omittable
from knowledge.fields.page_type import PageType
from knowledge.markdown.slugs import slugify
from knowledge.resources import queries
from knowledge.resources.base import PageResource, Resource, resource_in
from knowledge.resources.errors import NotFound
from knowledge.resources.products import (
    ENQUIRY_PARAMETERS,
    Availability,
    ListedProduct,
    ProductBody,
    ProductItem,
    category_name,
    product_detail,
    products_on_sale,
)
from knowledge.resources.queries import ProductQuery, ProductSort, declare_page
from knowledge.views.content_view import ContentView

PARAMETERS = ("category", "minPrice", "maxPrice", "stock", "sort", *ENQUIRY_PARAMETERS)
FILTERS = ("category", "price", "stock")
_EARLIEST = datetime.min.replace(tzinfo=UTC)


class ProductCategory(Resource):
    """A category, and how many products it has of those that match the other filters."""

    slug: str
    name: str
    count: int


class ProductFilter(Resource):
    """How a list is filtered and sorted; prices exclude VAT.

    `ignored` names the parameters whose value could not be read.
    """

    category: Omittable[str] = None
    min_price: Omittable[str] = None
    max_price: Omittable[str] = None
    in_stock: bool = False
    sort: ProductSort = ProductSort.DEFAULT
    ignored: list[str]


class ProductList(PageResource):
    """The products on sale that match a filter; `total` counts all, also those that do not."""

    items: list[ProductItem]
    total: int
    categories: list[ProductCategory]
    filter: ProductFilter
    in_all_categories: Annotated[int, Field(exclude=True)]
    """How many match the other filters."""

    relaxed: Annotated[dict[str, int], Field(exclude=True)]
    """If nothing matches: how many would, by the parameter that is left out."""

    def listed_pages(self, view: ContentView) -> Iterable[LocalizedAddress]:
        """Return the pages of the products."""
        return view.pages_of(PRODUCT, (each.slug for each in self.items))


def product_list(view: ContentView, query: ProductQuery | None = None) -> ProductList:
    """Return the products on sale that match a query, by default all by sortOrder."""
    query = query or ProductQuery()
    products = products_on_sale(view)
    found = _matching(products, query)
    return ProductList(
        items=[product.item for product in sorted(found, **_ORDERS[query.sort])],
        total=len(products),
        categories=_categories(view, products, query),
        filter=ProductFilter(
            category=query.category,
            min_price=None if query.min_price is None else f"{query.min_price:f}",
            max_price=None if query.max_price is None else f"{query.max_price:f}",
            in_stock=query.in_stock,
            sort=query.sort,
            ignored=list(query.ignored),
        ),
        in_all_categories=len(_matching(products, query.without("category"))),
        relaxed={} if found else _relaxed(products, query),
    )


def known_categories(view: ContentView) -> frozenset[str]:
    """Return the categories of the products on sale."""
    return frozenset(each.item.category for each in products_on_sale(view) if each.item.category)


def _matching(products: Iterable[ListedProduct], query: ProductQuery) -> list[ListedProduct]:
    return [product for product in products if _matches(product, query)]


def _matches(product: ListedProduct, query: ProductQuery) -> bool:
    """A product without a price matches no limit of the price."""
    item, amount = product.item, product.amount
    if query.category is not None and item.category != query.category:
        return False
    if query.in_stock and item.availability is not Availability.IN_STOCK:
        return False
    if not query.has_price:
        return True
    if amount is None or (query.min_price is not None and amount < query.min_price):
        return False
    return query.max_price is None or amount <= query.max_price


def _categories(
    view: ContentView, products: Iterable[ListedProduct], query: ProductQuery
) -> list[ProductCategory]:
    """Return all categories in the order of their first products."""
    counts: dict[str, int] = {}
    others = query.without("category")
    for product in products:
        if product.item.category:
            counts.setdefault(product.item.category, 0)
            counts[product.item.category] += _matches(product, others)
    return [
        ProductCategory(slug=slug, name=category_name(view, slug) or slug, count=count)
        for slug, count in counts.items()
    ]


def _relaxed(products: Iterable[ListedProduct], query: ProductQuery) -> dict[str, int]:
    """Return how many products match without each filter, if there are any."""
    counts = {name: len(_matching(products, query.without(name))) for name in FILTERS}
    return {name: count for name, count in counts.items() if count}


_ORDERS: Mapping[ProductSort, Mapping[str, Any]] = {
    ProductSort.DEFAULT: {"key": lambda _: 0},
    ProductSort.PRICE: {"key": lambda each: (each.amount is None, each.amount or 0)},
    ProductSort.PRICE_DESCENDING: {"key": lambda each: (each.amount is None, -(each.amount or 0))},
    ProductSort.NAME: {"key": lambda product: product.item.title.casefold()},
    ProductSort.NEWEST: {"key": lambda product: product.changed_at or _EARLIEST, "reverse": True},
}
"""The arguments of `sorted` by order; equal products stay in the order of the default."""

PRODUCTS_PAGE = declare_page(
    PageType(
        name="products",
        path="/products",
        title=_("Products"),
        index_title=_("Products", "llms.txt"),
        group=queries.PRODUCTS,
        reason=_("you compare products and their prices"),
        schema_type="CollectionPage",
        lists=PRODUCT,
        lists_pages=True,
        parameters=PARAMETERS,
    ),
    lambda view, _, query: resource_in(view.locale, product_list(view, query.products)),
)


MAX_COMPARED = 3


class ComparisonRow(Resource):
    """A specification and its value of each product, null if a product has none."""

    name: str
    values: list[str | None]

    @property
    def is_shared(self) -> bool:
        """Whether more than one of several products has it."""
        return len(self.values) - self.values.count(None) > (len(self.values) > 1)


class ProductComparison(PageResource):
    """Products to compare, in the order asked for, with the rows of their data sheets.

    `unknown` are slugs without a product. If `tooMany` is true there are no rows: at most three
    products are compared.
    """

    items: list[ProductItem]
    rows: list[ComparisonRow]
    unknown: list[str]
    too_many: bool


def product_comparison(view: ContentView, slugs: Sequence[str]) -> ProductComparison:
    """Return the comparison of the products with these slugs."""
    found: list[ProductBody] = []
    unknown: list[str] = []
    for slug in filter(None, dict.fromkeys(map(slugify, slugs))):
        try:
            found.append(product_detail(view, slug).resource.product)
        except NotFound:
            unknown.append(slug)
    too_many = len(found) > MAX_COMPARED
    items = [ProductItem.model_validate(dict(product)) for product in found]
    return ProductComparison(
        items=items, rows=[] if too_many else _rows(found), unknown=unknown, too_many=too_many
    )


def _rows(products: Sequence[ProductBody]) -> list[ComparisonRow]:
    """Return a row for each specification, first of those that more of the products have.

    Else they are in the order of the first product that has it.
    """
    sheets = [{spec.name: spec.value for spec in product.specs} for product in products]
    names = dict.fromkeys(name for sheet in sheets for name in sheet)
    rows = (
        ComparisonRow(name=name, values=[sheet.get(name) for sheet in sheets]) for name in names
    )
    return sorted(rows, key=lambda row: row.values.count(None))


COMPARISON_PAGE = declare_page(
    PageType(
        name="comparison",
        path="/products/compare",
        title=_("Compare products"),
        parent="/products",
        group=queries.PRODUCTS,
        reason="",
        is_indexed=False,
        lists_pages=True,
        parameters=("items", *ENQUIRY_PARAMETERS),
    ),
    lambda view, _, query: resource_in(view.locale, product_comparison(view, query.compared)),
)
