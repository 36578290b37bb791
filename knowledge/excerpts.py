"""Excerpts: what stands for a post where its author wrote none."""

from __future__ import annotations

from functools import lru_cache

from knowledge.blocks import Block, parse_blocks
from knowledge.documents import Document
from knowledge.inline import plain_text

# Enough for the first paragraph of nearly every post, and far cheaper than the whole body.
_HEAD_CHARACTERS = 2_000


@lru_cache(maxsize=4096)
def first_paragraph(document: Document) -> str:
    """The plain text of a body's first paragraph, `""` where it has none."""
    body = document.body
    head = body[:_HEAD_CHARACTERS]
    if len(head) < len(body):
        # Cut at a blank line, so that no block is torn.
        head = head[: head.rfind("\n\n") + 1]
        found = _first(parse_blocks(head))
        if found and "[" not in found:  # a reference may be defined below the cut
            return found
    return _first(parse_blocks(body))


def _first(blocks: tuple[Block, ...]) -> str:
    paragraphs = (plain_text(block.text) for block in blocks if block.type == "paragraph")
    return next((text for text in paragraphs if text), "")
