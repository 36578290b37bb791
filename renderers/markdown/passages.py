"""The passages of pages, with the labels and the anchors of their HTML.

The ids of headings that templates write are claimed in the order of the templates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from knowledge.addresses.addresses import Address
from knowledge.fields.content_types import PAGE, SITE
from knowledge.locales.locale import Language
from knowledge.markdown.slugs import Anchor, Anchors
from knowledge.resources.base import LocalizedResource, Resource
from knowledge.resources.document_page import DocumentPage, title_of
from knowledge.resources.errors import NotFound
from knowledge.resources.pages import CONTENT_PAGE
from knowledge.resources.passages import (
    PageParts,
    Part,
    Passage,
    PassagePage,
    passages,
    section_parts,
    text_part,
)
from knowledge.resources.queries import PageQuery
from knowledge.resources.seo import resolve_route
from knowledge.resources.site_map import DEVELOPERS, developers_page
from knowledge.resources.site_page import page_resource, site_page
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView
from renderers.l10n.translation import in_site_texts
from renderers.markdown.context import (
    MarkdownContext,
    facts,
    labelled,
    link_text,
    own_lines,
    own_values_of,
    with_facts,
)
from renderers.page_rendering import page_title, rendering_of


def page_passages(view: ContentView, address: Address) -> Iterable[Passage]:
    """Return the passages of one page, none if the view's readers do not have it."""
    try:
        return passages(page_parts(view, address))
    except NotFound:
        return passages(_manual(view)) if address.path == DEVELOPERS.path else ()


def _manual(view: ContentView) -> PageParts:
    """Return what is found of the manual of the API, which is the same in all countries."""
    page = developers_page(view.locale.language, view.snapshot.locales)
    shown = PassagePage(
        address=Address(CONTENT_PAGE, DEVELOPERS.path.removeprefix("/")),
        kind=PAGE,
        slug=DEVELOPERS.path.removeprefix("/"),
        path=page.path,
        title=page.title,
        heading=page.title,
    )
    anchor = Anchors().anchor(page.title)
    part = text_part((), anchor, page.description, page.summary)
    return PageParts(shown, anchor, (part,), page.language)


@in_site_texts
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


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageContext(MarkdownContext):
    """The page whose passages are written, and the ids of its headings.

    `anchor` is that of the level-1 heading. Links lead to pages, not to their markdown.
    """

    view: ContentView
    address: Address
    ids: Anchors
    anchor: Anchor

    def page_link(self, title: str, path: str) -> str:
        """Return a link to the page at a site path."""
        return f"[{link_text(title)}]({path})"


def passage_context(
    view: ContentView, address: Address, heading: str, ids: Iterable[str] = ()
) -> PassageContext:
    """Return the context of a page with this level-1 heading, beside the ids of its text."""
    anchors = Anchors(ids)
    return PassageContext(
        locale=view.locale,
        snapshot=view.snapshot,
        view=view,
        address=address,
        ids=anchors,
        anchor=anchors.anchor(heading),
    )


def passage_page(
    view: ContentView, address: Address, shown: Resolved | None, heading: str
) -> PassagePage:
    """Return the page of passages; `shown` is its document, None for a list without one."""
    return PassagePage(
        address=address,
        kind=shown.entry.kind if shown and not address.page.is_list else SITE,
        slug=shown.entry.slug if shown else address.page.name,
        path=view.locale.path + address.path,
        title=title_of(shown) if shown and shown.entry.kind != SITE else heading,
        heading=heading,
        updated_at=shown.updated_at if shown else None,
    )


def texts(headings: tuple[str, ...], anchor: Anchor, *parts: str | None) -> Iterator[Part]:
    """Yield the part of some texts under a heading, nothing if all are empty."""
    part = text_part(headings, anchor, *parts)
    if part.blocks:
        yield part


def listing(headings: tuple[str, ...], anchor: Anchor, text: str) -> Part:
    """Return the part of a list of links with texts of the pages that they lead to."""
    return text_part(headings, anchor, text, is_listing=True)


def document_parts(
    resource: Resource, context: PassageContext, *opening: str | None
) -> Iterator[Part]:
    """Yield the parts of a page of one document; `opening` follows its short description."""
    if not isinstance(resource, DocumentPage):
        return
    own = own_lines(own_values_of(resource), context, searched=True)
    document, shown = resource.document, labelled((*facts(resource, context.locale), *own))
    yield from texts((), context.anchor, document.short_description, *opening, shown)
    yield from section_parts(with_facts(document.sections, context))
