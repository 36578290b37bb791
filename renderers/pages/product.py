"""Products: the page of one, the list with its filters, and products beside each other."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from knowledge.addresses.addresses import address_of
from knowledge.blocks.block import Block, Picture, Role
from knowledge.blocks.cards import Card, CardsBlock
from knowledge.blocks.facts import Fact, FactsBlock, FactText, facts_of
from knowledge.blocks.pictures import PicturesBlock
from knowledge.blocks.table import TableBlock
from knowledge.blocks.text import TextBlock
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import PRODUCT
from knowledge.locales import cldr
from knowledge.resources.product_list import (
    COMPARISON_PAGE,
    MAX_COMPARED,
    PRODUCTS_PAGE,
    ProductComparison,
    ProductList,
)
from knowledge.resources.products import (
    PRODUCT_PAGE,
    Money,
    ProductBody,
    ProductDetail,
    ProductItem,
    ProductLink,
    Vat,
    products_on_sale,
)
from knowledge.resources.queries import ProductQuery, ProductSort
from knowledge.resources.site_page import PageContent, PageModel
from knowledge.sections.section_type import QUOTE
from renderers.blocks.context import MarkdownContext, linked_fact, render_entries
from renderers.blocks.page_blocks import fact_block, section_blocks
from renderers.html.json_ld import ListedItem, Prices, entity, item_list, offer, picture
from renderers.l10n.formats import availability, delivery, price
from renderers.l10n.translation import site_words, translate, translations
from renderers.markdown import navigation
from renderers.page_rendering import (
    Call,
    Node,
    PageRendering,
    Variables,
    declare_rendering,
    picture_at,
)
from renderers.pages.kind import FilterLink, ShownFilter, filter_block


def _blocks(page: PageContent[ProductDetail], context: MarkdownContext) -> Iterator[Block]:
    """Yield a product's short description, price, text and data sheet, then those like it.

    Quotations among its sections stand beside the price.
    """
    product, gettext = page.resource.product, context.gettext
    yield TextBlock(text=product.short_description or "", place="introduction")
    price = facts_of([(gettext("Price"), context.join(_offered(product, context)))])
    yield FactsBlock(items=price, offer=product, has_prices=True, place="introduction")
    if product.replaced_by:
        path = context.path(PRODUCT_PAGE, product.replaced_by.slug)
        text = FactText(text=product.replaced_by.title, path=path)
        items = (linked_fact(gettext("Replaced by"), text),)
        yield FactsBlock(items=items, place="introduction")
    main = [product] if product.image else []
    pictures = [
        Picture(url=each.image, alt=each.image_alt or "")
        for each in (*main, *(product.gallery or ()))
        if each.image
    ]
    yield FactsBlock(items=tuple(_facts(product, context)), place="purchase")
    yield PicturesBlock(items=pictures, role=Role.NAVIGATION, place="pictures")
    for section in product.sections:
        place = "purchase" if section.type == QUOTE else "text"
        yield from section_blocks([section], context, place)
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


def _facts(product: ProductBody, context: MarkdownContext) -> Iterator[Fact]:
    """Yield what is known of a product besides its price and its data sheet."""
    known = (
        (_("Delivery"), delivery(product, context.locale.language), False),
        (_("Warranty"), product.warranty, False),
        (_("Brand"), product.brand, False),
        (_("Item number"), product.sku, True),
        (_("Barcode"), product.barcode, True),
    )
    for name, value, is_code in known:
        if value:
            yield linked_fact(context.gettext(name), FactText(text=value, is_code=is_code))


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
        "url": navigation.canonical(page),
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
    net, gross = product.price, product.price_with_vat
    if net is None:
        return None
    prices = Prices(net.currency, net.amount, gross.amount if gross else None, product.vat_first)
    properties: Node = {"@id": f"{navigation.canonical(page)}#offer"}
    properties["availability"] = f"https://schema.org/{product.availability}"
    if product.lead_time is not None:
        days = {"@type": "QuantitativeValue", "value": product.lead_time, "unitCode": "DAY"}
        properties["availability"] = "https://schema.org/BackOrder"
        properties["deliveryLeadTime"] = days
    properties["areaServed"] = page.locale.country
    return offer(page, prices, properties)


def _call(page: PageModel[ProductDetail]) -> Call | None:
    """Return the enquiry about a product; its form, which has the quantity, sends it."""
    product, view = page.answer.resource.product, page.view
    is_asked = product.is_sold and navigation.content_path(view, "contact") and not view.is_static
    label = site_words(view).askForAnOffer
    if product.is_awaited:
        label = translate(_("Ask for a date and a price"), view.locale.language)
    return Call(label, product=product.slug) if is_asked and label else navigation.main_call(view)


def _image(page: PageModel[ProductDetail]) -> Picture | None:
    product = page.answer.resource.product
    return picture_at(product.image, product.image_alt)


declare_rendering(
    PageRendering(
        resources=(ProductDetail,),
        blocks=_blocks,
        nodes=_nodes,
        image=_image,
        call=_call,
    ),
    PRODUCT_PAGE,
)


class Filter(FilterLink):
    """A link to the list with another filter, and how many products it has."""

    __slots__ = ()


_SORTS = {
    ProductSort.DEFAULT: _("Our order"),
    ProductSort.PRICE: _("Price, lowest first"),
    ProductSort.PRICE_DESCENDING: _("Price, highest first"),
    ProductSort.NAME: _("Name"),
    ProductSort.NEWEST: _("Newest first"),
}
_NAMES = {
    "category": _("Category"),
    "minPrice": _("Price from"),
    "maxPrice": _("Price to"),
    "stock": _("In stock only"),
    "sort": _("Sort by"),
}
"""The parameters, as the form names them."""


def _variables(page: PageModel[ProductList]) -> Variables:
    language, query = page.locale.language, page.query.products
    return {
        "query": query,
        "parameters": navigation.product_parameters(query),
        "has_vat": any(each.item.price_with_vat for each in products_on_sale(page.view)),
        "relaxed": list(_relaxed(page)),
        "sorts": {sort: translate(title, language) for sort, title in _SORTS.items()},
        "ignored": [translate(_NAMES[name], language) for name in query.ignored],
    }


def _categories(page: PageContent[ProductList]) -> Iterator[Filter]:
    """Yield the links to all categories together and to each one; the other filters stay."""
    products, query = page.resource, page.query.products
    if len(products.categories) < 2:
        return
    title = translate(_("All categories"), page.view.locale.language)
    path, number = _path(page, query.without("category")), products.in_all_categories
    yield Filter(title, path, number, query.category is None)
    for each in products.categories:
        path = _path(page, replace(query, category=each.slug))
        yield Filter(each.name, path, each.count, each.slug == query.category)


_RELAXED = {
    "category": _("All categories"),
    "price": _("Any price"),
    "stock": _("Also out of stock"),
}
"""The titles of links that leave out one filter."""


def _relaxed(page: PageModel[ProductList]) -> Iterator[Filter]:
    """Yield the links that leave out one filter, if nothing matches."""
    query = page.query.products
    for name, count in page.answer.resource.relaxed.items():
        title = translate(_RELAXED[name], page.locale.language)
        yield Filter(title, _path(page, query.without(name)), count)


def _path(page: PageContent[ProductList], query: ProductQuery) -> str:
    return page.path + navigation.product_search(query)


def _list_blocks(page: PageContent[ProductList], context: MarkdownContext) -> Iterator[Block]:
    """Yield the products with their prices, and how many each category has."""
    products = page.resource
    names = [context.gettext(_NAMES[name]) for name in products.filter.ignored]
    if names:
        left_out = context.gettext("Not understood and left out:")
        yield TextBlock(text=f"{left_out} {context.join(names)}", role=Role.NAVIGATION)
    cards = product_cards(products.items, context)
    is_choice = len(cards) > 1 and not page.view.is_static
    yield CardsBlock(items=cards, role=Role.LISTING, is_choice=is_choice, place="list")
    if not cards:
        text = context.gettext("No product matches these filters.")
        yield TextBlock(text=text, role=Role.NAVIGATION)
    chips = ShownFilter(context.gettext("Categories"), tuple(_categories(page)))
    yield filter_block(chips, "categories", leads=not page.view.is_static)


def _list_nodes(page: PageModel[ProductList]) -> Iterator[Node]:
    items = (
        ListedItem(
            each.title,
            page.locale.path + address_of(page.view.snapshot, PRODUCT_PAGE, each.slug).path,
        )
        for each in page.answer.resource.items
    )
    yield from item_list(page, items)


def _count(page: PageModel[ProductList]) -> str:
    """Return a description with the number of products."""
    count, country = len(page.answer.resource.items), page.locale.country
    catalog = translations(page.locale.language)
    if country is None:
        return catalog.ngettext("%(num)s product", "%(num)s products", count) % {"num": count}
    text = catalog.ngettext(
        "%(num)s product, priced for %(country)s",
        "%(num)s products, priced for %(country)s",
        count,
    )
    return text % {"num": count, "country": cldr.country_name(country, page.locale.language)}


TOO_MANY = _("Up to %(num)s products can be compared. Please leave some out:")
NOTHING = _("Choose up to %(num)s products in the list to compare them.")
UNKNOWN = _("These products do not exist:")


def _comparison_blocks(
    page: PageContent[ProductComparison], context: MarkdownContext
) -> Iterator[Block]:
    """Yield a table of what several products have, what one alone has, and what is no product."""
    comparison, gettext = page.resource, context.gettext
    if comparison.unknown:
        unknown = f"{gettext(UNKNOWN)} {context.join(comparison.unknown)}"
        yield TextBlock(text=unknown, place="unknown")
    if not comparison.items:
        yield TextBlock(text=gettext(NOTHING) % {"num": MAX_COMPARED}, place="nothing")
        return
    if comparison.too_many:
        titles = context.join(item.title for item in comparison.items)
        text = f"{gettext(TOO_MANY) % {'num': MAX_COMPARED}} {titles}"
        yield TextBlock(text=text, place="too many")
        return
    columns, *rows = _cells(comparison, context)
    yield TableBlock(columns=columns, rows=rows, offers=comparison.items, place="table")
    for number, item in enumerate(comparison.items):
        own = [(row.name, row.values[number]) for row in comparison.rows if not row.is_shared]
        yield FactsBlock(
            heading=gettext("Only %(name)s") % {"name": item.short_name},
            items=facts_of((name, value) for name, value in own if value),
            place="only",
        )


def _cells(comparison: ProductComparison, context: MarkdownContext) -> Iterator[list[str]]:
    """Yield the cells of each row: names, prices, availability, specifications of several."""
    items, gettext = comparison.items, context.gettext
    yield ["", *(context.link(item.short_name, PRODUCT_PAGE, item.slug) for item in items)]
    yield [gettext("Price"), *(price_text(item, context) for item in items)]
    stock = (availability(item, context.locale.language) for item in items)
    yield [gettext("Availability"), *stock]
    shared = (row for row in comparison.rows if row.is_shared)
    yield from ([row.name, *(value or "–" for value in row.values)] for row in shared)


declare_rendering(
    PageRendering(
        resources=(ProductList,),
        blocks=_list_blocks,
        variables=_variables,
        former={"filters": lambda page: list(_categories(page))},
        nodes=_list_nodes,
        description=_count,
    ),
    PRODUCTS_PAGE,
)
declare_rendering(
    PageRendering(
        resources=(ProductComparison,),
        blocks=_comparison_blocks,
        variables=lambda _: {"most": MAX_COMPARED},
    ),
    COMPARISON_PAGE,
)
