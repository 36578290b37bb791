"""Cards, as a list of links with what is known of each document."""

from collections.abc import Iterator
from typing import Any

from knowledge.blocks.block import NO_ANCHOR, Link, Picture, Role
from knowledge.blocks.cards import Card, CardsBlock
from knowledge.blocks.section import DocumentSection
from knowledge.markdown.slugs import Anchors
from knowledge.resources.entry_queries import SectionList
from knowledge.resources.kind_pages import EntryItem
from knowledge.resources.localized import listed_page
from knowledge.resources.passages import Part, text_part
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView
from renderers.blocks.context import MarkdownContext, bullets, link, own_facts, paragraphs


def text(block: CardsBlock, context: MarkdownContext) -> str:
    """Return the documents as a list, and the link to all of them."""
    more = link(block.more.text, block.more.href) if block.more else None
    return paragraphs([block.introduction, *_lists(block, context), more])


def parts(block: CardsBlock, context: MarkdownContext) -> Iterator[Part]:
    """Yield the documents to be found, without the link to all of them."""
    headings = (block.heading,) if block.heading else ()
    yield text_part(headings, block.anchor, block.introduction, *_lists(block, context))


def _lists(block: CardsBlock, context: MarkdownContext) -> Iterator[str]:
    for group in block.groups:
        lines = bullets(_line(each, context) for each in group.items)
        yield f"### {group.title}\n\n{lines}" if group.title else lines


def _line(card: Card, context: MarkdownContext) -> str:
    notes = f" ({context.join(card.notes)})" if any(card.notes) else ""
    facts = context.gettext("; ").join(f"{each.label}: {each.text}" for each in card.facts)
    about = " · ".join(filter(None, (card.summary, facts)))
    title = " › ".join((card.title, *(card.headings or ())))
    return f"{link(title, card.href)}{notes}{': ' if about else ''}{about}"


def claimed(block: CardsBlock, ids: Anchors) -> CardsBlock:
    """Return the cards with the ids that their titles, and those of groups, have in HTML."""
    of_groups: list[str] = []
    of_cards: list[str] = []
    for group in block.groups:
        of_groups.append(ids.claim(group.title) if group.title else "")
        of_cards += [ids.claim(each.title) for each in group.items]
    return block.model_copy(update={"ids": tuple(of_cards), "group_ids": tuple(of_groups)})


def listed_cards(section: DocumentSection, context: MarkdownContext) -> CardsBlock:
    """Return the documents that a section lists, below its text."""
    listed: SectionList = section.listing
    all_of_kind = context.gettext("Show all")
    return CardsBlock(
        id=section.anchor.id or section.id,
        heading=section.heading,
        anchor=section.anchor if section.heading else NO_ANCHOR,
        is_section=True,
        introduction=section.body or "",
        introduction_anchors=section.body_anchors,
        items=[entry_card(each, context, each.group) for each in listed.items],
        more=Link(text=all_of_kind, href=listed.path) if listed.path else None,
        role=Role.LISTING,
    )


def document_card(view: ContentView, document: Resolved[Any]) -> Card:
    """Return a document with its icon, as the home page and the pages of cities show it."""
    page = listed_page(view, document)
    return Card(
        title=page.title,
        href=page.path,
        summary=page.description,
        icon=view.picture(document.fields.icon, document),
    )


def entry_card(item: EntryItem, context: MarkdownContext, group: str | None = None) -> Card:
    """Return a document with the fields of cards, below the heading of a group if it has one."""
    picture = item.picture
    return Card(
        title=item.title,
        href=item.path,
        summary=item.short_description or None,
        facts=tuple(own_facts(item.own, context)),
        picture=Picture(url=picture.path, alt=picture.text) if picture else None,
        group=group,
    )
