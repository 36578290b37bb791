"""Cards, as a list of links with what is known of each document."""

from collections.abc import Iterator

from knowledge.blocks.cards import Card, CardsBlock
from knowledge.markdown.slugs import Anchors
from knowledge.resources.passages import Part, text_part
from renderers.blocks.context import MarkdownContext, bullets, link, paragraphs


def text(block: CardsBlock, context: MarkdownContext) -> str:
    """Return the documents as a list, and the link to all of them."""
    more = link(block.more.text, block.more.href) if block.more else None
    return paragraphs([_lines(block, context), more])


def parts(block: CardsBlock, context: MarkdownContext) -> Iterator[Part]:
    """Yield the documents to be found, without the link to all of them."""
    headings = (block.heading,) if block.heading else ()
    yield text_part(headings, block.anchor, _lines(block, context))


def _lines(block: CardsBlock, context: MarkdownContext) -> str:
    return bullets(_line(each, context) for each in block.items)


def _line(card: Card, context: MarkdownContext) -> str:
    notes = f" ({context.join(card.notes)})" if any(card.notes) else ""
    facts = context.gettext("; ").join(f"{each.label}: {each.text}" for each in card.facts)
    about = " · ".join(filter(None, (card.summary, facts)))
    return f"{link(card.title, card.href)}{notes}{': ' if about else ''}{about}"


def claimed(block: CardsBlock, ids: Anchors) -> CardsBlock:
    """Return the cards with the ids that their titles have in HTML."""
    return block.model_copy(update={"ids": tuple(ids.claim(each.title) for each in block.items)})
