"""What customers say."""

from typing import Annotated, Literal

from pydantic import Field

from knowledge.blocks.block import Block, HeadingAnchors, Link, ResponseModel
from knowledge.fields.field_types import Omittable


class Quote(ResponseModel):
    """The words of one customer, and who that is."""

    words: str
    """What the customer says, as CommonMark."""
    title: str
    """Name of the company, else that of the customer."""
    name: str
    """Name of the customer."""
    role: Omittable[str] = None
    """Role of the customer."""
    company: Omittable[str] = None
    """Company of the customer."""
    place: tuple[str, ...] = ()
    """Line of business, city and country."""
    rating: Omittable[float] = None
    """Rating out of 5."""
    verified: Omittable[str] = None
    """The words that say that the customer is verified."""
    more: Omittable[Link] = None
    """Link to the story of the customer."""
    portrait: Annotated[str | None, Field(exclude=True)] = None
    """Path of the picture of the customer."""


class QuotesBlock(Block):
    """The words of customers."""

    type: Literal["quotes"] = "quotes"
    """Type of the block."""
    introduction: tuple[str, ...] = ()
    """The texts above the words."""
    anchors: HeadingAnchors = ()
    """The anchors of the words in HTML."""
    eyebrow: Annotated[str | None, Field(exclude=True)] = None
    """The one of these texts that stands above the heading."""
    items: list[Quote]
    """The words in their order."""
    more: Omittable[Link] = None
    """Link to the words of all customers."""
