"""Links, as a list or in one line."""

from collections.abc import Iterator

from knowledge.blocks.links import LinksBlock, NamedLink
from knowledge.resources.passages import Part, text_part
from renderers.blocks.context import MarkdownContext, bullets, link


def text(block: LinksBlock, context: MarkdownContext) -> str:
    """Return the links behind their label, numbered if their order counts, else as a list."""
    links = [_line(each, context) for each in block.items]
    if block.is_ordered:
        return "\n".join(f"{number}. {each}" for number, each in enumerate(links, 1))
    if block.label:
        return f"{block.label}: {context.join(links)}" if links else ""
    return bullets(links)


def parts(block: LinksBlock, context: MarkdownContext) -> Iterator[Part]:
    """Yield the links to be found; those in one line by their words alone."""
    headings = (block.heading,) if block.heading else ()
    names = f"{block.label}: {context.join(each.text for each in block.items)}"
    yield text_part(headings, block.anchor, names if block.label else block.text)


def _line(item: NamedLink, context: MarkdownContext) -> str:
    label = f"{item.label}: " if item.label else ""
    count = "" if item.count is None else f" ({item.count})"
    words = link(item.text, item.href) if item.href and item.followed else item.text
    return f"{label}{f'**{words}**' if item.current else words}{count}"
