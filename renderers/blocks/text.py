"""A text, which may have headings of its own."""

from collections.abc import Iterator

from knowledge.blocks.text import TextBlock
from knowledge.resources.passages import Part, text_parts
from renderers.blocks.context import MarkdownContext


def text(block: TextBlock, _: MarkdownContext) -> str:
    """Return the text as it is."""
    return block.text


def parts(block: TextBlock, _: MarkdownContext) -> Iterator[Part]:
    """Yield the parts of the text, cut at its headings."""
    headings = (block.heading,) if block.heading else ()
    return text_parts(block.text, block.text_anchors, headings, block.anchor, block.parsed)
