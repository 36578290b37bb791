"""Products in markdown: the list with prices, and one product with its facts."""

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


def product_list(products: ProductList, writer: MarkdownContext) -> str:
    """Each product with what it costs in the reader's country."""
    return writer.bullets(ContentType.PRODUCT, products.items, _line)


def _line(item: ProductItem, writer: MarkdownContext) -> str:
    linked = writer.link(item.title, Address(Page.PRODUCT, item.slug))
    facts = writer.listed([_price(item, writer), writer.say(_AVAILABILITY[item.availability])])
    described = f": {item.short_description}" if item.short_description else ""
    return f"{linked} ({facts}){described}"


def product_detail(detail: ProductDetail, writer: MarkdownContext) -> str:
    """What it is, its facts and data sheet, then its text."""
    product = detail.product
    return paragraphs(
        [
            product.short_description,
            bullets(f"**{name}**: {value}" for name, value in _facts(product, writer)),
            *sections(product.sections),
        ]
    )


def _facts(product: ProductBody, writer: MarkdownContext) -> Iterator[tuple[str, str]]:
    say = writer.say
    availability = say(_AVAILABILITY[product.availability])
    yield say("Price"), writer.listed([_price(product, writer), availability])
    named = (
        (_("Brand"), product.brand),
        (_("Item number"), product.sku),
        (_("Barcode"), product.barcode),
    )
    yield from ((say(name), value) for name, value in named if value)
    yield from ((spec.name, spec.value) for spec in product.specs)


def _price(item: ProductItem, writer: MarkdownContext) -> str:
    """As the HTML form has it, with plain spaces."""
    if item.price is None:
        return writer.say("Price on request")
    amount = " ".join(price(item.price, writer.locale).split())
    return f"{amount} {writer.say('excl. VAT')}"
