"""The passages of pages, with the labels and the anchors of their HTML."""

from __future__ import annotations

from collections.abc import Iterable

from knowledge.addresses.addresses import Address
from knowledge.locales.locale import Language
from knowledge.resources.base import DocumentPage, LocalizedResource, Resource
from knowledge.resources.errors import NotFound
from knowledge.resources.passages import PageParts, Part, Passage, passages
from knowledge.resources.queries import PageQuery
from knowledge.resources.seo import resolve_route
from knowledge.resources.site_page import page_resource, site_page
from knowledge.views.content_view import ContentView
from renderers.markdown.passage_parts import document_parts, passage_context, passage_page
from renderers.page_rendering import rendering_of
from renderers.titles import page_title


def page_passages(view: ContentView, address: Address) -> Iterable[Passage]:
    """Return the passages of one page, none if the view's readers do not have it."""
    try:
        return passages(page_parts(view, address))
    except NotFound:
        return ()


def page_parts(
    view: ContentView, address: Address, answer: LocalizedResource[Resource] | None = None
) -> PageParts:
    """Return the parts of one page; raises NotFound if the view's readers do not have it.

    `answer` is the resource of the page, if the caller has it.
    """
    own = rendering_of(address.page).page_parts
    if own:
        return own(view, address)
    return _page_parts(view, address, answer or page_resource(view, address, PageQuery()))


def _page_parts(
    view: ContentView, address: Address, answer: LocalizedResource[Resource]
) -> PageParts:
    heading = _heading(view, address, answer.resource)
    context = passage_context(view, address, heading, answer.resource.heading_ids)
    page = passage_page(view, address, resolve_route(view, address), heading)
    write_parts = rendering_of(address.page).parts or document_parts
    parts = list(write_parts(answer.resource, context))
    if all(part.is_listing for part in parts):  # it is found by its title
        parts.insert(0, Part((), context.anchor, ()))
    language = answer.language if isinstance(answer.language, Language) else view.locale.language
    return PageParts(page, context.anchor, tuple(parts), language)


def _heading(view: ContentView, address: Address, resource: Resource) -> str:
    """Return the level-1 heading; only a list needs its breadcrumbs for it."""
    if isinstance(resource, DocumentPage):
        return resource.document.heading
    return page_title(site_page(view, address, PageQuery()))
