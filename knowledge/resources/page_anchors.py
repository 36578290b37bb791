"""The ids of the headings in a page's own text."""

from __future__ import annotations

from knowledge.anchors import Anchor
from knowledge.resources.base import PageSection, Resource
from knowledge.resources.blog import PostDetail
from knowledge.resources.localized import LocalizedContent
from knowledge.resources.pages import PageDetail
from knowledge.resources.products import ProductDetail


def page_anchors(resource: Resource) -> list[str]:
    """Return the ids of the headings of a resource, also the former ones."""
    match resource:
        case LocalizedContent() | PageDetail():
            anchors = _of_sections(resource.page.sections)
        case ProductDetail():
            anchors = _of_sections(resource.product.sections)
        case PostDetail():
            anchors = list(resource.post.anchors)
        case _:
            anchors = []
    return [each for anchor in anchors for each in anchor if each]


def _of_sections(sections: list[PageSection]) -> list[Anchor]:
    own = [each for section in sections for each in (section.anchor, *section.body_anchors)]
    questions = [item for section in sections for item in section.items or ()]
    return own + [each for item in questions for each in (item.anchor, *item.answer_anchors)]
