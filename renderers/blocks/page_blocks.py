"""The blocks of a page: composed once, and read by markdown, JSON and the search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from knowledge.addresses.addresses import Address, page_of
from knowledge.blocks.block import NO_ANCHOR, Block
from knowledge.blocks.facts import FactsBlock, facts_of
from knowledge.blocks.section import DocumentSection, SectionBlock
from knowledge.blocks.text import TextBlock
from knowledge.markdown.slugs import Anchor, Anchors
from knowledge.resources.base import LocalizedResource, PageResource, Resource
from knowledge.resources.document_page import DocumentPage
from knowledge.resources.home import Homepage
from knowledge.resources.kind_pages import EntryDetail, EntryList
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_page import PageContent, page_resource
from knowledge.views.content_view import ContentView
from renderers.blocks.context import MarkdownContext, facts, own_lines, own_values_of
from renderers.blocks.rendering import rendering_of_block
from renderers.page_rendering import rendering_of


def context_of(page: PageContent[Any]) -> MarkdownContext:
    """Return the context in which the blocks of a page are written."""
    return MarkdownContext(page.locale, page.view.snapshot, page.view.is_static)


def page_blocks(page: PageContent[Any], heading: str) -> tuple[Anchor, list[Block]]:
    """Return the anchor of a page's title, and its blocks with their texts.

    The ids of headings are claimed in the order in which the HTML shows them.
    """
    context, ids = context_of(page), Anchors(page.resource.heading_ids)
    compose = rendering_of(page.address.page).blocks or document_blocks
    anchor = ids.anchor(heading)
    found = (_written(each, context, ids) for each in compose(page, context))
    return anchor, [each for each in found if each.text or isinstance(each, SectionBlock)]


def _written(block: Block, context: MarkdownContext, ids: Anchors) -> Block:
    """Return a block with its text and the ids of its headings; an empty one claims none."""
    rendering = rendering_of_block(type(block))
    text = rendering.text(block, context)
    if not text:
        return block
    named = block.anchor if block.anchor != NO_ANCHOR else None
    if block.heading and named is None:
        named = ids.anchor(block.heading, block.id or "")
    block = block.model_copy(
        update={
            "text": text,
            "anchor": named or NO_ANCHOR,
            "id": (named.id if named else None) if block.heading else block.id,
        }
    )
    written: Block = rendering.claimed(block, ids)
    return written


def document_blocks(page: PageContent[Resource], context: MarkdownContext) -> Iterator[Block]:
    """Yield the blocks of a page of one document: its introduction, its sections, its facts."""
    resource = page.resource
    if isinstance(resource, DocumentPage):
        document = resource.document
        yield TextBlock(text=document.short_description or "")
        yield from section_blocks(document.sections)
    yield fact_block(resource, context)


def section_blocks(sections: Iterable[DocumentSection]) -> Iterator[Block]:
    """Yield a block for each section."""
    for section in sections:
        yield SectionBlock(
            type=section.type,
            id=section.anchor.id or section.id,
            heading=section.heading,
            anchor=section.anchor if section.heading else Anchor(section.id),
            items=section.items,
            form=section.form,
            section=section,
        )


def fact_block(resource: Resource, context: MarkdownContext) -> Block:
    """Return the labelled values that a page shows of its document."""
    built_in, values = facts(resource, context.locale), own_values_of(resource)
    shown, searched = (
        facts_of((*built_in, *own_lines(values, context, searched=each))) for each in (False, True)
    )
    return FactsBlock(items=shown, searched=searched)


def content_of(view: ContentView, answer: LocalizedResource[Resource]) -> PageContent[Any] | None:
    """Return the page that shows a resource of the API; None if there is no such page."""
    resource, document, types = answer.resource, answer.document, view.snapshot.page_types
    if not isinstance(resource, PageResource):
        return None
    declared = {kind.name: kind for kind in view.snapshot.kinds.declared}
    if isinstance(resource, EntryList):
        own = declared.get(resource.kind)
        address = Address(own.list_page) if own and own.list_page else None
    elif document is not None and document.entry.kind in types.by_content_type:
        address = page_of(document.entry.kind, document.entry.slug, view.snapshot)
        if document.city:
            in_city = (each for each in types.all if each.in_city)
            kinds = ((each, each.content_types) for each in in_city)
            page = next(each for each, found in kinds if document.entry.kind in found)
            address = Address(page, document.entry.slug, document.city)
        if isinstance(resource, EntryDetail) and resource.entry.kind not in declared:
            answer = page_resource(view, address, PageQuery())  # its page has another one
    else:
        shown = (each for each in types.all if type(resource) in rendering_of(each).resources)
        address = next((Address(each) for each in shown), None)
    return PageContent(view, address, PageQuery(), answer) if address else None


def has_blocks(answer: LocalizedResource[Resource]) -> bool:
    """Return whether the API sends blocks with a resource: with what one page alone shows."""
    resource = answer.resource
    if not isinstance(resource, PageResource) or not resource.has_blocks:
        return False
    return answer.document is not None or isinstance(resource, Homepage)
