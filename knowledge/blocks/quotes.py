"""What customers say."""

from __future__ import annotations

from typing import Literal

from knowledge.blocks.block import NO_ANCHOR, Block, HeadingAnchor, Link, ResponseModel
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
    anchor: HeadingAnchor = NO_ANCHOR


class QuotesBlock(Block):
    """The words of customers."""

    type: Literal["quotes"] = "quotes"
    """Type of the block."""
    introduction: tuple[str, ...] = ()
    """The texts above the words."""
    items: list[Quote]
    """The words in their order."""
    more: Omittable[Link] = None
    """Link to the words of all customers."""
