"""Passages: the texts of a page, cut at its headings and at the ends of blocks.

A part is what stands under one heading. A part that is too long for one passage is cut between its
blocks; a block that is too long itself is cut between its rows or items, if it is a table or list.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice, pairwise, takewhile
from math import ceil

from knowledge.addresses.addresses import Address
from knowledge.blocks.section import DocumentSection
from knowledge.documents.body import AnchoredBlocks
from knowledge.fields.content_types import AnyContentType
from knowledge.locales.locale import Language
from knowledge.markdown.inline import plain_lines, without_html
from knowledge.markdown.parsed_blocks import ParsedBlock, parse_blocks, source_items
from knowledge.markdown.slugs import Anchor
from knowledge.markdown.tokens import estimate_tokens
from knowledge.sections.section_type import HERO
from knowledge.sections.sections import DECLARED_SECTIONS

MAX_TOKENS = 200
"""A part with more tokens is cut."""

_MAX_COMPARED = 3 * MAX_TOKENS
"""A part whose items are compared with one another is cut if it has more tokens."""


@dataclass(frozen=True, slots=True)
class PassagePage:
    """The page of a passage: its address, its document, its path in the locale and its titles."""

    address: Address
    kind: AnyContentType
    slug: str
    path: str
    title: str
    heading: str
    updated_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """A text to be found and quoted; the anchor is an id in the page's HTML.

    `headings` is the path to it, without the page's heading. `is_at_top` says that the anchor is
    that of the page's heading. `text` is CommonMark without
    raw HTML, with the links of the page. `is_listing` marks texts that repeat those of the pages
    they link to, and `has_prices` those that say what is sold for how much.
    """

    page: PassagePage
    headings: tuple[str, ...]
    anchor: str
    text: str
    language: Language
    is_listing: bool = False
    has_prices: bool = False
    is_at_top: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """What stands under one heading: types and texts of its blocks."""

    headings: tuple[str, ...]
    anchor: Anchor
    blocks: tuple[tuple[str, str], ...]
    is_listing: bool = False
    has_prices: bool = False
    max_tokens: int = MAX_TOKENS


@dataclass(frozen=True, slots=True)
class PageParts:
    """All parts of a page in order; `anchor` is that of the level-1 heading."""

    page: PassagePage
    anchor: Anchor
    parts: tuple[Part, ...]
    language: Language


def passages(whole: PageParts) -> Iterator[Passage]:
    """Yield the passages of a page."""
    for part in whole.parts:
        for text in map(without_html, cut(part.blocks, part.max_tokens)):
            yield Passage(
                whole.page,
                part.headings,
                part.anchor.link,
                text,
                whole.language,
                part.is_listing,
                part.has_prices,
                part.anchor == whole.anchor,
            )


_UNPARSED = "markdown"
"""The type of a text of one or more blocks; only one that is cut is parsed."""


def text_part(
    headings: tuple[str, ...], anchor: Anchor, *texts: str | None, is_listing: bool = False
) -> Part:
    """Return a part of whole texts, each of them one or more blocks of CommonMark."""
    blocks = tuple((_UNPARSED, text.strip("\n")) for text in texts if text and text.strip())
    return Part(headings, anchor, blocks, is_listing)


_LINK = re.compile(r"!?\[[^\[\]]*\]\([^()]*\)")


def section_parts(sections: Iterable[DocumentSection]) -> Iterator[Part]:
    """Yield the parts of a page's sections: their bodies, and each item under its heading.

    A picture with buttons beside the title of a page answers nothing.
    """
    for section in sections:
        is_opener = section.type == HERO and not section.heading
        if is_opener and not _LINK.sub("", section.body or "").strip():
            continue
        headings = (section.heading,) if section.heading else ()
        anchor = section.anchor if section.heading else Anchor(section.id)
        if section.headed_items and DECLARED_SECTIONS.named(section.type).is_compared:
            # A long text, such as a table of all items, does not part them.
            texts = (*section.item_texts, section.body or "")
            blocks = tuple(("paragraph", text) for text in texts if text)
            yield Part(
                headings,
                anchor,
                blocks,
                has_prices=section.has_prices,
                max_tokens=_MAX_COMPARED,
            )
            continue
        # The terms of a feature grid are headings in HTML, but belong to the items of its list.
        has_terms = DECLARED_SECTIONS.named(section.type).has_terms
        anchors = () if has_terms else section.body_anchors
        items = section.headed_items
        if section.body or not items:
            yield from text_parts(section.body or "", anchors, headings, anchor)
        for item in items:
            path = (*headings, item.title or "")
            yield from text_parts(item.text or "", item.text_anchors, path, item.anchor)


def text_parts(
    text: str,
    anchors: Sequence[Anchor],
    headings: tuple[str, ...],
    anchor: Anchor,
    parsed: AnchoredBlocks = (),
) -> Iterator[Part]:
    """Yield the parts of a text; a short one without headings needs no parsing.

    `parsed` are its blocks, if the caller has them.
    """
    if not anchors and estimate_tokens(text) <= MAX_TOKENS:
        blocks = (("paragraph", text),) if text else ()
        return iter((Part(headings, anchor, blocks),))
    if not parsed:
        given, found = iter(anchors), parse_blocks(text)
        parsed = tuple((block, tuple(islice(given, len(block.headings)))) for block in found)
    return block_parts(parsed, headings, anchor)


def block_parts(
    blocks: Iterable[tuple[ParsedBlock, Sequence[Anchor]]],
    headings: tuple[str, ...],
    anchor: Anchor,
) -> Iterator[Part]:
    """Cut blocks at their headings, below the given ones; `anchor` is that of the first part."""
    trail: tuple[ParsedBlock, ...] = ()
    content: list[tuple[str, str]] = []
    for block, anchors in blocks:
        if block.type != "heading" or not anchors:
            content.append((block.type, block.text))
            continue
        above = tuple(_above(trail, block))
        if content or above != trail:
            yield Part(_path(headings, trail), anchor, tuple(content))
        trail, content, anchor = (*above, block), [], anchors[0]
    if content or trail or headings:
        yield Part(_path(headings, trail), anchor, tuple(content))


def _above(trail: Iterable[ParsedBlock], heading: ParsedBlock) -> Iterator[ParsedBlock]:
    """Return the headings of a trail under which another heading stands."""
    return takewhile(lambda outer: outer.level < heading.level, trail)


def _path(headings: tuple[str, ...], trail: Iterable[ParsedBlock]) -> tuple[str, ...]:
    return (*headings, *(block.headings[0].text for block in trail))


def cut(blocks: Sequence[tuple[str, str]], max_tokens: int = MAX_TOKENS) -> Iterator[str]:
    """Yield the texts of passages: all blocks together if they fit, else cut between blocks."""
    text = "\n\n".join(text for _, text in blocks)
    if estimate_tokens(text) <= max_tokens:
        return iter((text,))
    pieces = chain.from_iterable(_pieces(kind, text) for kind, text in blocks)
    return map("\n\n".join, _packed(tuple(pieces)))


def _pieces(kind: str, text: str) -> Iterator[str]:
    """Yield a block whole if it fits or has no parts, else groups of its rows or items."""
    if kind == _UNPARSED:
        yield from chain.from_iterable(_pieces(each.type, each.text) for each in parse_blocks(text))
        return
    if kind not in ("table", "list") or estimate_tokens(text) <= MAX_TOKENS:
        yield text
        return
    text, gap, definitions = text.partition("\n\n[") if kind == "table" else (text, "", "")
    lines = text.split("\n")
    head, units = (lines[:2], lines[2:]) if kind == "table" else ([], source_items(lines))
    for group in _packed(units):
        yield "\n".join((*head, *group)) + gap + definitions


def _packed(texts: Sequence[str]) -> Iterator[list[str]]:
    """Group texts in order, so that groups fit if their texts do, and are of similar size."""
    sizes = [estimate_tokens(text) for text in texts]
    target = sum(sizes) / max(1, ceil(sum(sizes) / MAX_TOKENS))
    group: list[str] = []
    size = 0
    for text, tokens in zip(texts, sizes, strict=True):
        if group and (size + tokens > MAX_TOKENS or size >= target):
            yield group
            group, size = [], 0
        group.append(text)
        size += tokens
    yield group


Spans = Callable[[str], Sequence[tuple[int, int]]]
"""Finds the words of a search in a text: returns the start and end of each."""

SENTENCE_END = re.compile(r"[.!?؟。…][\"'”»)]*(?=\s)|\n")

_HEADING = re.compile(r"^(?=#{1,6} )", re.MULTILINE)
_MOST_CHARACTERS = 240
_LEAST_CHARACTERS = 80
"""A shorter sentence is followed by the next one of its paragraph."""
_BEFORE = 60
"""Characters of a long sentence before the first word of the search."""
_MOST_MARKDOWN = 4_000
"""A passage may be one long table or code block; the end of it is not looked at."""


def excerpt(markdown: str, spans: Spans, holds: Callable[[str], bool] | None = None) -> str:
    r"""Return the sentence with the most words of a search; the first one if none has any.

    `holds` says whether a text has a value that was asked for. Sentences and rows with one come
    first, below their headings, as of a plan.

    >>> excerpt("Counts are easy. A rollout takes a week or two.", lambda text: [])
    'Counts are easy. A rollout takes a week or two.'
    >>> plans = "### Basic\n\nSAR 5 a year\n\n### Growth\n\nSAR 9 a year"
    >>> excerpt(plans, lambda text: [(0, 6)] if "Growth" in text else [], lambda text: "9" in text)
    'Growth: SAR 9 a year'
    """
    sentences = [
        (line, number, heading)
        for heading, lines in _headed(markdown[:_MOST_MARKDOWN])
        for line in map(_sentences, lines)
        for number in range(len(line))
    ]
    if not sentences:
        return ""

    def fitness(each: tuple[list[str], int, str]) -> tuple[bool, int]:
        sentence, heading = each[0][each[1]], each[2]
        has = holds is not None and holds(sentence)
        return has, _words(f"{heading} {sentence}" if has else sentence, spans)

    best = max(sentences, key=fitness)
    line, number, heading = best
    text = f"{heading}: {line[number]}" if heading and fitness(best)[0] else line[number]
    for following in line[number + 1 :]:
        if len(text) >= _LEAST_CHARACTERS or len(text) + len(following) >= _MOST_CHARACTERS:
            break
        text = f"{text} {following}"
    return _shortened(text, spans)


def _headed(markdown: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the lines below each heading in a text, with the heading, which is a line too."""
    for part in _HEADING.split(markdown):
        lines = plain_lines(part)
        yield (lines[0] if part.startswith("#") and lines else ""), lines


