"""The blocks of a post's body, with the anchors of their headings."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.documents.document import Document
from knowledge.markdown.anchors import Anchor, allocate
from knowledge.markdown.blocks import Block, parse_blocks
from knowledge.markdown.memoize import document_cache

AnchoredBlocks = tuple[tuple[Block, tuple[Anchor, ...]], ...]
"""Blocks, each with the anchors of the headings in it."""


@document_cache(512)
def post_blocks(document: Document) -> AnchoredBlocks:
    """Return each block of a post with the anchors of the headings in it."""
    blocks = tuple(_blocks(document.body))
    anchors = allocate(tuple(block.headings for block in blocks))
    return tuple(zip(blocks, anchors, strict=True))


def _blocks(body: str) -> Iterator[Block]:
    """Yield the blocks of a body; a directive yields its heading and its content."""
    for block in parse_blocks(body):
        if block.directive is None:
            yield block
            continue
        if block.directive.title:
            yield from parse_blocks(f"## {block.directive.title}")
        inner = parse_blocks(block.directive.text)
        yield from (child for child in inner if child.directive is None)
