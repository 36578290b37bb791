"""The list of products, with its filters as links and as a form; and products beside each other."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from knowledge.addresses.addresses import address_of
from knowledge.blocks.block import Block, Role
from knowledge.blocks.cards import CardsBlock
from knowledge.blocks.links import LinksBlock, NamedLink
from knowledge.blocks.table import TableBlock
from knowledge.blocks.text import TextBlock
from knowledge.diagnostics.messages import mark as _
from knowledge.locales import cldr
from knowledge.resources.product_list import (
    COMPARISON_PAGE,
    MAX_COMPARED,
    PRODUCTS_PAGE,
    ProductComparison,
    ProductList,
)
from knowledge.resources.products import PRODUCT_PAGE, products_on_sale
from knowledge.resources.queries import ProductQuery, ProductSort
from knowledge.resources.site_page import PageContent, PageModel
from renderers.blocks.context import MarkdownContext
from renderers.html.json_ld import ListedItem, item_list
from renderers.l10n.formats import availability
from renderers.l10n.translation import translate, translations
from renderers.markdown.navigation import product_parameters, product_search
from renderers.page_rendering import Node, PageRendering, Variables, declare_rendering
from renderers.pages.product import price_text, product_cards


class Filter(NamedTuple):
    """A link to the list with another filter, and how many products it has."""

    title: str
    path: str
    number: int
    current: bool = False


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
        "parameters": product_parameters(query),
        "filters": list(_categories(page)),
        "has_vat": any(each.item.price_with_vat for each in products_on_sale(page.view)),
        "relaxed": list(_relaxed(page)),
        "sorts": {sort: translate(title, language) for sort, title in _SORTS.items()},
        "ignored": [translate(_NAMES[name], language) for name in query.ignored],
    }


def _categories(page: PageModel[ProductList]) -> Iterator[Filter]:
    """Yield the links to all categories together and to each one; the other filters stay."""
    products, query = page.answer.resource, page.query.products
    if len(products.categories) < 2:
        return
    title = translate(_("All categories"), page.locale.language)
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
    return page.path + product_search(query)


def _blocks(page: PageContent[ProductList], context: MarkdownContext) -> Iterator[Block]:
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
    counts = [
        NamedLink(
            text=each.name,
            href="" if page.view.is_static else _path(page, ProductQuery(category=each.slug)),
            count=each.count,
        )
        for each in products.categories
    ]
    label = context.gettext("Categories")
    yield LinksBlock(label=label, items=counts, role=Role.NAVIGATION)


def _nodes(page: PageModel[ProductList]) -> Iterator[Node]:
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
    """Yield a table with a column for each product, and what cannot be compared."""
    comparison, gettext = page.resource, context.gettext
    if comparison.unknown:
        yield TextBlock(text=f"{gettext(UNKNOWN)} {context.join(comparison.unknown)}")
    if not comparison.items:
        yield TextBlock(text=gettext(NOTHING) % {"num": MAX_COMPARED})
    elif comparison.too_many:
        titles = context.join(item.title for item in comparison.items)
        yield TextBlock(text=f"{gettext(TOO_MANY) % {'num': MAX_COMPARED}} {titles}")
    else:
        columns, *rows = _cells(comparison, context)
        yield TableBlock(columns=columns, rows=rows)


def _cells(comparison: ProductComparison, context: MarkdownContext) -> Iterator[list[str]]:
    """Yield the cells of each row: titles, prices, availability, specifications."""
    items, gettext = comparison.items, context.gettext
    yield ["", *(context.link(item.title, PRODUCT_PAGE, item.slug) for item in items)]
    yield [gettext("Price"), *(price_text(item, context) for item in items)]
    stock = (availability(item, context.locale.language) for item in items)
    yield [gettext("Availability"), *stock]
    for row in comparison.rows:
        yield [row.name, *(value or "–" for value in row.values)]


declare_rendering(
    PageRendering(
        resources=(ProductList,),
        blocks=_blocks,
        variables=_variables,
        nodes=_nodes,
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
