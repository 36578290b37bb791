"""Arabic: the stems a folded word may have, its particles and endings taken off.

Light stemming: no root is guessed. Where a first letter may be a particle or a part of the word,
both readings stand, and a word shares a stem with another where any two readings agree.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

_CONJUNCTIONS = ("و", "ف")
_PREPOSITIONS = ("ب", "ك", "ل")
_ARTICLES = ("ال", "لل")
_LEAST_LETTERS = 4
"""Of a word that may begin with a particle."""

_OWNERS = (("تك", 3), ("هما", 3), ("ها", 3), ("هم", 4), ("هن", 4), ("كم", 4), ("نا", 4))
_PLURALS = (("ات", 3), ("ون", 4), ("ين", 4), ("ان", 4), ("ه", 3))
"""Endings, each with the fewest letters that must be left; shorter words would lose their own."""
_BEFORE_OWNER = (("ت", 3),)
_OF_KIND = (("ي", 3),)
_JOINED_ARTICLE = re.compile("[وف]?[بك]?ال|[وف]?لل")


def is_arabic(word: str) -> bool:
    """Whether a folded word begins with an Arabic letter."""
    return "\u0621" <= word[:1] <= "\u064a"


def bare_words(word: str, roots: Collection[str] = ()) -> Iterator[str]:
    """The readings of a word without conjunction, preposition and article.

    `roots` holds the stems of words whose first letter is their own.

    >>> list(bare_words("والفواتير")), list(bare_words("للمتجر"))
    (['والفواتير', 'فواتير'], ['متجر', 'لمتجر'])
    >>> list(bare_words("بطاقه", {"بطاق"})), list(bare_words("الالتزام"))
    (['بطاقه'], ['تزام'])
    """
    resolutions = dict.fromkeys(
        _without_article(governed)
        for joined in _without_particle(word, _CONJUNCTIONS, roots)
        for governed in _without_particle(joined, _PREPOSITIONS, roots)
    )
    return iter(resolutions)


def _without_particle(
    word: str, particles: tuple[str, ...], roots: Collection[str]
) -> Iterator[str]:
    yield word
    if word.startswith(particles) and len(word) >= _LEAST_LETTERS and stem_of(word) not in roots:
        yield word[1:]


def _without_article(word: str) -> str:
    """Without it however often: so `الالتزام` meets `التزام`, whose first letters only look so."""
    while word.startswith(_ARTICLES) and len(word) >= _LEAST_LETTERS:
        word = word[2:]
    return word


def stem_of(word: str) -> str:
    """A word without the endings of owner, number, gender and kind.

    >>> [stem_of(word) for word in ("فاتوره", "فاتورتها", "ضريبي", "ضريبه", "برمجيات", "موظفين")]
    ['فاتور', 'فاتور', 'ضريب', 'ضريب', 'برمج', 'موظف']
    """
    article = _JOINED_ARTICLE.match(word)
    own = article.end() if article else 0
    owned = _without(word, _OWNERS, own)
    if owned != word:
        word = owned if owned.endswith("ات") else _without(owned, _BEFORE_OWNER, own)
    return _without(_without(word, _PLURALS, own), _OF_KIND, own)


def _without(word: str, endings: tuple[tuple[str, int], ...], start: int) -> str:
    """The word without the first ending that leaves enough of it, counted from `start`."""
    for ending, least in endings:
        if word.endswith(ending) and len(word) - len(ending) - start >= least:
            return word[: -len(ending)]
    return word
