"""Stems of folded words: English with Whoosh's Snowball stemmer, Arabic by light stemming.

Light stemming strips particles and endings; it does not derive roots. If the first letter may be
either a particle or part of the word, both analyses are kept. Two words match if any of their
analyses have the same stem.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from whoosh.lang.porter2 import stem

_CONJUNCTIONS = ("و", "ف")
_PREPOSITIONS = ("ب", "ك", "ل")
_ARTICLES = ("ال", "لل")
_LEAST_LETTERS = 4
"""The minimum length of a word from which a particle is stripped."""
_LEAST_ENGLISH = 3
"""The minimum length of an English word that is stemmed."""

_POSSESSIVES = (("تك", 3), ("هما", 3), ("ها", 3), ("هم", 4), ("هن", 4), ("كم", 4), ("نا", 4))
_PLURALS = (("ات", 3), ("ون", 4), ("ين", 4), ("ان", 4), ("ه", 3))
"""Endings, each with the minimum number of letters to keep, so that short words stay whole."""
_BEFORE_POSSESSIVE = (("ت", 3),)
_ADJECTIVE = (("ي", 3),)
_JOINED_ARTICLE = re.compile("[وف]?[بك]?ال|[وف]?لل")


def is_arabic(word: str) -> bool:
    """Return whether a folded word begins with an Arabic letter."""
    return "\u0621" <= word[:1] <= "\u064a"


def bare_words(word: str, roots: Collection[str] = ()) -> Iterator[str]:
    """Return the possible forms of a word without conjunction, preposition and article.

    `roots` holds the stems of words whose first letter is never a particle.

    >>> list(bare_words("والفواتير")), list(bare_words("للمتجر"))
    (['والفواتير', 'فواتير'], ['متجر', 'لمتجر'])
    >>> list(bare_words("بطاقه", {"بطاق"})), list(bare_words("الالتزام"))
    (['بطاقه'], ['تزام'])
    """
    bare = dict.fromkeys(
        _without_article(without_preposition)
        for without_conjunction in _without_particle(word, _CONJUNCTIONS, roots)
        for without_preposition in _without_particle(without_conjunction, _PREPOSITIONS, roots)
    )
    return iter(bare)


def _without_particle(
    word: str, particles: tuple[str, ...], roots: Collection[str]
) -> Iterator[str]:
    yield word
    if (
        word.startswith(particles)
        and len(word) >= _LEAST_LETTERS
        and arabic_stem(word) not in roots
    ):
        yield word[1:]


def _without_article(word: str) -> str:
    """Strip leading articles repeatedly, so that `الالتزام` and `التزام` give the same word."""
    while word.startswith(_ARTICLES) and len(word) >= _LEAST_LETTERS:
        word = word[2:]
    return word


def arabic_stem(word: str) -> str:
    """Return a word without possessive, plural, feminine and adjective endings.

    >>> list(map(arabic_stem, ("فاتوره", "فاتورتها", "ضريبي", "ضريبه", "برمجيات", "موظفين")))
    ['فاتور', 'فاتور', 'ضريب', 'ضريب', 'برمج', 'موظف']
    """
    article = _JOINED_ARTICLE.match(word)
    start = article.end() if article else 0
    base = _without(word, _POSSESSIVES, start)
    if base != word:
        word = base if base.endswith("ات") else _without(base, _BEFORE_POSSESSIVE, start)
    return _without(_without(word, _PLURALS, start), _ADJECTIVE, start)


def _without(word: str, endings: tuple[tuple[str, int], ...], start: int) -> str:
    """Strip the first ending that leaves enough letters, counted from `start`."""
    for ending, min_letters in endings:
        if word.endswith(ending) and len(word) - len(ending) - start >= min_letters:
            return word[: -len(ending)]
    return word


@lru_cache(maxsize=65_536)
def english_stem(word: str) -> str:
    """Return the stem of a word; short ones and those with other characters than a to z stay.

    >>> list(map(english_stem, ("invoices", "invoicing", "vat", "b2b")))
    ['invoic', 'invoic', 'vat', 'b2b']
    """
    if len(word) < _LEAST_ENGLISH or not (word.isascii() and word.isalpha()):
        return word
    return str(stem(word))
