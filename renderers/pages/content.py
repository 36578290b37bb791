"""Registry and CMS pages; the contact page also shows how to reach the company."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.addresses.addresses import Address
from knowledge.diagnostics.messages import mark as _
from knowledge.locales.locale import Language
from knowledge.resources.base import Resource
from knowledge.resources.localized import ListedGroup, LocalizedContent, pages_listed_by
from knowledge.resources.pages import CONTENT_PAGE, PageDetail
from knowledge.resources.passages import Part
from knowledge.resources.site_chrome import CompanyContact
from knowledge.resources.site_page import PageModel
from renderers.html.schema_org import ListedItem, item_list, main_entity
from renderers.l10n.translation import translate
from renderers.markdown.context import MarkdownContext, bullets, link
from renderers.markdown.facts import markdown_lines
from renderers.markdown.passages import PassageContext, document_parts, listing, texts
from renderers.page_rendering import Chapters, Node, PageRendering, Variables, declare_rendering

_HEADING = _("Contact details")
_TITLES = {
    "modules": _("All modules"),
    "industries": _("All industries"),
    "cities": _("All cities"),
}
"""The titles of lists that are not grouped, by the slug of the page."""


def _contact(resource: Resource) -> CompanyContact | None:
    return resource.contact if isinstance(resource, LocalizedContent) else None


def _variables(page: PageModel[Resource]) -> Variables:
    resource, language = page.answer.resource, page.locale.language
    return {"contact": _contact(resource), "listing": _listing(page.address, resource, language)}


def _listing(address: Address, resource: Resource, language: Language) -> list[ListedGroup]:
    """Return what a page lists, each group with a title."""
    groups = resource.listing if isinstance(resource, LocalizedContent | PageDetail) else None
    if not groups:
        return []
    title = translate(_TITLES[address.slug], language)
    return [group.model_copy(update={"title": group.title or title}) for group in groups]


def _nodes(page: PageModel[Resource]) -> Iterator[Node]:
    """Yield the main entity, and what the page lists."""
    yield from main_entity(page)
    listed = _listing(page.address, page.answer.resource, page.locale.language)
    names = {item.path: item.title for group in listed for item in group.items}
    paths = pages_listed_by(page.view, page.address.slug)
    yield from item_list(page, (ListedItem(names.get(path), path) for path in paths))


def _lines(group: ListedGroup) -> str:
    return bullets(
        f"{link(item.title, item.path)}: {item.description}"
        if item.description
        else link(item.title, item.path)
        for item in group.items
    )


def _links(variables: Variables, context: MarkdownContext) -> Chapters:
    contact = variables["contact"]
    if contact:
        yield context.gettext(_HEADING), markdown_lines(contact, context.language)
    for group in variables["listing"]:
        yield group.title, _lines(group)


def _parts(resource: Resource, context: PassageContext) -> Iterator[Part]:
    yield from document_parts(resource, context)
    contact = _contact(resource)
    if contact:
        heading, lines = context.gettext(_HEADING), markdown_lines(contact, context.language)
        yield from texts((heading,), "contact-reach", lines)
    for group in _listing(context.address, resource, context.language):
        title = group.title or ""
        anchor = context.ids.claim(title)
        for item in group.items:
            context.ids.claim(item.title)
        yield listing((title,), anchor, _lines(group))


declare_rendering(
    PageRendering(variables=_variables, links=_links, nodes=_nodes, parts=_parts), CONTENT_PAGE
)
