"""The glossary of a site: terms in both languages, and words that its texts should not use.

`_glossary.md` has a table with three columns: the English term, the Arabic term, and the words not
to be used, separated by commas. Its other lines are notes for authors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from knowledge.diagnostics.diagnostic import ContentFileError, Diagnostic
from knowledge.diagnostics.diagnostic import DiagnosticKind as Kind
from knowledge.documents.files import read_document
from knowledge.documents.site_files import GLOSSARY_FILE

_COLUMNS = 3
_RULE = re.compile(r"[|:\s-]+")
_COMMA = re.compile("[,،]")
_UNREAD = re.compile(r"\]\([^()\n]*\)|`[^`\n]*`")
"""Targets of links, and code."""

_MARKS = re.compile("[\u0640\u064b-\u0652\u0670]")
_ARABIC = re.compile("[\u0621-\u064a]")
_PARTICLES = "[وفبكل]{0,2}(?:ال|ل)?"
"""What may stand before an Arabic word without a space."""


class AvoidedTerm(NamedTuple):
    """A word that texts should not use, and what stands in the glossary instead of it."""

    pattern: re.Pattern[str]
    has_marks: bool
    """Whether it has marks of vowels, which texts must have then."""
    advice: str


def glossary_diagnostics(root: Path, paths: Iterable[str]) -> Iterator[Diagnostic]:
    """Yield the lines of some files that have a word which the glossary of a site excludes."""
    if not (root / GLOSSARY_FILE).exists():
        return
    try:
        text = read_document(root, GLOSSARY_FILE).text
    except ContentFileError as broken:
        yield from broken.diagnostics
        return
    terms: list[AvoidedTerm] = []
    for number, cells in _rows(text):
        if len(cells) == _COLUMNS and all(cells[:2]):
            terms += _avoided(cells, number)
            continue
        message = "The row has no English term, Arabic term and words not to be used."
        advice = "Write | English | Arabic | word, another word |."
        yield Kind.INVALID_GLOSSARY.warning(GLOSSARY_FILE, message, advice, number)
    for path in paths:
        yield from _used(root, path, terms)


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of tables below their heads, with the numbers of their lines."""
    is_below_head = False
    for number, line in enumerate(map(str.strip, text.splitlines()), start=1):
        if not line.startswith("|"):
            is_below_head = False
        elif _RULE.fullmatch(line):
            is_below_head = True
        elif is_below_head:
            yield number, [cell.strip() for cell in line.strip("|").split("|")]


def _avoided(cells: list[str], line: int) -> Iterator[AvoidedTerm]:
    english, arabic, avoided = cells
    for term in filter(None, map(str.strip, _COMMA.split(avoided))):
        is_arabic = bool(_ARABIC.search(term))
        before = f"(?<!\\w){_PARTICLES}" if is_arabic else r"(?<!\w)"
        pattern = re.compile(rf"{before}({re.escape(term)})(?!\w)", re.IGNORECASE)
        advice = f"Write “{arabic if is_arabic else english}”, as {GLOSSARY_FILE}:{line} says."
        yield AvoidedTerm(pattern, bool(_MARKS.search(term)), advice)


def _used(root: Path, path: str, terms: Iterable[AvoidedTerm]) -> Iterator[Diagnostic]:
    try:
        lines = read_document(root, path).text.splitlines()
    except ContentFileError:
        return  # loading has reported it
    for number, line in enumerate(lines, start=1):
        read = _UNREAD.sub(" ", line)
        plain = _MARKS.sub("", read)
        for term in terms:
            found = term.pattern.search(read if term.has_marks else plain)
            if found:
                message = f"The glossary excludes “{found[1]}”."
                yield Kind.AVOIDED_TERM.warning(path, message, term.advice, number)
