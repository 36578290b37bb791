"""Documentation in its folders, as a tree."""

from __future__ import annotations

from typing import Literal

from knowledge.blocks.block import Block, ResponseModel
from knowledge.fields.field_types import Omittable


class TreeItem(ResponseModel):
    """A document, or a folder without a document of its own."""

    title: str
    """Title of the document or folder."""
    href: Omittable[str] = None
    """Site path of the document."""
    summary: Omittable[str] = None
    """What the document is about."""
    items: tuple[TreeItem, ...] = ()
    """What is in the folder."""


class DocumentsBlock(Block):
    """Documents in their folders."""

    type: Literal["documents"] = "documents"
    """Type of the block."""
    items: list[TreeItem]
    """The documents of the first level."""
