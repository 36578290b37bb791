"""Markdown bodies: the text of each type of resource, below the page title."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch

from knowledge.content_path import ContentType
from knowledge.resources.base import Resource
from knowledge.resources.blog import PostDetail, PostList
from knowledge.resources.localized import LocalePage, LocalizedContent, SoftwareDetail
from knowledge.resources.pages import PageBody, PageDetail
from knowledge.resources.products import ProductDetail, ProductList
from knowledge.resources.search import SearchResults
from knowledge.resources.site import Homepage
from knowledge.resources.testimonials import TestimonialItem, TestimonialList
from renderers.cards import render_entries
from renderers.markdown.blog import post_detail, post_list
from renderers.markdown.context import MarkdownContext, paragraphs, quoted, sections
from renderers.markdown.home import homepage
from renderers.markdown.products import product_detail, product_list
from renderers.markdown.search import search_results


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
    verified = f" {context.gettext('Verified customer')}" if item.verified else ""
    return paragraphs(
        [
            f"## {item.company or item.customer_name}",
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
