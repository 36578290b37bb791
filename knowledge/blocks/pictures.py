"""Pictures of one thing, such as a product from all sides."""

from typing import Annotated, Literal

from pydantic import Field

from knowledge.blocks.block import Block, Picture


class PicturesBlock(Block):
    """Pictures in their order, the main one first."""

    type: Literal["pictures"] = "pictures"
    """Type of the block."""
    items: Annotated[list[Picture], Field(exclude=True)]
    """The pictures; in JSON they are `pictures`, as those of each block."""
