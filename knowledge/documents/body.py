"""The body of a document: its blocks with anchors of headings, its excerpt, its reading time."""

import re
from collections.abc import Iterator
from math import ceil
from re import Match

from knowledge.documents.document import Document
from knowledge.locales.locale import Language
from knowledge.markdown import document_cache
from knowledge.markdown.footnotes import without_references
from knowledge.markdown.inline import plain_text
from knowledge.markdown.parsed_blocks import ParsedBlock, parse_blocks
from knowledge.markdown.slugs import Anchor, allocate

AnchoredBlocks = tuple[tuple[ParsedBlock, tuple[Anchor, ...]], ...]
"""Blocks, each with the anchors of the headings in it."""


@document_cache(512)
def post_blocks(document: Document) -> AnchoredBlocks:
    """Return each block of a post with the anchors of the headings in it."""
    blocks = tuple(_blocks(document.body))
    anchors = allocate(tuple(block.headings for block in blocks))
    return tuple(zip(blocks, anchors, strict=True))


def _blocks(body: str) -> Iterator[ParsedBlock]:
    """Yield the blocks of a body; a directive yields its heading and its content."""
    for block in parse_blocks(body):
        if block.directive is None:
            yield block
            continue
        if block.directive.title:
            yield from parse_blocks(f"## {block.directive.title}")
        inner = parse_blocks(block.directive.text)
        yield from (child for child in inner if child.directive is None)


WORDS_PER_MINUTE = {Language.AR: 180}
"""Fewer than in other languages, as an Arabic word often holds an article, a preposition or a
pronoun that is a word of its own elsewhere."""
_OTHERWISE = 230

_UNREAD = frozenset({"code", "html", "image"})
_TARGET = re.compile(r"\]\([^)]*+(?:(?P<closed>\))|\Z)")
_WORD = re.compile(r"\w++(?:[-.,:'’/]\w++)*+")


@document_cache(512)
def reading_minutes(document: Document) -> int:
    """Return the minutes that the body of a document takes, at least 1; code is not counted."""
    texts = (block.text for block, _ in post_blocks(document) if block.type not in _UNREAD)
    words = sum(map(count_words, texts))
    pace = WORDS_PER_MINUTE.get(document.language, _OTHERWISE)
    return max(1, ceil(words / pace))


def count_words(text: str) -> int:
    """Return the number of words of a markdown text, without the targets of links.

    >>> count_words("See [the **guide**](/blog/guide), it's 1,250.00 SAR.")
    6
    """
    return len(_WORD.findall(_TARGET.sub(_without_target, text)))


def _without_target(match: Match[str]) -> str:
    """Return what remains of a link; one that nothing closes is text."""
    return "]" if match["closed"] else match[0]


MAX_CHARACTERS = 300
"""Limit for an excerpt; after it, the text is cut at a word."""

MAX_MARKED_CHARACTERS = 2_000
"""Limit for an excerpt that ends at the author's mark."""

# Nearly every first paragraph is in a prefix of this size, which parses faster than the body.
_PREFIX_CHARACTERS = 2_000
_DEFINITION = re.compile(r"^ {0,3}\[(?!\^)[^\]\n]+\]:[^\n]*(?:\n[ \t]+\S[^\n]*)?", re.MULTILINE)
_NOTES = re.compile(r"\n\n\[\^[^\]\s]+\]:")
_TEXTS = frozenset({"paragraph", "list", "blockquote"})


@document_cache(4_096)
def body_excerpt(document: Document) -> str:
    """Return the plain text before the author's mark, else of the first paragraph, or `""`."""
    body = document.body
    marked = " ".join(_texts(body[: document.excerpt_end], body, _TEXTS))
    if marked:
        return one_line(marked, MAX_MARKED_CHARACTERS)
    # Cut at a blank line, to keep blocks whole.
    prefix = body[: body.rfind("\n\n", 0, _PREFIX_CHARACTERS) + 1]
    return one_line(_first_text(prefix, body) or _first_text(body, body), MAX_CHARACTERS)


def one_line(text: str, characters: int) -> str:
    r"""Return a text on one line, cut between words after at most `characters` characters.

    >>> one_line("Stock counts\nwithout closing", 20)
    'Stock counts…'
    """
    line = " ".join(text.split())
    if len(line) <= characters:
        return line
    cut = line[:characters]
    return f"{cut.rpartition(' ')[0] or cut[:-1]}…"


def without_notes(block: str) -> str:
    r"""Return the source of a block without its footnotes and the references to them.

    >>> without_notes("Text[^1].\n\n[^1]: A note.")
    'Text.'
    """
    return without_references(_NOTES.split(block, maxsplit=1)[0])


def _first_text(prefix: str, body: str) -> str:
    return next(_texts(prefix, body, frozenset({"paragraph"})), "")


def _texts(source: str, body: str, types: frozenset[str]) -> Iterator[str]:
    """Yield the plain texts of the blocks of some types that have any."""
    for block in parse_blocks(source):
        text = _plain(without_notes(block.text), body) if block.type in types else ""
        if text:
            yield text


def _plain(block: str, body: str) -> str:
    """Return a block's plain text, with link definitions from the whole body."""
    text = plain_text(block)
    if "[" not in text:
        return text
    definitions = _DEFINITION.findall(body)
    return plain_text(parse_blocks("\n\n".join((block, *definitions)))[0].text)
