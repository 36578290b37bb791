"""Long texts in parts, each cut at a border of sections if possible."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources.passages import SENTENCE_END

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
        return [text[at : at + _FITTING_CHARACTERS] for at in _steps(text)]
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


def _steps(text: str) -> range:
    return range(0, len(text), _FITTING_CHARACTERS)


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


_BORDERS = (_sections, _headings, _paragraphs, _lines, _sentences)


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
