"""A text in CommonMark, perhaps with headings of its own."""

from typing import Annotated, Literal

from pydantic import Field, SkipValidation

from knowledge.blocks.block import Block, HeadingAnchors
from knowledge.documents.body import AnchoredBlocks


class TextBlock(Block):
    """A text without further structure, such as the introduction of a page or a whole post."""

    type: Literal["text"] = "text"
    """Type of the block."""
    text_anchors: HeadingAnchors = ()
    """The anchors of the headings in the text."""
    is_call: Annotated[bool, Field(exclude=True)] = False
    """Whether its links are what it calls for, which pages show as buttons."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not self.text

    parsed: Annotated[SkipValidation[AnchoredBlocks], Field(exclude=True)] = ()
    """The blocks of the text, if they are known."""
