"""Products beside each other: up to three, with a row for each fact and each specification."""

from __future__ import annotations

from collections.abc import Sequence

from knowledge.diagnostics.messages import mark as _
from knowledge.fields.page_type import PageType
from knowledge.fields.slugs import slugify
from knowledge.resources import page_declarations
from knowledge.resources.base import Resource, resource_in
from knowledge.resources.errors import NotFound
from knowledge.resources.page_declarations import declare_page
from knowledge.resources.products import ProductBody, ProductItem, product_detail
from knowledge.views.content_view import ContentView

MAX_COMPARED = 3


class ComparisonRow(Resource):
    """A specification and its value of each product, null if a product has none."""

    name: str
    values: list[str | None]


class ProductComparison(Resource):
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
    """Return a row for each specification, in the order of the first product that has it."""
    sheets = [{spec.name: spec.value for spec in product.specs} for product in products]
    names = dict.fromkeys(name for sheet in sheets for name in sheet)
    return [
        ComparisonRow(name=name, values=[sheet.get(name) for sheet in sheets]) for name in names
    ]


COMPARISON_PAGE = declare_page(
    PageType(
        name="comparison",
        path="/products/compare",
        title=_("Compare products"),
        parent="/products",
        group=page_declarations.PRODUCTS,
        reason="",
        is_indexed=False,
        lists_pages=True,
        parameters=("items",),
    ),
    lambda view, _, query: resource_in(view.locale, product_comparison(view, query.compared)),
)
