"""The JSON renderer: response bodies as defined by the API contract."""

from __future__ import annotations

from knowledge.resources.base import Body, LocalizedResource, Resource
from knowledge.resources.page_sections import DocumentSection
from knowledge.resources.site_page import PageModel
from renderers.markdown.context import MarkdownContext, section_text, with_facts
from renderers.representation import Representation

MEDIA_TYPE = "application/json"


def render(answer: LocalizedResource[Body]) -> Representation:
    """Render compact UTF-8 JSON, with keys in the order of the contract."""
    context = MarkdownContext(answer.locale)

    def whole_text(section: DocumentSection) -> str:
        """Return all of a section below its heading, also the roles and prices of its items."""
        return section_text(next(with_facts((section,), context)))

    body = answer.resource.model_dump_json(context=whole_text).encode()
    return Representation(MEDIA_TYPE, body, answer.language, answer.updated_at)


def render_page(page: PageModel[Resource]) -> Representation:
    """Render a public page: the body of its resource."""
    return render(page.answer)
