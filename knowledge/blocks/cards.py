"""Cards: documents of a list, each with what a reader needs to choose it."""

from __future__ import annotations

from datetime import date
from typing import Literal

from knowledge.blocks.block import Block, Link, Picture, ResponseModel
from knowledge.blocks.facts import Fact
from knowledge.fields.field_types import Omittable


class Card(ResponseModel):
    """One document of a list."""

    title: str
    """Title of the document."""
    href: str
    """Site path of its page."""
    summary: Omittable[str] = None
    """What the document is about."""
    notes: tuple[str, ...] = ()
    """What stands beside the title, such as a category, a price or whether it is in stock."""
    facts: tuple[Fact, ...] = ()
    """Labelled values of the document."""
    published: Omittable[date] = None
    """Day of publication."""
    picture: Omittable[Picture] = None
    """Picture of the document."""


class CardsBlock(Block):
    """Documents of one kind, or pages of one group, that the page leads to."""

    type: Literal["cards"] = "cards"
    """Type of the block."""
    items: list[Card]
    """The documents in their order."""
    more: Omittable[Link] = None
    """Link to all documents of the kind."""
