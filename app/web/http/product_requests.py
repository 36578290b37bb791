"""Product requests: read the filters of the list of products, and what is compared."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import TypeVar

from quart import request

from app.web.http import parameters
from knowledge.fields.field_types import MAX_SLUG
from knowledge.resources.product_list import known_categories
from knowledge.resources.queries import ProductQuery, ProductSort
from knowledge.views.content_view import ContentView

Value = TypeVar("Value")

_AMOUNT = re.compile(r"\d{1,12}(\.\d{1,4})?")
_IN_STOCK = "in"

COMPARED = replace(
    parameters.text("items", "Slugs of products, by commas or repeated.", example="till,scanner"),
    repeats=True,
)
MAX_READ = 12
"""Of so many slugs at most the comparison says that they are too many, or do not exist."""

PRODUCT_FILTERS = (
    parameters.text("minPrice", "Lowest price, without VAT.", example="100"),
    parameters.text("maxPrice", "Highest price, without VAT.", example="500.50"),
    parameters.text("stock", "`in` for products in stock only.", example=_IN_STOCK),
    parameters.text("sort", f"One of {', '.join(ProductSort)}.", example="price"),
)
"""The parameters of the list besides the category."""


def product_query(view: ContentView) -> ProductQuery:
    """Read the query of the list; a value that cannot be read is ignored, and named as such."""
    ignored: list[str] = []

    def read(name: str, parse: Callable[[str], Value]) -> Value | None:
        value = request.args.get(name, "").strip()
        try:
            return parse(value) if value else None
        except ValueError:
            ignored.append(name)
            return None

    category = read("category", lambda slug: _one_of(known_categories(view), slug))
    low, high = read("minPrice", _amount), read("maxPrice", _amount)
    in_stock = read("stock", lambda value: _one_of({_IN_STOCK}, value)) is not None
    sort = read("sort", ProductSort) or ProductSort.DEFAULT
    return ProductQuery(category, low, high, in_stock, sort, tuple(ignored))


def compared_products() -> tuple[str, ...]:
    """Read the slugs of the products to compare."""
    text = ",".join(request.args.getlist(COMPARED.name))
    slugs = (slug.strip()[:MAX_SLUG] for slug in text.split(","))
    return tuple(filter(None, slugs))[:MAX_READ]


def _one_of(options: frozenset[str] | set[str], value: str) -> str:
    if value not in options:
        raise ValueError(value)
    return value


def _amount(text: str) -> Decimal:
    """Parse an amount, also in Arabic digits."""
    if not _AMOUNT.fullmatch(text):
        raise ValueError(text)
    return Decimal(text)
