"""Body blocks: the text of a document without sections, as API clients get it."""

from __future__ import annotations

from typing import Annotated

from knowledge.blocks import BLOCK_TYPES
from knowledge.content_view import ContentView
from knowledge.layer_resolution import Resolved
from knowledge.post_blocks import post_blocks
from knowledge.resources.base import HeadingAnchors, Resource, enum_schema


class BodyBlock(Resource):
    """One block of a text: its mdast node type, and its CommonMark in `text`."""

    type: Annotated[str, enum_schema(BLOCK_TYPES)]
    text: str
    anchors: HeadingAnchors = ()
    """The anchors of the headings in the block."""


def body_blocks(view: ContentView, resolved: Resolved) -> list[BodyBlock]:
    """Return the blocks of a document's text in the language that is shown."""
    return [
        BodyBlock(type=block.type, text=view.markdown(block.text, document.path), anchors=anchors)
        for document in resolved.bodies[-1:]
        for block, anchors in post_blocks(document)
    ]