def _sentences(line: str) -> list[str]:
    ends = [0, *(end.end() for end in SENTENCE_END.finditer(line)), len(line)]
    parts = (line[start:end].strip() for start, end in pairwise(ends))
    return [part for part in parts if part]


def _words(sentence: str, spans: Spans) -> int:
    """Return how many different words of a search a sentence has."""
    return len({sentence[start:end].casefold() for start, end in spans(sentence)})


def _shortened(text: str, spans: Spans) -> str:
    """Cut a long text between words, around the first word of the search."""
    if len(text) <= _MOST_CHARACTERS:
        return text
    marked = spans(text)
    first = marked[0][0] if marked else 0
    start = text.rfind(" ", 0, max(first - _BEFORE, 0)) + 1
    end = text.rfind(" ", first + 1, start + _MOST_CHARACTERS)
    end = end if end > 0 else start + _MOST_CHARACTERS
    is_end = len(text) - start <= _MOST_CHARACTERS
    shown = text[start:] if is_end else f"{text[start:end]} …"
    return f"… {shown}" if start else shown


_WORD_END = re.compile(r"\s")
_CUT = " …"


def shortened_text(text: str, max_tokens: int) -> str:
    """Return as many sentences of a text as fit, else words, else letters.

    >>> shortened_text("Counting takes an hour. Then it is booked.", 7)
    'Counting takes an hour. …'
    >>> shortened_text("Counting takes an hour", 5)
    'Counting takes an …'
    """
    words, sentences = (
        [match.end() for match in end.finditer(text)] for end in (_WORD_END, SENTENCE_END)
    )
    fitting = (_up_to(text, ends, max_tokens) for ends in (sentences, words, range(1, len(text))))
    return next(filter(None, fitting), "")


def whole_sentences(text: str, max_tokens: int) -> str:
    """Return as many sentences of a text as fit; `""` if not even the first one does.

    >>> whole_sentences("Counting takes an hour. Then it is booked.", 7)
    'Counting takes an hour. …'
    """
    return _up_to(text, [match.end() for match in SENTENCE_END.finditer(text)], max_tokens)


def _up_to(text: str, ends: Sequence[int], max_tokens: int) -> str:
    """Return a text up to the last of the ends at which it fits, `""` if it fits at none."""

    def tokens_to(end: int) -> int:
        return estimate_tokens(text[:end].rstrip() + _CUT)

    fitting = bisect_right(ends, max_tokens, key=tokens_to)
    return text[: ends[fitting - 1]].rstrip() + _CUT if fitting else ""
