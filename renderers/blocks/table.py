"""A table, with a row of titles."""

from collections.abc import Sequence

from knowledge.blocks.table import TableBlock
from renderers.blocks.context import MarkdownContext


def text(block: TableBlock, _: MarkdownContext) -> str:
    """Return the table; white space and lines in its cells are escaped."""
    ruler = ["---"] * len(block.columns)
    return "\n".join(map(_row, (block.columns, ruler, *block.rows)))


def _row(cells: Sequence[str]) -> str:
    escaped = (" ".join(cell.split()).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"
