"""Documentation, as a nested list."""

from collections.abc import Iterable

from knowledge.blocks.documents import DocumentsBlock, TreeItem
from knowledge.markdown.slugs import Anchors
from renderers.blocks.context import MarkdownContext, link


def text(block: DocumentsBlock, _: MarkdownContext) -> str:
    """Return the documents below their folders."""
    return _tree(block.items)


def claimed(block: DocumentsBlock, ids: Anchors) -> DocumentsBlock:
    """Return the documents with the ids of the titles that are headings in HTML."""
    shown = sorted(block.items, key=lambda each: not each.is_group)  # HTML has groups first
    named = {id(each): _named(each, ids) for each in shown}
    return block.model_copy(update={"items": [named[id(each)] for each in block.items]})


def _named(item: TreeItem, ids: Anchors) -> TreeItem:
    update: dict[str, object] = {"id": ids.claim(item.title)}
    if item.is_group:
        update["items"] = tuple(_named(each, ids) for each in item.items)
    return item.model_copy(update=update)


def _tree(items: Iterable[TreeItem], indent: str = "") -> str:
    return "\n".join(
        f"{indent}- {link(each.title, each.href) if each.href else each.title}"
        f"{': ' if each.summary else ''}{each.summary or ''}"
        + (f"\n{_tree(each.items, f'{indent}  ')}" if each.items else "")
        for each in items
    )
