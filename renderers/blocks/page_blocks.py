"""The blocks of a page: composed once, and read by markdown, JSON and the search."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from knowledge.addresses.addresses import Address
from knowledge.blocks.block import NO_ANCHOR, Block, Picture, Role
from knowledge.blocks.facts import FactsBlock
from knowledge.blocks.pictures import PicturesBlock
from knowledge.blocks.section import DocumentSection, SectionBlock, opening_section
from knowledge.blocks.table import TableBlock
from knowledge.blocks.text import TextBlock
from knowledge.edits import reads_so_far
from knowledge.markdown.slugs import Anchor, Anchors
from knowledge.resources.base import LocalizedResource, PageResource, Resource
from knowledge.resources.document_page import DocumentPage, shown_address
from knowledge.resources.home import Homepage
from knowledge.resources.kind_pages import EntryDetail, EntryList
from knowledge.resources.own_values import OwnText, OwnValue
from knowledge.resources.plans import lowest_price
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_page import PageContent, PageModel, page_resource
from knowledge.views.content_view import ContentView
from renderers.blocks.cards import listed_cards
from renderers.blocks.context import (
    MarkdownContext,
    link,
    own_facts,
    own_values_of,
    paragraphs,
)
from renderers.blocks.rendering import rendering_of_block
from renderers.l10n.field_words import day_names, period, spans
from renderers.l10n.formats import price_words
from renderers.page_rendering import rendering_of

Part = TypeVar("Part")


@cache
def plain_query() -> PageQuery:
    """Return the query of a page that was asked for without one."""
    return PageQuery()


def context_of(page: PageContent[Any]) -> MarkdownContext:
    """Return the context in which the blocks of a page are written."""
    return MarkdownContext(page.locale, page.view.snapshot, page.view.is_static)


@dataclass(frozen=True, slots=True)
class PageBlocks:
    """The blocks of a page, the anchor of its title, and the ids that both have taken."""

    anchor: Anchor
    all: Sequence[Block]
    ids: Anchors

    def at(self, place: str) -> Sequence[Block]:
        """Return the blocks that the page's template shows in one place."""
        return [each for each in self.all if each.place == place]


def page_blocks(page: PageContent[Any], heading: str) -> PageBlocks:
    """Return the blocks of a page below its title, without what is empty."""
    return page_part(page, ("blocks",), lambda: _composed(page, heading))


def page_part(page: PageContent[Any], name: tuple[str, ...], make: Callable[[], Part]) -> Part:
    """Return a part of a page, made once for all its forms unless the page answers a query.

    What it is made of is read before, or by `make`; no part is made within another one.
    """
    if not isinstance(page, PageModel) or page.query != plain_query():
        return make()
    return page.view.part((*name, page.address), make, reads_so_far())  # with its resource


def _composed(page: PageContent[Any], heading: str) -> PageBlocks:
    """Compose the blocks of a page."""
    compose = rendering_of(page.address.page).blocks or document_blocks
    return with_ids(compose(page, context_of(page)), heading, page.resource.heading_ids)


def with_ids(blocks: Iterable[Block], heading: str, taken: Iterable[str] = ()) -> PageBlocks:
    """Return blocks below a title, without what is empty; some ids are taken by their texts.

    Ids of headings are claimed in the order in which HTML shows them.
    """
    ids = Anchors(taken)
    anchor = ids.anchor(heading)
    return PageBlocks(anchor, [_claimed(each, ids) for each in blocks if not each.is_empty], ids)


def _claimed(block: Block, ids: Anchors) -> Block:
    """Return a block with the ids of its headings."""
    if block.heading:
        named = block.anchor
        if named == NO_ANCHOR:
            named = ids.anchor(block.heading, block.id or "")
        block = block.model_copy(update={"anchor": named, "id": named.id})
    claimed: Block = rendering_of_block(type(block)).claimed(block, ids)
    return claimed


def written_blocks(page: PageContent[Any], heading: str) -> tuple[Anchor, list[Block]]:
    """Return the anchor of a page's title, and its blocks with their texts in CommonMark."""
    context, found = context_of(page), page_blocks(page, heading)

    def texts() -> list[Block]:
        return written(found.all, context)

    return found.anchor, page_part(page, ("written blocks",), texts)


def written(blocks: Iterable[Block], context: MarkdownContext) -> list[Block]:
    """Return blocks with their texts in CommonMark."""
    return [
        each.model_copy(update={"text": rendering_of_block(type(each)).text(each, context)})
        for each in blocks
    ]


def text_of(blocks: Iterable[Block]) -> str:
    """Return blocks with texts below each other, each below its heading."""
    return paragraphs(
        part
        for block in blocks
        for part in (f"## {block.heading}" if block.heading else None, block.text)
    )


