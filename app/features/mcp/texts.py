"""Long texts: one section of a page, or a part that ends at a border of sections if possible."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import dropwhile, pairwise, takewhile
from typing import NamedTuple

from knowledge.markdown.inline import rewrite_targets
from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources.base import Resource
from knowledge.resources.document_page import DocumentPage
from knowledge.resources.page_sections import DocumentSection
from knowledge.resources.passages import SENTENCE_END, PageParts, Part
from knowledge.views.content_view import ContentView, absolute

MAX_CHARACTERS = 40_000
_MAX_TOKENS = 20_000
"""Clients refuse answers of more than 25,000 tokens, and JSON adds to those of a text."""

_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_SECTION = re.compile(r"#{1,2} ")
_HEADING = re.compile(r"#{1,6} ")
_FITTING_CHARACTERS = 10_000
"""So many characters fit, whatever they are."""


def text_parts(text: str) -> Sequence[str]:
    """Return a CommonMark text in parts that fit into one answer.

    A part ends before a section, a smaller heading, a paragraph, a line, a sentence, or within a
    word, whichever is the first of these that makes it fit.
    """
    return [part.strip() for part in _cut(text, 0)]


def _size(text: str) -> float:
    """Return how much of an answer a text takes; a text takes at most as much as its pieces."""
    return max(len(text) / MAX_CHARACTERS, estimate_tokens(text) / _MAX_TOKENS)


def _cut(text: str, level: int) -> list[str]:
    """Cut a text at the borders of a level; what is still too long, at those of the next one."""
    if _size(text) <= 1:
        return [text]
    if level == len(_BORDERS):
        starts = range(0, len(text), _FITTING_CHARACTERS)
        return [text[start : start + _FITTING_CHARACTERS] for start in starts]
    parts: list[str] = []
    pending, pending_size = [""], 0.0
    for start, end in pairwise([0, *_BORDERS[level](text), len(text)]):
        piece, size = text[start:end], _size(text[start:end])
        if pending_size + size <= 1:
            pending.append(piece)
            pending_size += size
            continue
        cut = (
            ["".join(pending), piece] if size <= 1 else _cut("".join((*pending, piece)), level + 1)
        )
        parts += cut[:-1]
        pending, pending_size = [cut[-1]], _size(cut[-1])
    return [*parts, "".join(pending)]


def _sections(text: str) -> Iterator[int]:
    return (start for start, line in _lines_outside_code(text) if _SECTION.match(line))


def _headings(text: str) -> Iterator[int]:
    return (start for start, line in _lines_outside_code(text) if _HEADING.match(line))


def _paragraphs(text: str) -> Iterator[int]:
    """Yield where a line after a blank one starts."""
    was_blank = False
    for start, line in _lines_outside_code(text):
        if was_blank and line.strip():
            yield start
        was_blank = not line.strip()


def _lines(text: str) -> Iterator[int]:
    return (start for start, _ in _lines_with_starts(text))


def _sentences(text: str) -> Iterator[int]:
    return (end.end() for end in SENTENCE_END.finditer(text))


def _lines_outside_code(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are in no fenced code, with their offsets."""
    fence = ""
    for start, line in _lines_with_starts(text):
        opened = _FENCE.match(line)
        if not fence:
            yield start, line
        if opened and (not fence or opened[1].startswith(fence)):
            fence = "" if fence else opened[1]


def _lines_with_starts(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, line
        start += len(line)


_BORDERS = (_sections, _headings, _paragraphs, _lines, _sentences)


_SMALLEST_HEADING = 6


class SectionText(NamedTuple):
    """A section: its heading, `""` for the text before the first one, and its CommonMark."""

    heading: str
    text: str


def section_text(
    view: ContentView, whole: PageParts, resource: Resource, anchor: str
) -> SectionText | None:
    """Return the section with an anchor, or None; `resource` is that of the page."""
    found = _by_anchor(whole.parts, anchor) or _in_document(whole.parts, resource, anchor)
    if not found:
        return None
    headings, parts = found
    text = "\n\n".join(filter(None, _blocks(whole, parts, headings[:-1])))
    text = rewrite_targets(text, partial(absolute, view.base_url))
    return SectionText(headings[-1] if headings else "", text)


_Found = tuple[tuple[str, ...], Sequence[Part]]


def _by_anchor(parts: Sequence[Part], anchor: str) -> _Found | None:
    rest = list(dropwhile(lambda part: part.anchor != anchor, parts))
    if not rest:
        return None
    headings = rest[0].headings
    if not headings:
        return headings, list(takewhile(lambda part: part.anchor == anchor, rest))
    return headings, _below(rest, headings)


def _in_document(parts: Sequence[Part], resource: Resource, anchor: str) -> _Found | None:
    """Return what has an anchor that no part has.

    It may be the former id of a heading, a heading in a list, or that of a section that begins with
    a smaller heading.
    """
    sections = resource.document.sections if isinstance(resource, DocumentPage) else ()
    for section in sections:
        own = next((each for each in section.anchors if anchor in each), None)
        if own or anchor == section.id:
            return _by_anchor(parts, own.id if own else "") or _of_section(parts, section)
    return None


def _of_section(parts: Sequence[Part], section: DocumentSection) -> _Found | None:
    if not section.heading:
        return _by_anchor(parts, section.id)
    headings = (section.heading,)
    rest = dropwhile(lambda part: part.headings[:1] != headings, parts)
    return headings, _below(rest, headings)


def _below(parts: Iterable[Part], headings: tuple[str, ...]) -> Sequence[Part]:
    return list(takewhile(lambda part: part.headings[: len(headings)] == headings, parts))


def _blocks(whole: PageParts, parts: Iterable[Part], above: tuple[str, ...]) -> Iterator[str]:
    """Yield the headings and texts of parts; a heading that is already `above` is not repeated."""
    for part in parts:
        pairs = zip(above, part.headings, strict=False)
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        for depth, heading in enumerate(part.headings[shared:], shared + 2):
            yield f"{'#' * min(depth, _SMALLEST_HEADING)} {heading}"
        yield from (whole.resolved(text) for _, text in part.blocks)
        above = part.headings


def anchors_of(whole: PageParts) -> Sequence[str]:
    """Return the anchors of the sections of a page, in order."""
    return list(dict.fromkeys(part.anchor for part in whole.parts if part.anchor != whole.anchor))
