"""Markdown bodies: the text of each type of resource, below the page title."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import singledispatch
from itertools import chain

from knowledge.addresses import Address, Page
from knowledge.content_path import ContentType
from knowledge.resources.base import Resource
from knowledge.resources.blog import PostDetail, PostList
from knowledge.resources.localized import LocalePage, LocalizedContent, SoftwareDetail
from knowledge.resources.pages import PageBody, PageDetail
from knowledge.resources.products import (
    Availability,
    ProductBody,
    ProductDetail,
    ProductItem,
    ProductList,
)
from knowledge.resources.search import SearchResults
from knowledge.resources.site import Homepage, HomeTestimonial, IndustryItem, ModuleItem, StatItem
from knowledge.resources.testimonials import TestimonialItem, TestimonialList
from renderers.cards import render_entries
from renderers.l10n import price
from renderers.markdown.blog import post_detail, post_list
from renderers.markdown.context import (
    MarkdownContext,
    bullets,
    chapter,
    paragraphs,
    quoted,
    sections,
)
from renderers.markdown.search import search_results
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
            facts(chain(product_facts(product, context), product_specs(product))),
            *sections(product.sections),
        ]
    )


def facts(pairs: Iterable[tuple[str, str]]) -> str:
    """Return names and values as a list."""
    return bullets(f"**{name}**: {value}" for name, value in pairs)


def product_facts(product: ProductBody, context: MarkdownContext) -> Iterator[tuple[str, str]]:
    """Yield the price, availability, brand and numbers of a product with their names."""
    gettext = context.gettext
    availability = gettext(_AVAILABILITY[product.availability])
    yield gettext("Price"), context.join([_price(product, context), availability])
    optional = (
        (_("Brand"), product.brand),
        (_("Item number"), product.sku),
        (_("Barcode"), product.barcode),
    )
    yield from ((gettext(name), value) for name, value in optional if value)


def product_specs(product: ProductBody) -> Iterator[tuple[str, str]]:
    """Yield the names and values of a product's data sheet."""
    return ((spec.name, spec.value) for spec in product.specs)


def _price(item: ProductItem, context: MarkdownContext) -> str:
    """Return the price as in HTML, but with plain spaces instead of no-break spaces."""
    if item.price is None:
        return context.gettext("Price on request")
    amount = " ".join(price(item.price, context.locale).split())
    return f"{amount} {context.gettext('excl. VAT')}"


def homepage(home: Homepage, context: MarkdownContext) -> str:
    """Return the texts and links of the home page, in the order of the page."""
    return paragraphs(_parts(home, context))


def _parts(home: Homepage, context: MarkdownContext) -> Iterator[str]:
    localized, gettext = context.localized, context.gettext
    stats, modules, industries, about = home.stats, home.modules, home.industries, home.about
    yield localized(home.hero.sub)
    yield localized(home.hero.body)
    yield chapter(
        localized(stats.title) or gettext("In numbers"),
        bullets(stat_line(item, context) for item in stats.items),
    )
    yield chapter(
        localized(modules.title) or gettext("Modules"),
        context.bullets(ContentType.MODULE, modules.items, module_line),
    )
    yield chapter(
        localized(industries.title) or gettext("Industries"),
        context.bullets(ContentType.INDUSTRY, industries.items, industry_line),
    )
    yield chapter(localized(about.title) or gettext("About us"), *map(localized, about.paragraphs))
    if home.testimonials.section.enabled:
        yield chapter(gettext("What customers say"), *map(_quote, home.testimonials.items))
    if home.demo_cta.enabled and home.demo_cta.title:
        yield f"**{localized(home.demo_cta.title)}**"


def stat_line(item: StatItem, context: MarkdownContext) -> str:
    """Return one figure of the home page."""
    return f"**{item.value}** {context.localized(item.label)}".rstrip()


def module_line(item: ModuleItem, context: MarkdownContext) -> str:
    """Return a link to a module, with its description."""
    title_link = context.link(context.localized(item.title), Address(Page.MODULE, item.slug))
    description = context.localized(item.description)
    return f"{title_link}: {description}" if description else title_link


def industry_line(item: IndustryItem, context: MarkdownContext) -> str:
    """Return a link to an industry."""
    return context.link(context.localized(item.name), Address(Page.INDUSTRY, item.slug))


def _quote(item: HomeTestimonial) -> str:
    return f"{quoted(item.quote)}\n>\n> {item.customer_name}"


@singledispatch
def write(resource: Resource, context: MarkdownContext) -> str:
    """Return a resource as Markdown; a type without its own function becomes nested bullets."""
    return "\n".join(_tree(resource.model_dump(mode="json"), 0))


write.register(Homepage, homepage)
write.register(PostList, post_list)
write.register(PostDetail, post_detail)
write.register(ProductList, product_list)
write.register(ProductDetail, product_detail)
write.register(SearchResults, search_results)


@write.register(LocalizedContent)
@write.register(PageDetail)
def _page(resource: LocalizedContent | PageDetail, context: MarkdownContext) -> str:
    return _software(resource.page, context)


@write.register(SoftwareDetail)
def _software(page: LocalePage | PageBody | SoftwareDetail, context: MarkdownContext) -> str:
    return paragraphs([page.short_description, *sections(page.sections)])


@write.register(TestimonialList)
def _testimonials(resource: TestimonialList, context: MarkdownContext) -> str:
    stories = render_entries(
        context.snapshot,
        ContentType.TESTIMONIAL,
        resource.items,
        lambda item: _testimonial(item, context),
    )
    return paragraphs([resource.page.intro, *stories])


def _testimonial(item: TestimonialItem, context: MarkdownContext) -> str:
    return f"## {item.company or item.customer_name}\n\n{testimonial_text(item, context)}"


def testimonial_text(item: TestimonialItem, context: MarkdownContext) -> str:
    """Return a customer's words, and who says them."""
    verified = f" {context.gettext('Verified customer')}" if item.verified else ""
    return paragraphs(
        [
            quoted(item.quote),
            f"**{item.customer_name}**{verified}",
            context.join([item.designation, item.company]),
            context.join([item.industry, item.city, item.country]),
            f"{item.rating:g}/5" if item.rating is not None else "",
        ]
    )


def _tree(value: object, depth: int) -> Iterator[str]:
    """Yield a value as nested bullets, with the key names of the API contract."""
    indent = "  " * depth
    if isinstance(value, dict):
        for key, child in value.items():
            if isinstance(child, (dict, list)) and child:
                yield f"{indent}- **{key}**:"
                yield from _tree(child, depth + 1)
            else:
                yield f"{indent}- **{key}**: {_scalar(child)}"
    elif isinstance(value, list):
        for number, child in enumerate(value, start=1):
            if isinstance(child, (dict, list)):
                yield f"{indent}- {number}"
                yield from _tree(child, depth + 1)
            else:
                yield f"{indent}- {_scalar(child)}"


def _scalar(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    return " ".join(str(value).split()) if value not in ([], {}) else ""