def document_blocks(
    page: PageContent[Resource], context: MarkdownContext, *, opened: bool = False
) -> Iterator[Block]:
    """Yield the blocks of a page of one document: its introduction, its sections, its facts.

    A page is `opened` if a hero without a heading is a part of its title. The facts of a document
    of a declared kind stand before its sections.
    """
    resource = page.resource
    facts = (fact_block(resource, context), *hours_blocks(resource, context))
    are_first = isinstance(resource, EntryDetail)
    if isinstance(resource, DocumentPage):
        document = resource.document
        yield TextBlock(text=document.short_description or "", place="introduction")
        if are_first:
            yield picture_block(resource)
            yield from facts
        opener = opening_section(document.sections) if opened else None
        if opener:
            yield from section_blocks([opener], context, place="introduction")
        rest = (each for each in document.sections if each is not opener)
        yield from section_blocks(rest, context)
    yield from () if are_first else facts


def section_blocks(
    sections: Iterable[DocumentSection], context: MarkdownContext, place: str = "text"
) -> Iterator[Block]:
    """Yield a block for each section."""
    for section in sections:
        if section.listing:
            yield listed_cards(section, context).model_copy(update={"place": place})
            continue
        yield SectionBlock(
            type=section.type,
            id=section.anchor.id or section.id,
            heading=section.heading,
            anchor=section.anchor if section.heading else Anchor(section.id),
            items=section.items,
            form=section.form,
            section=section,
            place=place,
        )


def price_block(view: ContentView, context: MarkdownContext) -> Block:
    """Return the lowest price of the site's plans with a link to them, empty without one."""
    found = lowest_price(view)
    if found is None:
        return TextBlock(place="price")
    words = price_words(found.price, context.locale)
    amount = " ".join(f"{words.amount} {words.period}".split())
    text = link(context.gettext("From %(price)s") % {"price": amount}, found.path)
    note = context.join((text, words.note))
    return TextBlock(text=note, role=Role.NAVIGATION, place="price")


def fact_block(resource: Resource, context: MarkdownContext) -> Block:
    """Return the labelled values that a page shows of its document."""
    values = own_values_of(resource)
    shown, searched = (tuple(own_facts(values, context, searched=each)) for each in (False, True))
    return FactsBlock(items=shown, searched=searched, place="own_fields")


def picture_block(resource: Resource) -> Block:
    """Return the pictures among the values that a page shows of its document."""
    pictures = [
        Picture(url=shown.path, alt=shown.text)
        for value in own_values_of(resource)
        if value.field.type == "image" and value.field.is_shown
        for shown in value.shown
        if isinstance(shown, OwnText) and shown.path
    ]
    return PicturesBlock(items=pictures, role=Role.NAVIGATION, place="pictures")


def hours_blocks(resource: Resource, context: MarkdownContext) -> Iterator[Block]:
    """Yield the opening hours of a page's document as tables, unless a sentence says it all."""
    for value in own_values_of(resource):
        is_shown = value.field.type == "hours" and value.field.is_shown
        if is_shown and not _is_always_open(value.json):
            yield hours_table(value, context)


def _is_always_open(hours: Mapping[str, Any]) -> bool:
    always = [{"opens": "00:00", "closes": "24:00"}]
    is_varied = hours["seasons"] or hours["exceptions"]
    return not is_varied and all(day["spans"] == always for day in hours["days"])


def hours_table(value: OwnValue, context: MarkdownContext) -> Block:
    """Return opening hours by day, in the order of the country's week; then the exceptions."""
    locale, json, names = context.locale, value.json, day_names(context.language)
    weeks = [json["days"], *(each["days"] for each in json["seasons"])]
    usual = context.gettext("Usual hours") if json["seasons"] else value.label
    rows = [
        [names[each[0]["day"]], *(spans(day["spans"], locale) for day in each)]
        for each in zip(*weeks, strict=True)
    ]
    rows += [
        [period(each, locale), *([spans(each["spans"], locale)] * len(weeks))]
        for each in json["exceptions"]
    ]
    columns = ["", usual, *(period(each, locale) for each in json["seasons"])]
    return TableBlock(heading=value.label, columns=columns, rows=rows, place="own_fields")


def content_of(view: ContentView, answer: LocalizedResource[Resource]) -> PageContent[Any] | None:
    """Return the page that shows a resource of the API; None if there is no such page."""
    resource, document, types = answer.resource, answer.document, view.snapshot.page_types
    if not isinstance(resource, PageResource):
        return None
    declared = {kind.name: kind for kind in view.snapshot.kinds.declared}
    if isinstance(resource, EntryList):
        own = declared.get(resource.kind)
        address = Address(own.list_page) if own and own.list_page else None
    elif document is not None and (address := shown_address(view, document)):
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
