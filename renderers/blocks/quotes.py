"""The words of customers."""

from collections.abc import Iterator

from knowledge.blocks.quotes import Quote, QuotesBlock
from knowledge.markdown.slugs import Anchors
from knowledge.resources.passages import Part, text_part
from renderers.blocks.context import MarkdownContext, link, paragraphs, quoted


def text(block: QuotesBlock, context: MarkdownContext) -> str:
    """Return all words below what introduces them."""
    words = (
        paragraphs((None if block.heading else f"## {each.title}", _words(each, context)))
        for each in block.items
    )
    more = link(block.more.text, block.more.href) if block.more else None
    return paragraphs([*block.introduction, *words, more])


def _words(quote: Quote, context: MarkdownContext) -> str:
    """Return a customer's words, and who says them."""
    return paragraphs(
        [
            quoted(quote.words),
            " ".join(filter(None, (f"**{quote.name}**", quote.verified))),
            context.join([quote.role, quote.company]),
            context.join(quote.place),
            f"{quote.rating:g}/5" if quote.rating is not None else "",
            link(quote.more.text, quote.more.href) if quote.more else "",
        ]
    )


def claimed(block: QuotesBlock, ids: Anchors) -> QuotesBlock:
    """Return the words, each with the id that it has in HTML."""
    return block.model_copy(
        update={"anchors": tuple(ids.anchor(each.title) for each in block.items)}
    )


def parts(block: QuotesBlock, context: MarkdownContext) -> Iterator[Part]:
    """Yield what introduces the words, then each customer's own."""
    headings = (block.heading,) if block.heading else ()
    if headings or block.introduction:
        yield text_part(headings, block.anchor, *block.introduction)
    for each, anchor in zip(block.items, block.anchors, strict=True):
        words = _words(each, context)
        yield text_part(headings, anchor, words, is_listing=bool(headings))
