"""Labelled values, as a list."""

from collections.abc import Iterator

from knowledge.blocks.facts import FactsBlock
from knowledge.resources.passages import Part, text_part
from renderers.blocks.context import MarkdownContext, labelled


def text(block: FactsBlock, _: MarkdownContext) -> str:
    """Return each value behind its label."""
    return labelled(block.items)


def parts(block: FactsBlock, _: MarkdownContext) -> Iterator[Part]:
    """Yield the values that a search finds."""
    headings = (block.heading,) if block.heading else ()
    searched = block.items if block.searched is None else block.searched
    yield text_part(headings, block.anchor, labelled(searched))
