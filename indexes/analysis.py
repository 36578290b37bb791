"""Analysis: the form in which texts and queries meet, whatever the spelling."""

from __future__ import annotations

import re
import unicodedata

_ARABIC_FOLDING = str.maketrans(
    {
        **dict.fromkeys("أإآٱ", "ا"),
        **dict.fromkeys("ىیي", "ي"),
        "ؤ": "و",
        "ئ": "ي",
        "ة": "ه",
        "ک": "ك",
        "ـ": None,  # tatweel
    }
)
_WORD = re.compile(r"\w")


def fold(text: str) -> str:
    """The letters of a text without case, accents, vowel signs and spelling variants.

    >>> fold("Café"), fold("فَاتُورَة"), fold("إلى"), fold("٢٠٢٦")
    ('cafe', 'فاتوره', 'الي', '2026')
    """
    # Arabic letters first: decomposing would part a carrier from its hamza.
    letters = unicodedata.normalize("NFKC", text).translate(_ARABIC_FOLDING).casefold()
    decomposed = unicodedata.normalize("NFKD", letters)
    return "".join(_plain(char) for char in decomposed if not unicodedata.combining(char))


def _plain(char: str) -> str:
    return str(unicodedata.decimal(char)) if char.isdecimal() else char


def terms(query: str) -> tuple[str, ...]:
    """The folded words of a query that hold a letter or digit; there may be none.

    >>> terms("ERP  *  VAT?"), terms("🎉 *")
    (('erp', 'vat?'), ())
    """
    return tuple(term for term in fold(query).split() if _WORD.search(term))
