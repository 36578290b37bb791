"""English: the stem of a folded word, by the Snowball rules that Whoosh carries."""

from __future__ import annotations

from functools import lru_cache

from whoosh.lang.porter2 import stem

_SHORTEST = 3


@lru_cache(maxsize=65_536)
def stem_of(word: str) -> str:
    """The stem; what is no English word of three letters or more stays as it is.

    >>> stem_of("invoices"), stem_of("invoicing"), stem_of("vat"), stem_of("b2b")
    ('invoic', 'invoic', 'vat', 'b2b')
    """
    if len(word) < _SHORTEST or not (word.isascii() and word.isalpha()):
        return word
    return str(stem(word))
