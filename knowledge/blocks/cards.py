"""Cards: documents of a list, each with what a reader needs to choose it."""

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import groupby
from operator import attrgetter
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from knowledge.blocks.block import Block, HeadingAnchors, Link, Picture, ResponseModel
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
    headings: Omittable[tuple[str, ...]] = None
    """Headings of the page above what was found."""
    facts: tuple[Fact, ...] = ()
    """Labelled values of the document."""
    published: Omittable[date] = None
    """Day of publication."""
    picture: Omittable[Picture] = None
    """Picture of the document."""
    above: Annotated[tuple[str, ...], Field(exclude=True)] = ()
    """Titles of the pages above the document."""
    icon: Annotated[str | None, Field(exclude=True)] = None
    """Path of the icon of the document."""
    category: Annotated[str | None, Field(exclude=True)] = None
    """Name of the category of a post."""
    language: Annotated[str | None, Field(exclude=True)] = None
    """Language of the texts, if it is neither English nor Arabic."""
    offer: Annotated[Any, Field(exclude=True)] = None
    """The product whose prices and availability the card shows."""
    group: Omittable[str] = None
    """Title of the group of the document, in a list with groups."""


class CardGroup(NamedTuple):
    """Cards below one title; those of a list without groups have none."""

    title: str
    id: str
    items: Sequence[Card]
    ids: Sequence[str]


class CardsBlock(Block):
    """Documents of one kind, or pages of one group, that the page leads to."""

    type: Literal["cards"] = "cards"
    """Type of the block."""
    items: list[Card]
    """The documents in their order."""
    more: Omittable[Link] = None
    """Link to all documents of the kind."""
    is_section: Annotated[bool, Field(exclude=True)] = False
    """Whether an author put them between other sections."""
    introduction: Annotated[str, Field(exclude=True)] = ""
    """Text before the documents, as CommonMark."""
    introduction_anchors: HeadingAnchors = ()
    """Anchors of the headings in that text."""
    ids: Annotated[tuple[str, ...], Field(exclude=True)] = ()
    """Ids of the titles in HTML."""
    group_ids: Annotated[tuple[str, ...], Field(exclude=True)] = ()
    """Ids of the titles of groups in HTML."""
    are_posts: Annotated[bool, Field(exclude=True)] = False
    """Whether the documents are posts, whose cards have their days."""
    is_choice: Annotated[bool, Field(exclude=True)] = False
    """Whether visitors choose some of the documents."""

    @property
    def groups(self) -> Iterator[CardGroup]:
        """The documents by their groups, in order."""
        start = 0
        for number, (title, found) in enumerate(groupby(self.items, attrgetter("group"))):
            items = list(found)
            ids, id_ = self.ids[start : start + len(items)], self.group_ids[number : number + 1]
            yield CardGroup(title or "", "".join(id_), items, ids)
            start += len(items)
