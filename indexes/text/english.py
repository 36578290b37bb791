"""English stemming of folded words, with Whoosh's Snowball stemmer."""

from __future__ import annotations

from functools import lru_cache

from whoosh.lang.porter2 import stem

_MIN_LETTERS = 3


@lru_cache(maxsize=65_536)
def stem_of(word: str) -> str:
    """Return the stem of a word; short ones and those with other characters than a to z stay.

    >>> stem_of("invoices"), stem_of("invoicing"), stem_of("vat"), stem_of("b2b")
    ('invoic', 'invoic', 'vat', 'b2b')
    """
    if len(word) < _MIN_LETTERS or not (word.isascii() and word.isalpha()):
        return word
    return str(stem(word))
