"""Pictures of one thing, such as a product from all sides."""

from typing import Literal

from knowledge.blocks.block import Block, Picture


class PicturesBlock(Block):
    """Pictures in their order, the main one first."""

    type: Literal["pictures"] = "pictures"
    """Type of the block."""
    items: list[Picture]
    """The pictures."""
