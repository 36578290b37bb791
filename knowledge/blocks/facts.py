"""Labelled values, such as the price and the guarantee of a product."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import Field

from knowledge.blocks.block import Block, ResponseModel


class FactText(ResponseModel):
    """One text of a value, and where it leads."""

    text: str
    path: str | None = None
    is_code: bool = False
    """Whether it is written from left to right, such as a telephone number."""

    @property
    def url(self) -> str | None:
        """Where it leads, as lines of contact data name it."""
        return self.path


class Fact(ResponseModel):
    """A value with its label."""

    label: str
    """Label of the value."""
    text: str
    """The value as CommonMark."""
    texts: Annotated[tuple[FactText, ...], Field(exclude=True)] = ()
    """The texts of the value apart, if some lead to other pages."""
    are_lines: Annotated[bool, Field(exclude=True)] = False
    """Whether each text stands in a line of its own."""
    portrait: Annotated[str | None, Field(exclude=True)] = None
    """Path of the picture of the person who is the label."""


class FactsBlock(Block):
    """Values with their labels, in order."""

    type: Literal["facts"] = "facts"
    """Type of the block."""
    items: tuple[Fact, ...]
    """The values."""
    searched: Annotated[tuple[Fact, ...] | None, Field(exclude=True)] = None
    """The values that a search finds, by default all."""
    offer: Annotated[Any, Field(exclude=True)] = None
    """The product whose price and availability the values are."""


def facts_of(pairs: Iterable[tuple[str, str]]) -> tuple[Fact, ...]:
    """Return labels and texts as facts."""
    return tuple(Fact(label=label, text=text) for label, text in pairs)
