"""Cards: documents of a list, each with what a reader needs to choose it."""

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import Field

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
    icon: Annotated[str | None, Field(exclude=True)] = None
    """Path of the icon of the document."""
    category: Annotated[str | None, Field(exclude=True)] = None
    """Name of the category of a post."""
    language: Annotated[str | None, Field(exclude=True)] = None
    """Language of the texts, if it is neither English nor Arabic."""
    offer: Annotated[Any, Field(exclude=True)] = None
    """The product whose prices and availability the card shows."""


class CardsBlock(Block):
    """Documents of one kind, or pages of one group, that the page leads to."""

    type: Literal["cards"] = "cards"
    """Type of the block."""
    items: list[Card]
    """The documents in their order."""
    more: Omittable[Link] = None
    """Link to all documents of the kind."""
    ids: Annotated[tuple[str, ...], Field(exclude=True)] = ()
    """Ids of the titles in HTML."""
    are_posts: Annotated[bool, Field(exclude=True)] = False
    """Whether the documents are posts, whose cards have their days."""
    is_choice: Annotated[bool, Field(exclude=True)] = False
    """Whether visitors choose some of the documents."""
