"""Words that belong together in HTML: names, hours, sizes, and numbers with what they count."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from markupsafe import Markup, escape

from knowledge.locales.locale import Language

_TEXT = re.compile(
    r"<(pre|code|form|script|style|svg|table(?= class=.comparison))\b.*?(?=</\1>|\Z)"
    r"|>([0-9][^<>]*|[^<>@]*+@[^<>]*|[^<>\-– ]*+(?: (?![A-Z0-9])[^<>\-– ]*+)*+[\-– ][^<>]*)",
    re.DOTALL,
)
"""An element whose text stays as it is, or a text that may have such a word or phrase.

The columns of a comparison are narrower than a name on phones.
"""

_COMPOUND = re.compile(r"(?<!\S)(?=\S{3,24}(?!\S))\S+-\S+")
"""A longer one may be broken: it could be wider than a phone."""

_MAIL_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+")
_SEPARATOR = re.compile("[@.]")

_RANGE = re.compile(r"(?<!\S)[0-9]{2}:[0-9]{2}–[0-9]{2}:[0-9]{2}(?!\S)")

_FIGURES = r"[0-9]{2}:[0-9]{2} \S{1,4} [0-9]{2}:[0-9]{2}|[0-9]+ × [0-9]+"
_NUMBER = r"[0-9]{1,3}(?:[,.][0-9]{3})?"
_COUNTED = rf"{_NUMBER} (?!من\b|إلى\b)[ء-ي]{{2,7}}"
"""A number and what it counts, in Arabic."""

_MEASURED = rf"{_NUMBER} (?:(?:minute|hour|day|week|month|year)s?|min|mm|cm|kg|GB)"


_TIED_CHARACTERS = 13
"""A longer name could be wider than a card on a small phone."""


def _tied(phrase: re.Match[str]) -> str:
    """Tie the words of a figure, and of a name as many of its last words as always fit."""
    if phrase[0][0].isdecimal():
        return phrase[0].replace(" ", "\u00a0")
    *before, last = phrase[0].split(" ")
    while before and len(before[-1]) + len(last) < _TIED_CHARACTERS:
        last = f"{before.pop()}\u00a0{last}"
    return " ".join([*before, last])


@lru_cache(maxsize=64)
def _phrases(name: str, language: Language) -> tuple[re.Pattern[str], Callable[[str], object]]:
    """Return the expression of phrases whose words are tied, and whether a text may have one.

    They are hours, sizes, names of products, Arabic family names, and numbers with their unit; in
    Arabic a number with what it counts.
    """
    more = "(?: [A-Z0-9][A-Za-z0-9.]*)"
    latin = rf"[A-Z][A-Za-z0-9]*{more}{{1,3}}"
    own = rf"{re.escape(escape(name))}{more}{{1,2}}" if name else "(?!)"
    named = rf"{own}|[A-Z][a-z]{{4,}} [0-9]{{1,3}}|{_MEASURED}|Al [A-Z][a-z]+"
    if language is Language.AR:
        return re.compile(rf"\b(?:{_FIGURES}|{latin}|{_COUNTED})\b"), re.compile("[0-9A-Z]").search
    hint = re.compile(rf"[0-9]|Al |{re.escape(escape(name))} " if name else "[0-9]|Al ")
    return re.compile(rf"\b(?:{_FIGURES}|{named})\b"), hint.search


def unbroken(language: Language, html: Markup, name: str = "") -> Markup:
    r"""Keep compound words, hours, sizes and names on one line: in Arabic Latin ones, else `name`.

    Mail addresses are broken where they have a sign.

    >>> unbroken(Language.EN, Markup("<h2>All-in-one, Oasis Counter 15</h2>"), "Oasis")
    Markup('<h2><span class="unbroken">All-in-one,</span> Oasis Counter\xa015</h2>')
    >>> unbroken(Language.AR, Markup("<p>جهاز Oasis POS Duo من 08:00 إلى 18:00</p>"))
    Markup('<p>جهاز Oasis\xa0POS\xa0Duo من 08:00\xa0إلى\xa018:00</p>')
    >>> unbroken(Language.AR, Markup("<p>جاهز خلال 5 أيام عمل</p><dd>11 دقيقة</dd>"))
    Markup('<p>جاهز خلال 5\xa0أيام عمل</p><dd>11\xa0دقيقة</dd>')
    >>> unbroken(Language.EN, Markup("<td>08:00–18:00</td><td>1920 × 1080, 8 GB</td>"))
    Markup('<td><span class="hours">08:00–18:00</span></td><td>1920\xa0×\xa01080, 8\xa0GB</td>')
    >>> unbroken(Language.EN, Markup("<p>The tills of Al Noor Markets</p>"))
    Markup('<p>The tills of Al\xa0Noor Markets</p>')
    >>> unbroken(Language.EN, Markup("<p>Write to a.b@c.example.</p>"))
    Markup('<p>Write to a.<wbr>b@<wbr>c.<wbr>example.</p>')
    >>> unbroken(Language.EN, Markup("<pre><code>a-b <b>c-d</b></code></pre>"))
    Markup('<pre><code>a-b <b>c-d</b></code></pre>')
    """
    phrases, has_phrase = _phrases(name, language)

    def kept(found: re.Match[str]) -> str:
        if found[1]:
            return found[0]
        text = found[2]
        if has_phrase(text):
            text = phrases.sub(_tied, text)
        if "–" in text:
            text = _RANGE.sub(r'<span class="hours">\g<0></span>', text)
        if "-" in text:
            text = _COMPOUND.sub(r'<span class="unbroken">\g<0></span>', text)
        if "@" in text:
            text = _MAIL_ADDRESS.sub(lambda each: _SEPARATOR.sub(r"\g<0><wbr>", each[0]), text)
        return f">{text}"

    return Markup(_TEXT.sub(kept, str(html)))  # noqa: S704
