"""Documentation, as a nested list."""

from __future__ import annotations

from collections.abc import Iterable

from knowledge.blocks.documents import DocumentsBlock, TreeItem
from renderers.blocks.context import MarkdownContext, link


def text(block: DocumentsBlock, _: MarkdownContext) -> str:
    """Return the documents below their folders."""
    return _tree(block.items)


def _tree(items: Iterable[TreeItem], indent: str = "") -> str:
    return "\n".join(
        f"{indent}- {link(each.title, each.href) if each.href else each.title}"
        f"{': ' if each.summary else ''}{each.summary or ''}"
        + (f"\n{_tree(each.items, f'{indent}  ')}" if each.items else "")
        for each in items
    )
