"""Estimate of the number of language model tokens in a text.

Tokenizers split Latin words into pieces of about four letters and Arabic words into pieces of
about two. Digits and other signs are nearly one token each. The rates are means over common
tokenizers on prose. Use the estimate to plan requests, not for billing.
"""

from __future__ import annotations

import re
from math import ceil

_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")
_ARABIC = re.compile(r"[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff]")
_DIGIT = re.compile(r"\d", re.ASCII)
_SPACE = re.compile(r"\s")

CHARACTERS_PER_TOKEN = {"latin": 4.4, "arabic": 2.3, "digits": 2.5, "signs": 1.6}
"""Characters per token by kind. White space is not counted: it belongs to the next word."""


def estimate_tokens(text: str) -> int:
    """Return the estimated number of tokens.

    >>> estimate_tokens("Stock counts without closing")
    6
    >>> estimate_tokens("جرد المخزون دون إغلاق")
    8
    """
    latin, arabic, digits = (len(kind.findall(text)) for kind in (_LATIN, _ARABIC, _DIGIT))
    signs = len(text) - latin - arabic - digits - len(_SPACE.findall(text))
    rates = CHARACTERS_PER_TOKEN
    return ceil(
        latin / rates["latin"]
        + arabic / rates["arabic"]
        + digits / rates["digits"]
        + signs / rates["signs"]
    )
