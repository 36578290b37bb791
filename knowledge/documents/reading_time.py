"""Reading time: how long a text takes to read, by its words."""

from __future__ import annotations

import re
from math import ceil
from re import Match

from knowledge.documents.document import Document
from knowledge.documents.post_blocks import post_blocks
from knowledge.locales.locale import Language
from knowledge.markdown.memoize import document_cache

WORDS_PER_MINUTE = {Language.AR: 180}
"""Fewer than in other languages, as an Arabic word often holds an article, a preposition or a
pronoun that is a word of its own elsewhere."""
_OTHERWISE = 230

_UNREAD = frozenset({"code", "html", "image"})
_TARGET = re.compile(r"\]\([^)]*+(?:(?P<closed>\))|\Z)")
_WORD = re.compile(r"\w+(?:[-.,:'’/]\w+)*")


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
