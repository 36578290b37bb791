"""The passages of pages, cut from their blocks, with the anchors of their HTML."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from knowledge.addresses.addresses import Address
from knowledge.blocks.block import NO_ANCHOR, Block, Role
from knowledge.fields.content_types import PAGE, SITE
from knowledge.locales.locale import Language
from knowledge.markdown.slugs import Anchor, Anchors
from knowledge.resources.base import LocalizedResource, Resource
from knowledge.resources.document_page import title_of
from knowledge.resources.errors import NotFound
from knowledge.resources.pages import CONTENT_PAGE
from knowledge.resources.passages import (
    PageParts,
    Part,
    Passage,
    PassagePage,
    passages,
    text_part,
)
from knowledge.resources.queries import PageQuery
from knowledge.resources.seo import resolve_route
from knowledge.resources.site_map import DEVELOPERS, developers_page
from knowledge.resources.site_page import PageContent, page_resource
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView
from renderers.blocks.context import MarkdownContext
from renderers.blocks.page_blocks import context_of, written_blocks
from renderers.blocks.rendering import rendering_of_block
from renderers.l10n.translation import in_site_texts
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
    searched = rendering_of(address.page).searched
    if searched:
        answer = searched(view, address)
    elif answer is None:
        answer = page_resource(view, address, PageQuery())
    content = PageContent(view, address, PageQuery(), answer)
    heading = page_title(content)
    anchor, blocks = written_blocks(content, heading)
    page = passage_page(view, address, resolve_route(view, address), heading)
    parts = list(_parts(blocks, anchor, context_of(content)))
    if all(part.is_listing for part in parts):  # it is found by its title
        parts.insert(0, Part((), anchor, ()))
    language = answer.language if isinstance(answer.language, Language) else view.locale.language
    return PageParts(page, anchor, tuple(parts), language)


def _parts(blocks: Iterable[Block], anchor: Anchor, context: MarkdownContext) -> Iterator[Part]:
    """Yield the parts of blocks; what stands below no heading belongs to the title of the page."""
    opening, others = Part((), anchor, ()), []
    for block in blocks:
        if block.role is Role.NAVIGATION:
            continue
        is_listing = block.role is Role.LISTING
        for part in rendering_of_block(type(block)).parts(block, context):
            own = replace(
                part,
                anchor=anchor if part.anchor == NO_ANCHOR else part.anchor,
                is_listing=is_listing or part.is_listing,
                has_prices=block.has_prices or part.has_prices,
            )
            if own.headings or own.is_listing or own.anchor != anchor:
                others.append(own)
            else:
                has_prices = opening.has_prices or own.has_prices
                texts = (*opening.blocks, *own.blocks)
                opening = replace(opening, blocks=texts, has_prices=has_prices)
    if opening.blocks:
        yield opening
    yield from others


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
