"""Markdown of products: the list with prices, and one product with its data."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.addresses import Address, Page
from knowledge.content_path import ContentType
from knowledge.resources.products import (
    Availability,
    ProductBody,
    ProductDetail,
    ProductItem,
    ProductList,
)
from renderers.l10n import price
from renderers.markdown.context import MarkdownContext, bullets, paragraphs, sections
from renderers.translation import _

_AVAILABILITY = {
    Availability.IN_STOCK: _("In stock"),
    Availability.OUT_OF_STOCK: _("Out of stock"),
    Availability.DISCONTINUED: _("No longer sold"),
}


def product_list(products: ProductList, context: MarkdownContext) -> str:
    """Return the list of products with their prices in the reader's country."""
    return context.bullets(ContentType.PRODUCT, products.items, _line)


def _line(item: ProductItem, context: MarkdownContext) -> str:
    title_link = context.link(item.title, Address(Page.PRODUCT, item.slug))
    facts = context.join([_price(item, context), context.gettext(_AVAILABILITY[item.availability])])
    description = f": {item.short_description}" if item.short_description else ""
    return f"{title_link} ({facts}){description}"


def product_detail(detail: ProductDetail, context: MarkdownContext) -> str:
    """Return a product's short description, price, data sheet and text."""
    product = detail.product
    return paragraphs(
        [
            product.short_description,
            bullets(f"**{name}**: {value}" for name, value in _facts(product, context)),
            *sections(product.sections),
        ]
    )


def _facts(product: ProductBody, context: MarkdownContext) -> Iterator[tuple[str, str]]:
    gettext = context.gettext
    availability = gettext(_AVAILABILITY[product.availability])
    yield gettext("Price"), context.join([_price(product, context), availability])
    optional = (
        (_("Brand"), product.brand),
        (_("Item number"), product.sku),
        (_("Barcode"), product.barcode),
    )
    yield from ((gettext(name), value) for name, value in optional if value)
    yield from ((spec.name, spec.value) for spec in product.specs)


def _price(item: ProductItem, context: MarkdownContext) -> str:
    """Return the price as in HTML, but with plain spaces instead of no-break spaces."""
    if item.price is None:
        return context.gettext("Price on request")
    amount = " ".join(price(item.price, context.locale).split())
    return f"{amount} {context.gettext('excl. VAT')}"
