"""Folding: the letters of a text, whatever the keyboard, the case and the spelling variant."""

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
    """For `str.translate`: what is left of a character, worked out when first met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if char.isdecimal():
            plain = str(unicodedata.decimal(char))
        elif unicodedata.combining(char) or _is_unseen(char):
            plain = ""
        else:
            plain = char
        self[code] = plain
        return plain


_PLAIN = _Plain()


def _is_unseen(char: str) -> bool:
    """Control and format characters, such as marks of direction; blanks are seen."""
    return unicodedata.category(char) in ("Cc", "Cf") and not char.isspace()


def fold(text: str) -> str:
    """A text without case, accents, vowel signs, unseen characters and spelling variants.

    >>> fold("Café"), fold("فَاتُورَة"), fold("إلى"), fold("٢٠٢٦"), fold("e‑mail")
    ('cafe', 'فاتوره', 'الي', '2026', 'e-mail')
    """
    if text.isascii():
        return text.lower().translate(_PLAIN)
    # Arabic letters first: decomposing would part a carrier from its hamza.
    letters = unicodedata.normalize("NFKC", text).translate(_LETTERS).casefold()
    return unicodedata.normalize("NFKD", letters).translate(_PLAIN).translate(_LETTERS)
