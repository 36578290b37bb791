"""Pictures, below each other."""

from knowledge.blocks.pictures import PicturesBlock
from renderers.blocks.context import MarkdownContext, image, paragraphs


def text(block: PicturesBlock, _: MarkdownContext) -> str:
    """Return the pictures."""
    return paragraphs(map(image, block.items))
