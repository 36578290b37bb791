"""Body blocks: the text of a document without sections, as API clients get it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from knowledge.documents.body import post_blocks
from knowledge.markdown.blocks import BLOCK_TYPES
from knowledge.resources.base import HeadingAnchors, Resource, enum_schema
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView


class BodyBlock(Resource):
    """One block of a text: its mdast node type, and its CommonMark in `text`."""

    type: Annotated[str, enum_schema(BLOCK_TYPES)]
    """Type of the block, as in mdast."""
    text: str
    """Text of the block as CommonMark."""
    anchors: HeadingAnchors = ()
    """The anchors of the headings in the block."""


class BodyHeading(Resource):
    """A heading of a text: the id to link to, its plain text, and its level in the source."""

    id: str
    """Id of the heading, to link to."""
    text: str
    """Text of the heading, without markup."""
    level: Annotated[int, Field(ge=1, le=6)]
    """Level of the heading in the source."""


def body_headings(resolved: Resolved) -> list[BodyHeading]:
    """Return the headings of a document's text that stand in no other block."""
    return [
        BodyHeading(id=anchors[0].id, text=block.headings[0].text, level=block.level)
        for document in resolved.bodies[-1:]
        for block, anchors in post_blocks(document)
        if block.type == "heading" and anchors
    ]


def body_blocks(view: ContentView, resolved: Resolved) -> list[BodyBlock]:
    """Return the blocks of a document's text in the language that is shown."""
    return [
        BodyBlock(type=block.type, text=view.markdown(block.text, document.path), anchors=anchors)
        for document in resolved.bodies[-1:]
        for block, anchors in post_blocks(document)
    ]
