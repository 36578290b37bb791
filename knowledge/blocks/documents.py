"""Documentation in its folders, as a tree."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

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
    start: Annotated[str, Field(exclude=True)] = ""
    """Site path of the first document of a folder."""
    is_group: Annotated[bool, Field(exclude=True)] = False
    """Whether it only puts documents below one title."""
    id: Annotated[str, Field(exclude=True)] = ""
    """Id of the title in HTML."""
    items: tuple[TreeItem, ...] = ()
    """What is in the folder."""


class DocumentsBlock(Block):
    """Documents in their folders."""

    type: Literal["documents"] = "documents"
    """Type of the block."""
    items: list[TreeItem]
    """The documents of the first level."""
