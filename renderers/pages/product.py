"""One product, with those that have replaced it or are like it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from knowledge.addresses.addresses import address_of
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import PRODUCT
from knowledge.fields.prices import merchant_price
from knowledge.resources.passages import Part
from knowledge.resources.products import (
    PRODUCT_PAGE,
    Money,
    ProductBody,
    ProductDetail,
    ProductItem,
    ProductLink,
    Vat,
)
from knowledge.resources.site_page import PageModel
from renderers.html.json_ld import entity, organization_id, picture
from renderers.l10n.formats import availability, delivery, price
from renderers.l10n.translation import site_words, translate
from renderers.markdown.context import (
    MarkdownContext,
    chapter,
    labelled,
    paragraphs,
    section_texts,
    with_facts,
)
from renderers.markdown.navigation import canonical, content_path, main_call
from renderers.markdown.passages import PassageContext, document_parts, texts
from renderers.page_rendering import Call, Node, PageRendering, declare_rendering


def _detail(detail: ProductDetail, context: MarkdownContext) -> str:
    """Return a product's short description, price, data sheet and text."""
    product = detail.product
    return paragraphs(
        [
            product.short_description,
            labelled(chain(_facts(product, context), _specs(product))),
            *section_texts(with_facts(product.sections, context)),
            chapter(context.gettext("Related products"), product_lines(product.related, context)),
        ]
    )


def product_lines(products: Iterable[ProductItem], context: MarkdownContext) -> str:
    """Return products with their prices in the reader's country, as a list."""
    return context.bullets(PRODUCT, products, _line)


def _line(item: ProductItem, context: MarkdownContext) -> str:
    title_link = context.link(item.title, PRODUCT_PAGE, item.slug)
    facts = context.join(_offered(item, context))
    description = f": {item.short_description}" if item.short_description else ""
    return f"{title_link} ({facts}){description}"


def _facts(product: ProductBody, context: MarkdownContext) -> Iterator[tuple[str, str]]:
    gettext = context.gettext
    if product.replaced_by is not None:
        other = product.replaced_by
        yield gettext("Replaced by"), context.link(other.title, PRODUCT_PAGE, other.slug)
    yield gettext("Price"), context.join(_offered(product, context))
    optional = (
        (_("Delivery"), delivery(product, context.locale.language)),
        (_("Warranty"), product.warranty),
        (_("Brand"), product.brand),
        (_("Item number"), product.sku),
        (_("Barcode"), product.barcode),
    )
    yield from ((gettext(name), value) for name, value in optional if value)


def _offered(item: ProductItem, context: MarkdownContext) -> Iterator[str]:
    """Yield the price of a product that is sold, and its availability."""
    if item.is_sold:
        yield price_text(item, context)
    yield availability(item, context.locale.language)


def _specs(product: ProductBody) -> Iterator[tuple[str, str]]:
    return ((spec.name, spec.value) for spec in product.specs)


def _parts(detail: ProductDetail, context: PassageContext) -> Iterator[Part]:
    """Yield the text of a product with its price, then its data sheet."""
    product = detail.product
    opening, *others = document_parts(detail, context, labelled(_facts(product, context)))
    yield replace(opening, has_prices=True)
    yield from others
    sheet = labelled(_specs(product))
    yield from texts((context.gettext("Data sheet"),), context.ids.anchor("", "data-sheet"), sheet)


def price_text(item: ProductItem, context: MarkdownContext) -> str:
    """Return the prices as in HTML, but with plain spaces instead of no-break spaces."""
    if item.price is None:
        return context.gettext("Price on request") if item.is_sold else "–"
    net = context.gettext(_NET[item.vat]) if item.vat in _NET else ""
    gross = context.gettext("incl. %(rate)s VAT") % {"rate": f"{item.vat_rate}%"}
    shown = ((each, gross if each is item.price_with_vat else net) for each in item.shown_prices)
    return context.join(f"{_amount(each, context)} {words}".rstrip() for each, words in shown)


_NET = {Vat.ADDED: _("excl. VAT"), Vat.EXCLUDED: _("excl. VAT"), Vat.NONE: _("no VAT")}
"""What a price without VAT says of it, unless the VAT is not known."""


def _amount(money: Money, context: MarkdownContext) -> str:
    return " ".join(price(money, context.locale).split())


def _nodes(page: PageModel[ProductDetail]) -> Iterator[Node]:
    product = page.answer.resource.product
    properties = {
        "@type": "Product",
        "name": product.heading,
        "description": product.short_description,
        "sku": product.sku,
        "gtin13": product.barcode if product.barcode and len(product.barcode) == 13 else None,
        "brand": {"@type": "Brand", "name": product.brand} if product.brand else None,
        "image": [picture(page, each) for each in product.pictures] or None,
        "url": canonical(page),
        "offers": _offer(page, product),
        "isRelatedTo": product.replaced_by and _product_node(page, product.replaced_by),
        "isSimilarTo": [_product_node(page, each) for each in product.related] or None,
    }
    yield entity(page, "product", properties)


def _product_node(page: PageModel[ProductDetail], other: ProductLink | ProductItem) -> Node:
    path = page.locale.path + address_of(page.view.snapshot, PRODUCT_PAGE, other.slug).path
    return {"@type": "Product", "name": other.title, "url": page.view.absolute(path)}


def _offer(page: PageModel[ProductDetail], product: ProductBody) -> Node | None:
    """Return the offer of a product, or None if it has no price."""
    if product.price is None:
        return None
    price = merchant_price(product.price, product.price_with_vat, page.locale.country)
    return {
        "@type": "Offer",
        "@id": f"{canonical(page)}#offer",
        "url": canonical(page),
        **_price_node(price),
        "priceSpecification": [
            _specification(money, with_vat=money is product.price_with_vat)
            for money in product.shown_prices
        ],
        **_availability(product),
        "areaServed": page.locale.country,
        "seller": {"@id": organization_id(page)},
    }


def _availability(product: ProductBody) -> Node:
    """Return the availability of a product, and in how many days it can be had."""
    if product.lead_time is None:
        return {"availability": f"https://schema.org/{product.availability}"}
    days = {"@type": "QuantitativeValue", "value": product.lead_time, "unitCode": "DAY"}
    return {"availability": "https://schema.org/BackOrder", "deliveryLeadTime": days}


def _specification(money: Money, *, with_vat: bool) -> Node:
    node = {"@type": "UnitPriceSpecification", **_price_node(money)}
    return node | {"valueAddedTaxIncluded": with_vat}


def _price_node(money: Money) -> Node:
    return {"price": money.amount, "priceCurrency": money.currency}


def _call(page: PageModel[ProductDetail]) -> Call | None:
    """Return the enquiry about a product; its form, which has the quantity, sends it."""
    product, view = page.answer.resource.product, page.view
    is_asked = product.is_sold and content_path(view, "contact") and not view.is_static
    label = site_words(view).askForAnOffer
    if product.is_awaited:
        label = translate(_("Ask for a date and a price"), view.locale.language)
    return Call(label, product=product.slug) if is_asked and label else main_call(view)


declare_rendering(
    PageRendering(
        resources=(ProductDetail,),
        markdown=_detail,
        nodes=_nodes,
        image=lambda page: page.answer.resource.product.image,
        parts=_parts,
        call=_call,
        own_text=lambda detail: ProductDetail(
            product=detail.product.model_copy(update={"related": []})
        ),
    ),
    PRODUCT_PAGE,
)
