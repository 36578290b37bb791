"""The base of all blocks: the facts that pages, passages and JSON share.

A type of block is a class here in a module of its name, and its text in the module of the same name
in `renderers/blocks/`.
"""

from collections.abc import Iterable
from enum import Enum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from knowledge.fields.field_types import Omittable
from knowledge.markdown.slugs import Anchor


class ResponseModel(BaseModel):
    """Base of all that JSON responses are made of: immutable, with camelCase keys."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        serialize_by_alias=True,
        frozen=True,
        json_schema_serialization_defaults_required=True,
        defer_build=True,
    )

    @property
    def heading_ids(self) -> tuple[str, ...]:
        """The ids of the headings in its own text, also the former ones."""
        return ()


def anchor_ids(anchors: Iterable[Anchor]) -> tuple[str, ...]:
    """Return the ids of anchors, also the former ones."""
    return tuple([each for anchor in anchors for each in anchor if each])


class Link(ResponseModel):
    """A link and its words."""

    text: str
    """Words of the link."""
    href: str
    """Site path or URL to which the link leads."""


class Picture(ResponseModel):
    """A picture, and its size in pixels if that is known."""

    url: str
    """Site path or URL of the picture; the path has a hash of its bytes."""
    alt: str
    """Alternative text of the picture."""
    width: Omittable[int] = None
    """Width in pixels."""
    height: Omittable[int] = None
    """Height in pixels."""


class Role(Enum):
    """What a block is to the page that has it."""

    TEXT = "text"
    """The page's own text."""

    LISTING = "listing"
    """Repeats texts of the pages to which it links."""

    NAVIGATION = "navigation"
    """Leads on to other pages, and is not searched."""


HeadingAnchor = Annotated[Anchor, Field(exclude=True)]
"""The anchor of a heading; not in the response body."""

HeadingAnchors = Annotated[tuple[Anchor, ...], Field(exclude=True)]
"""The anchors of headings, in order; not in the response body."""

NO_ANCHOR = Anchor("")


class Block(ResponseModel):
    """One block of a page below its title, or below the heading that it has."""

    type: str
    """Type of the block."""
    id: Omittable[str] = None
    """Id of its heading in HTML."""
    heading: Omittable[str] = None
    """Heading of level 2."""
    text: str = ""
    """The block below its heading, as CommonMark."""
    links: tuple[Link, ...] = ()
    """Links in the text."""
    pictures: tuple[Picture, ...] = ()
    """Pictures in the text."""

    anchor: HeadingAnchor = NO_ANCHOR
    place: Annotated[str, Field(exclude=True)] = "text"
    """The part of the page's template that shows it."""
    role: Annotated[Role, Field(exclude=True)] = Role.TEXT
    has_prices: Annotated[bool, Field(exclude=True)] = False
    """Whether it says what is sold for how much."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show: no items, in a type that has some."""
        return not getattr(self, "items", True)
