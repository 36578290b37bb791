"""Markdown bodies: the text of each kind of resource, below the page's title.

Links are site paths here; the caller makes them absolute.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatch

from knowledge.addresses import Address, Page
from knowledge.locale import Language, Locale
from knowledge.resources.base import PageSection, Resource
from knowledge.resources.blog import PostDetail, PostList, PostSummary
from knowledge.resources.localized import LocalizedContent, SoftwareDetail
from knowledge.resources.pages import PageDetail
from knowledge.resources.products import ProductDetail, ProductItem, ProductList
from knowledge.resources.site import Homepage
from knowledge.resources.testimonials import TestimonialItem, TestimonialList
from renderers.forms import Form
from renderers.interface import interface
from renderers.twins import twin_path


@dataclass(frozen=True, slots=True)
class Writer:
    """What a body needs beside its resource: for whom it is written."""

    locale: Locale

    @property
    def language(self) -> Language:
        """The reader's language."""
        return self.locale.language

    def say(self, message: str) -> str:
        """An interface text in the reader's language."""
        return interface(self.language).gettext(message)

    def link(self, title: str, address: Address) -> str:
        """A link to the markdown of another page."""
        path = twin_path(self.locale.path + address.path, Form.MARKDOWN)
        return f"[{link_text(title)}]({path})"

    def pick(self, text: Mapping[str, str] | None) -> str:
        """The reader's language of a text, else the other one."""
        return (text or {}).get(self.language) or (text or {}).get(self.language.other, "")


def link_text(title: str) -> str:
    """A title that cannot end its own link.

    >>> link_text("Tax [draft]")
    'Tax (draft)'
    """
    return title.replace("[", "(").replace("]", ")")


def _paragraphs(parts: Iterable[str | None]) -> str:
    return "\n\n".join(part for part in parts if part)


def bullets(lines: Iterable[str]) -> str:
    """A tight list."""
    return "\n".join(f"- {line}" for line in lines)


@singledispatch
def write(resource: Resource, writer: Writer) -> str:
    """The markdown of a resource; one without a text of its own is listed key by key."""
    return generic(resource)


def generic(resource: Resource) -> str:
    """Any resource as nested bullets, in the contract's names."""
    return "\n".join(_tree(resource.model_dump(mode="json"), 0))


def _tree(value: object, depth: int) -> Iterator[str]:
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


def _sections(sections: Iterable[PageSection]) -> Iterator[str]:
    for section in sections:
        if section.heading:
            yield f"## {section.heading}"
        yield section.body or ""
        for item in section.items or ():
            yield f"### {item.question}\n\n{item.answer}"


@write.register
def _(resource: LocalizedContent, writer: Writer) -> str:
    page = resource.page
    return _paragraphs([page.short_description, *_sections(page.sections)])


@write.register
def _(resource: PageDetail, writer: Writer) -> str:
    return _paragraphs([resource.page.short_description, *_sections(resource.page.sections)])


@write.register
def _(resource: SoftwareDetail, writer: Writer) -> str:
    return _paragraphs([resource.short_description, *_sections(resource.sections)])


@write.register
def _(resource: Homepage, writer: Writer) -> str:
    return _paragraphs(
        [
            writer.pick(resource.hero.sub),
            writer.pick(resource.hero.body),
            *_home_list(
                writer.pick(resource.stats.title),
                [f"**{item.value}** {writer.pick(item.label)}" for item in resource.stats.items],
            ),
            *_home_list(
                writer.pick(resource.modules.title),
                [
                    f"{writer.link(writer.pick(item.title), Address(Page.MODULE, item.slug))}: "
                    f"{writer.pick(item.description)}"
                    for item in resource.modules.items
                ],
            ),
        ]
    )


def _home_list(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield f"## {title}" if title else ""
        yield bullets(lines)


@write.register
def _(resource: PostList, writer: Writer) -> str:
    posts = resource.items
    place = resource.pagination
    counted = f"{writer.say('Page')} {place.page}/{place.total_pages}"
    return _paragraphs([bullets(_post_line(post, writer) for post in posts), counted])


def _post_line(post: PostSummary, writer: Writer) -> str:
    date = f" ({post.published_at:%Y-%m-%d})" if post.published_at else ""
    return f"{writer.link(post.title, Address(Page.POST, post.slug))}{date}: {post.excerpt}"


@write.register
def _(resource: PostDetail, writer: Writer) -> str:
    post = resource.post
    related = [_post_line(each, writer) for each in resource.related]
    return _paragraphs(
        [
            f"{writer.say('Published')}: {post.published_at:%Y-%m-%d}" if post.published_at else "",
            *(block.text for block in post.body),
            f"## {writer.say('Related posts')}" if related else "",
            bullets(related),
        ]
    )


@write.register
def _(resource: TestimonialList, writer: Writer) -> str:
    return _paragraphs(
        [
            resource.page.intro,
            *(_testimonial(item, writer) for item in resource.items),
        ]
    )


def _testimonial(item: TestimonialItem, writer: Writer) -> str:
    who = ", ".join(part for part in (item.customer_name, item.designation, item.company) if part)
    rating = f" ({item.rating:g}/5)" if item.rating is not None else ""
    quoted = "\n".join(f"> {line}".rstrip() for line in item.quote.splitlines())
    return f"## {item.company or item.customer_name}\n\n{quoted}\n\n{who}{rating}"


@write.register
def _(resource: ProductList, writer: Writer) -> str:
    return bullets(_product_line(item, writer) for item in resource.items)


def _product_line(item: ProductItem, writer: Writer) -> str:
    price = f" ({_price(item)})" if item.price else ""
    described = f": {item.short_description}" if item.short_description else ""
    return f"{writer.link(item.title, Address(Page.PRODUCT, item.slug))}{price}{described}"


def _price(item: ProductItem) -> str:
    return f"{item.price.amount} {item.price.currency}" if item.price else ""


@write.register
def _(resource: ProductDetail, writer: Writer) -> str:
    product = resource.product
    facts = [
        (
            writer.say("Price"),
            f"{_price(product)} ({writer.say('excl. VAT')})" if product.price else "",
        ),
        (writer.say("Item number"), product.sku),
        (writer.say("Barcode"), product.barcode),
        *((spec.name, spec.value) for spec in product.specs),
    ]
    return _paragraphs(
        [
            product.short_description,
            bullets(f"**{name}**: {value}" for name, value in facts if value),
            *_sections(product.sections),
        ]
    )
