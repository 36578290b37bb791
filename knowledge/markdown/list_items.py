"""The items of lists in markdown, as their source."""

from __future__ import annotations

import re
from collections.abc import Iterable

from knowledge.markdown.blocks import parse_blocks

_MARKER = re.compile(r"(?<! )( *+)([-*+]|\d{1,9}[.)])(?= |\t|$)")


def source_items(lines: Iterable[str]) -> list[str]:
    """Return the items of a list; what is indented below the first item's text belongs to one."""
    items: list[list[str]] = []
    indent = 0
    for line in lines:
        match = _MARKER.match(line)
        if not items and match:
            indent = match.end(2) + 1
        if not items or (match and match.end(1) < indent):
            items.append([])
        items[-1].append(line)
    return ["\n".join(item) for item in items]


def list_items(text: str) -> list[str]:
    r"""Return the texts of the items of the first list in a text, without their markers.

    >>> list_items("For shops.\n\n- **Users**: 5\n- Support")
    ['**Users**: 5', 'Support']
    """
    first = next((block for block in parse_blocks(text) if block.type == "list"), None)
    items = source_items(first.text.split("\n")) if first else ()
    return [_MARKER.sub("", item, count=1).strip() for item in items]
