"""Feeds of products that a merchant hands to others: to Google Merchant Center and to OpenAI.

Google reads a CSV file with the attributes of its product data specification, OpenAI a file with a
JSON object on each line by its specification for file uploads. Both hold the products on sale that
have a price in the country, as their pages show them there.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from knowledge.addresses.addresses import address_of
from knowledge.documents.body import one_line
from knowledge.fields.prices import merchant_price
from knowledge.locales.locale import Country
from knowledge.markdown.inline import plain_text
from knowledge.resources.products import (
    PRODUCT_PAGE,
    Availability,
    ProductBody,
    product_detail,
    products_on_sale,
)
from knowledge.resources.site_chrome import brand
from knowledge.views.content_view import ContentView

Row = Mapping[str, object]


_NAMED = 5
"""How many products a note names."""


@dataclass(frozen=True, slots=True)
class ProductFeed:
    """The rows of a feed, and notes on what portals will not accept of it."""

    rows: Sequence[Row]
    notes: Sequence[str]


def product_feed(view: ContentView, country: Country, form: str) -> ProductFeed:
    """Return a feed in one of the `FORMS`, for a country and the language of the view."""
    slugs = [product.item.slug for product in products_on_sale(view)]
    details = [product_detail(view, slug).resource.product for slug in slugs]
    sold = [_facts(view, product, country) for product in details if product.price]
    rows = [FORMS[form](view, facts, country) for facts in sold]
    return ProductFeed(rows, list(_notes(details, sold)))


Facts = Mapping[str, str]

_TITLE_CHARACTERS, _TEXT_CHARACTERS = 150, 5_000
_GTIN = re.compile(r"\d{8}|\d{12,14}", re.ASCII)
_PICTURES = frozenset({".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp", ".tif", ".tiff"})
"""The formats of pictures that Google accepts."""

_AVAILABILITY: Mapping[Availability, str] = {
    Availability.IN_STOCK: "in_stock",
    Availability.OUT_OF_STOCK: "out_of_stock",
}
_GOOGLE = {
    "id": "id",
    "title": "title",
    "description": "description",
    "link": "link",
    "image_link": "image",
    "availability": "availability",
    "price": "price",
    "condition": "condition",
    "brand": "brand",
    "gtin": "gtin",
    "product_type": "category",
}
"""What each column of Google has."""


def _facts(view: ContentView, product: ProductBody, country: Country) -> Facts:
    """Return what the feeds tell of a product, by names of our own; `""` stands for nothing."""
    price = product.price and merchant_price(product.price, product.price_with_vat, country)
    path = view.locale.path + address_of(view.snapshot, PRODUCT_PAGE, product.slug).path
    return {
        "id": product.sku or str(product.id),
        "title": one_line(product.title, _TITLE_CHARACTERS),
        "description": one_line(
            plain_text(product.short_description or product.heading), _TEXT_CHARACTERS
        ),
        "link": view.absolute(path),
        "image": view.absolute(product.image) if product.image else "",
        "availability": _AVAILABILITY[product.availability],
        "price": f"{price.amount} {price.currency}" if price else "",
        "condition": "new",
        "brand": product.brand or "",
        "gtin": product.barcode if product.barcode and is_gtin(product.barcode) else "",
        "category": product.category_name or "",
    }


def is_gtin(text: str) -> bool:
    """Return whether a barcode is a number of GS1, by its length and its check digit.

    >>> is_gtin("6290000010015"), is_gtin("6290000010016"), is_gtin("WH-115")
    (True, False, False)
    """
    weighted = (int(digit) * (3, 1)[place % 2] for place, digit in enumerate(text[-2::-1]))
    return bool(_GTIN.fullmatch(text)) and (sum(weighted) + int(text[-1])) % 10 == 0


def _google(view: ContentView, facts: Facts, country: Country) -> Row:
    """Return a row for Google; a product without GTIN has no number that identifies it."""
    row = {name: facts[each] for name, each in _GOOGLE.items()}
    return {**row, "identifier_exists": "yes" if facts["gtin"] else "no"}


_OPENAI = {
    "item_id": "id",
    "title": "title",
    "description": "description",
    "url": "link",
    "image_url": "image",
    "availability": "availability",
    "price": "price",
    "condition": "condition",
    "brand": "brand",
    "gtin": "gtin",
    "product_category": "category",
}
"""What each property of OpenAI has; without a value it is absent."""


def _openai(view: ContentView, facts: Facts, country: Country) -> Row:
    """Return a row for OpenAI; each product is its own group, as it has no variants."""
    return {
        "is_eligible_search": True,
        "is_eligible_checkout": False,
        **{name: facts[each] for name, each in _OPENAI.items() if facts[each]},
        "group_id": facts["id"],
        "listing_has_variations": False,
        "seller_name": brand(view),
        "seller_url": view.base_url,
        "target_countries": [country],
        "store_country": country,
    }


FORMS: Mapping[str, Callable[[ContentView, Facts, Country], Row]] = {
    "csv": _google,
    "jsonl": _openai,
}
"""The rows of each format: those of Google, and those of OpenAI."""


def _notes(products: Sequence[ProductBody], sold: Sequence[Facts]) -> Iterator[str]:
    lacking = {
        "no price in the currency of the country: left out": [
            product.sku or str(product.id) for product in products if not product.price
        ],
        "no picture as JPEG, PNG, GIF, WebP, BMP or TIFF": [
            facts["id"] for facts in sold if not _is_picture(facts["image"])
        ],
        "no brand": [facts["id"] for facts in sold if not facts["brand"]],
    }
    for problem, ids in lacking.items():
        if ids:
            more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
            yield f"{problem}: {', '.join(ids[:_NAMED])}{more}"


def _is_picture(url: str) -> bool:
    return PurePosixPath(urlsplit(url).path).suffix.lower() in _PICTURES
