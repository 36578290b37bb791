"""Passages that answer a question, each below its titles and above its URL."""

from knowledge.blocks.answers import AnswersBlock
from renderers.blocks.context import MarkdownContext, paragraphs


def text(block: AnswersBlock, _: MarkdownContext) -> str:
    """Return the passages so that each can be quoted."""
    return paragraphs(f"## {each.title}\n\n{each.words}\n\n<{each.url}>" for each in block.items)
