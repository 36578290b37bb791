"""Excerpts of passages: the sentence that answers a search."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from knowledge.markdown.inline import plain_lines

Spans = Callable[[str], Sequence[tuple[int, int]]]
"""Finds the words of a search in a text: returns the start and end of each."""

SENTENCE_END = re.compile(r"[.!?؟。…][\"'”»)]*(?=\s)|\n")

_MOST_CHARACTERS = 240
_LEAST_CHARACTERS = 80
"""A shorter sentence is followed by the next one of its paragraph."""
_BEFORE = 60
"""Characters of a long sentence before the first word of the search."""
_MOST_MARKDOWN = 4_000
"""A passage may be one long table or code block; the end of it is not looked at."""


def excerpt(markdown: str, spans: Spans) -> str:
    """Return the sentence with the most words of a search; the first one if none has any.

    >>> excerpt("Counts are easy. A rollout takes a week or two.", lambda text: [])
    'Counts are easy. A rollout takes a week or two.'
    """
    sentences = [
        (line, number)
        for line in map(_sentences, plain_lines(markdown[:_MOST_MARKDOWN]))
        for number in range(len(line))
    ]
    if not sentences:
        return ""
    line, best = max(sentences, key=lambda each: _words(each[0][each[1]], spans))
    text = line[best]
    for following in line[best + 1 :]:
        if len(text) >= _LEAST_CHARACTERS or len(text) + len(following) >= _MOST_CHARACTERS:
            break
        text = f"{text} {following}"
    return _shortened(text, spans)


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
