"""Figures, as a list."""

from knowledge.blocks.figures import FiguresBlock
from renderers.blocks.context import MarkdownContext, bullets


def text(block: FiguresBlock, _: MarkdownContext) -> str:
    """Return each figure before what it counts."""
    return bullets(f"**{each.value}** {each.label}".rstrip() for each in block.items)
