"""Text normalization: removes differences of case, accents and spelling variants."""

from __future__ import annotations

import unicodedata

_ARABIC = {
    **dict.fromkeys("أإآٱ", "ا"),
    **dict.fromkeys("ىیي", "ي"),
    "ؤ": "و",
    "ئ": "ي",
    **dict.fromkeys("ةۃ", "ه"),
    "ک": "ك",
    "گ": "ك",
    "ـ": "",  # tatweel
}
_SIGNS = {
    **dict.fromkeys("‐‑‒–—−", "-"),
    **dict.fromkeys("‘’‛ʼʹ′`´", "'"),
    "،": ",",
    "؛": ";",
    "؟": "?",
    "٪": "%",
    "٫": ".",
    "٬": ",",
}
_LETTERS = str.maketrans(_ARABIC | _SIGNS)


class _Plain(dict[int, str]):
    """A lazy `str.translate` table: computes the folded form of a character on first use."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if char.isdecimal():
            plain = str(unicodedata.decimal(char))
        elif unicodedata.combining(char) or _is_invisible(char):
            plain = ""
        else:
            plain = char
        self[code] = plain
        return plain


_PLAIN = _Plain()


def _is_invisible(char: str) -> bool:
    """Return whether it is a control or format character (a direction mark), not whitespace."""
    return unicodedata.category(char) in ("Cc", "Cf") and not char.isspace()


def fold(text: str) -> str:
    """Return a text without case, accents, vowel signs and invisible characters.

    >>> fold("Café"), fold("فَاتُورَة"), fold("إلى"), fold("٢٠٢٦"), fold("e‑mail")
    ('cafe', 'فاتوره', 'الي', '2026', 'e-mail')
    """
    if text.isascii():
        return text.lower().translate(_PLAIN)
    # Arabic letters first: decomposition would separate a hamza from its carrier letter.
    letters = unicodedata.normalize("NFKC", text).translate(_LETTERS).casefold()
    return unicodedata.normalize("NFKD", letters).translate(_PLAIN).translate(_LETTERS)
