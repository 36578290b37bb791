"""Links to other pages."""

from typing import Annotated, Literal

from pydantic import Field

from knowledge.blocks.block import Block, ResponseModel
from knowledge.fields.field_types import Omittable


class NamedLink(ResponseModel):
    """A link, and what it is within the page, such as its older neighbour."""

    text: str
    """Words of the link."""
    href: str
    """Site path or URL to which the link leads, empty for a name that leads nowhere."""
    label: Omittable[str] = None
    """What the link is to this page."""
    count: Omittable[int] = None
    """How many documents it leads to."""
    icon: Annotated[str | None, Field(exclude=True)] = None
    """Path of the icon of what it leads to."""
    relation: Annotated[Literal["", "prev", "next"], Field(exclude=True)] = ""
    """Whether it leads to the page before or after this one."""
    language: Annotated[str | None, Field(exclude=True)] = None
    """Language of the words, if it is neither English nor Arabic."""
    hreflang: Annotated[str | None, Field(exclude=True)] = None
    """Language of the page to which it leads, if that is another one."""
    current: Annotated[bool, Field(exclude=True)] = False
    """Whether it leads to what the page shows, or takes back what is chosen."""
    followed: Annotated[bool, Field(exclude=True)] = True
    """Whether crawlers follow it."""


class LinksBlock(Block):
    """Links, as a list or in one line after a label."""

    type: Literal["links"] = "links"
    """Type of the block."""
    label: Omittable[str] = None
    """What all links are, such as `Tags`."""
    items: list[NamedLink]
    """The links in their order."""
    is_ordered: bool = False
    """Whether the order counts, as in a series."""
