"""The ids of the headings in a page's own text."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.resources.base import PageSection, Resource
from knowledge.resources.blog import PostDetail
from knowledge.resources.localized import LocalizedContent
from knowledge.resources.pages import PageDetail
from knowledge.resources.products import ProductDetail


def page_anchors(resource: Resource) -> Iterator[str]:
    """Yield the ids of the headings of a resource, also the former ones."""
    match resource:
        case LocalizedContent() | PageDetail():
            yield from _of_sections(resource.page.sections)
        case ProductDetail():
            yield from _of_sections(resource.product.sections)
        case PostDetail():
            for anchor in resource.post.anchors:
                yield from filter(None, anchor)


def _of_sections(sections: list[PageSection]) -> Iterator[str]:
    for section in sections:
        for anchors in (section.anchors, *(item.anchors for item in section.items or ())):
            for anchor in anchors:
                yield from filter(None, anchor)
