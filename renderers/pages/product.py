"""One product, with those that have replaced it or are like it."""

from collections.abc import Iterable, Iterator
from functools import partial

from knowledge.addresses.addresses import address_of
from knowledge.blocks.block import Block, Picture, Role
from knowledge.blocks.cards import Card, CardsBlock
from knowledge.blocks.facts import FactsBlock, facts_of
from knowledge.blocks.text import TextBlock
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import PRODUCT
from knowledge.fields.prices import merchant_price
from knowledge.resources.products import (
    PRODUCT_PAGE,
    Money,
    ProductBody,
    ProductDetail,
    ProductItem,
    ProductLink,
    Vat,
)
from knowledge.resources.site_page import PageContent, PageModel
from renderers.blocks.context import MarkdownContext, image, paragraphs, render_entries
from renderers.blocks.page_blocks import fact_block, section_blocks
from renderers.html.json_ld import entity, organization_id, picture
from renderers.l10n.formats import availability, delivery, price
from renderers.l10n.translation import site_words, translate
from renderers.markdown.navigation import canonical, content_path, main_call
from renderers.page_rendering import Call, Node, PageRendering, declare_rendering


def _blocks(page: PageContent[ProductDetail], context: MarkdownContext) -> Iterator[Block]:
    """Yield a product's short description, price, text and data sheet, then those like it."""
    product, gettext = page.resource.product, context.gettext
    yield TextBlock(text=product.short_description or "", place="introduction")
    facts = facts_of(_facts(product, context))
    yield FactsBlock(items=facts, has_prices=True, place="introduction")
    main = [product] if product.image else []
    yield TextBlock(
        text=paragraphs(
            image(Picture(url=each.image, alt=each.image_alt or ""))
            for each in (*main, *(product.gallery or ()))
            if each.image
        ),
        role=Role.NAVIGATION,
        place="introduction",
    )
    yield from section_blocks(product.sections)
    sheet = facts_of((spec.name, spec.value) for spec in product.specs)
    heading = gettext("Data sheet")
    yield FactsBlock(id="data-sheet", heading=heading, items=sheet, place="data_sheet")
    yield fact_block(product, context)
    cards = product_cards(product.related, context)
    yield CardsBlock(
        id="related-products",
        heading=gettext("Related products"),
        items=cards,
        role=Role.NAVIGATION,
        place="related",
    )


def product_cards(products: Iterable[ProductItem], context: MarkdownContext) -> list[Card]:
    """Return products with their prices in the reader's country."""
    return list(render_entries(context.snapshot, PRODUCT, products, partial(_card, context)))


def _card(context: MarkdownContext, item: ProductItem) -> Card:
    return Card(
        title=item.title,
        href=context.path(PRODUCT_PAGE, item.slug),
        summary=item.short_description or None,
        notes=tuple(_offered(item, context)),
        picture=Picture(url=item.image, alt=item.image_alt or "") if item.image else None,
        offer=item,
    )


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
        "seller": {"@id": organization_id(page.view)},
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
        blocks=_blocks,
        nodes=_nodes,
        image=lambda page: page.answer.resource.product.image,
        call=_call,
    ),
    PRODUCT_PAGE,
)
