"""What the passages of all types of page share: their context, and the parts of a document.

The ids of headings that templates write are claimed in the order of the templates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from knowledge.addresses.addresses import Address
from knowledge.fields.content_types import SITE
from knowledge.markdown.anchors import Anchors
from knowledge.resources.base import DocumentPage, Resource, title_of
from knowledge.resources.passages import Part, PassagePage, section_parts, text_part
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView
from renderers.markdown.context import MarkdownContext, labelled, link_text
from renderers.markdown.facts import facts
from renderers.markdown.section_items import with_facts


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageContext(MarkdownContext):
    """The page whose passages are written, and the ids of its headings.

    `anchor` is that of the level-1 heading. Links lead to pages, not to their markdown.
    """

    view: ContentView
    address: Address
    ids: Anchors
    anchor: str

    def link(self, title: str, address: Address) -> str:
        """Return a link to another page."""
        return f"[{link_text(title)}]({self.locale.path}{address.path})"


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
        anchor=anchors.claim(heading),
    )


def passage_page(
    view: ContentView, address: Address, shown: Resolved | None, heading: str
) -> PassagePage:
    """Return the page of passages; `shown` is its document, None for a list without one."""
    return PassagePage(
        address=address,
        kind=shown.entry.kind if shown else SITE,
        slug=shown.entry.slug if shown else address.page.name,
        path=view.locale.path + address.path,
        title=title_of(shown) if shown and shown.entry.kind is not SITE else heading,
        heading=heading,
        updated_at=shown.updated_at if shown else None,
    )


def texts(headings: tuple[str, ...], anchor: str, *parts: str | None) -> Iterator[Part]:
    """Yield the part of some texts under a heading, nothing if all are empty."""
    part = text_part(headings, anchor, *parts)
    if part.blocks:
        yield part


def listing(headings: tuple[str, ...], anchor: str, text: str) -> Part:
    """Return the part of a list of links with texts of the pages that they lead to."""
    return text_part(headings, anchor, text, is_listing=True)


def document_parts(
    resource: Resource, context: PassageContext, *opening: str | None
) -> Iterator[Part]:
    """Yield the parts of a page of one document; `opening` follows its short description."""
    if not isinstance(resource, DocumentPage):
        return
    document, shown = resource.document, labelled(facts(resource, context.locale))
    yield from texts((), context.anchor, document.short_description, *opening, shown)
    yield from section_parts(with_facts(document.sections, context))
