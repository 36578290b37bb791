"""Registry and CMS pages; the contact page also shows how to reach the company."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.messages import mark as _
from knowledge.passages import Part
from knowledge.resources.base import Resource
from knowledge.resources.contact import CompanyContact
from knowledge.resources.localized import LocalizedContent
from knowledge.resources.pages import CONTENT_PAGE
from knowledge.resources.site_page import PageModel
from renderers.contact_details import markdown_lines
from renderers.markdown.context import MarkdownContext
from renderers.page_rendering import Chapters, PageRendering, Variables, declare_rendering
from renderers.passage_parts import PassageContext, document_parts, texts

_HEADING = _("Contact details")


def _contact(resource: Resource) -> CompanyContact | None:
    return resource.contact if isinstance(resource, LocalizedContent) else None


def _variables(page: PageModel[Resource]) -> Variables:
    return {"contact": _contact(page.answer.resource)}


def _links(variables: Variables, context: MarkdownContext) -> Chapters:
    contact = variables["contact"]
    if contact:
        yield context.gettext(_HEADING), markdown_lines(contact, context.language)


def _parts(resource: Resource, context: PassageContext) -> Iterator[Part]:
    yield from document_parts(resource, context)
    contact = _contact(resource)
    if contact:
        heading, lines = context.gettext(_HEADING), markdown_lines(contact, context.language)
        yield from texts((heading,), "contact-reach", lines)


declare_rendering(PageRendering(variables=_variables, links=_links, parts=_parts), CONTENT_PAGE)
