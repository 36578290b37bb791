"""Runs of text whose characters the Unicode bidirectional algorithm (UAX 9) puts in another order.

In right-to-left text it shows a Latin phrase as it is written, and so a number such as 1,200.50.
But neutral characters between, before or after numbers follow the paragraph: `10–20` becomes
`20–10`, `15%` becomes `%15`, and the groups of a phone number change places. Such a run has to be
isolated. In left-to-right text the same happens to a number or a name after an Arabic phrase.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

LTR_LETTER = (
    r"A-Za-z\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u052f\u1e00-\u1fff"
)
RTL_LETTER = r"\u0590-\u05ff\u0620-\u065f\u066e-\u08ff\ufb1d-\ufdff\ufe70-\ufefe"
_ALPHANUMERIC = rf"{LTR_LETTER}0-9\u00b9\u00b2\u00b3"
_SPACE = r"[ \n\u00a0\u202f]{1,2}"
_SIGN = (
    rf"(?<![{_ALPHANUMERIC}{RTL_LETTER}\u0640])[-\u2212#@*.~]{{1,2}}"
    r"|[-\u2212]?(?:[$€£¥+]{1,2}|[±≈<>≤≥]{1,2} ?(?=[$€£¥0-9]))|°(?=[CF])"
)
_INNER = r"[-.,:/\\@&=?#%+~*_'’–—\u2212×÷·^|$€£°…‰<>≤≥→]{1,3}"
_END = r"[ \u00a0\u202f]?[%‰]|٪|[+#°′″™®©*]{1,2}(?!\w)|\(\)|(?<=\.[0-9])\""
_WORD = rf"(?:{_SIGN})?[{_ALPHANUMERIC}]++(?:{_INNER}[{_ALPHANUMERIC}]++)*+(?:{_END})?+"
# The length is limited, as every opening parenthesis is tried.
_GROUP = rf"\([^()\n{RTL_LETTER}]{{1,40}}\)"
_OPERATOR = rf"(?:{_SPACE})?[-+×÷=*/≈≠≤≥<>±→–—\u2212](?:{_SPACE})?"
_RUN = re.compile(
    rf"(?:https?://|www\.)[^\s()<>\"{RTL_LETTER}]{{1,2000}}(?<![.,:;!?])"
    rf"|(?<![\w/])/[A-Za-z][\w/.{{}}~-]{{1,200}}(?<![.,:;!?])"
    r"|\+[0-9٠-٩](?:[-.()/ \u00a0]{0,3}[0-9٠-٩])++"
    rf"|(?:{_GROUP}(?={_OPERATOR}[{_ALPHANUMERIC}(])|{_WORD})"
    rf"(?:{_SPACE}{_WORD}"
    rf"|(?:{_SPACE})?[+×÷=*≈≠≤≥<>±→](?:{_SPACE})?(?:{_GROUP}(?:{_END})?|{_WORD})"
    rf"|{_SPACE}[-–—\u2212/]{_SPACE}(?=[-+\u2212$€£(]?[0-9])(?:{_GROUP}|{_WORD}))*+",
)
_NUMBER = r"[0-9]++(?:[.,:/\u00a0][0-9]++)*+"
_STAYS = re.compile(
    rf"{_NUMBER}|(?:{_NUMBER})?[{LTR_LETTER}](?:.*[{_ALPHANUMERIC}]|.*[0-9][%‰°])?", re.DOTALL
)
"""A run that UAX 9 shows in its own order: a number, or a phrase from a letter on."""

_ARABIC = re.compile(
    rf"[{RTL_LETTER}]++(?:[ \n\u00a0.،؛:'’–—0-9-]{{1,8}}[{RTL_LETTER}]++)*+"
    rf"(?:(?<=\.[{RTL_LETTER}])\.)?"
)

Span = tuple[int, int]


def ltr_runs(text: str) -> Iterator[Span]:
    """Yield the left-to-right runs that right-to-left text would reorder.

    >>> list(ltr_runs("من 10–20% أو 1,200 في ERP v2"))
    [(3, 9)]
    """
    for run in _RUN.finditer(text):
        if not _STAYS.fullmatch(run[0]):
            yield run.span()


def rtl_runs(text: str) -> Iterator[Span]:
    """Yield the right-to-left phrases of a left-to-right text; a number after one would move."""
    for run in _ARABIC.finditer(text):
        yield run.span()
