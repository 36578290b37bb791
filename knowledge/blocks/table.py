"""A table whose first column and first row are titles."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from knowledge.blocks.block import Block


class TableBlock(Block):
    """Values beside each other; all cells are CommonMark."""

    type: Literal["table"] = "table"
    """Type of the block."""
    columns: list[str]
    """Titles of the columns, that of the first one empty."""
    rows: list[list[str]]
    """The rows, each with as many cells as there are columns."""
    offers: Annotated[Sequence[Any], Field(exclude=True)] = ()
    """The products that the columns compare."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not self.rows
