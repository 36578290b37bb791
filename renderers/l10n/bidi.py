"""Bidirectional text: language detection, `lang` and `dir` attributes, directional runs, isolation.

In right-to-left text it shows a Latin phrase as it is written, and so a number such as 1,200.50.
But neutral characters between, before or after numbers follow the paragraph: `10–20` becomes
`20–10`, `15%` becomes `%15`, and the groups of a phone number change places. Such a run has to be
isolated. In left-to-right text the same happens to a number or a name after an Arabic phrase.
"""

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any

from markupsafe import Markup, escape

from knowledge.locales.cldr import language_of_script
from knowledge.locales.locale import Language, OtherLanguage, TextLanguage
from knowledge.markdown import text_cache

_ARABIC = re.compile(r"[\u0620-\u064a\u066e-\u06d3]")
_LATIN = re.compile(r"[A-Za-z]")
_LONGEST_UNBROKEN = 24
"""A longer run may be broken at the end of a line: it could be wider than a phone."""

Direction = str
"""The direction of a paragraph, `ltr` or `rtl`."""


def detect_language(text: str, expected: Language) -> Language:
    """Detect the language of a text by its script, ignoring names in the other script.

    >>> detect_language("Point of Sale", Language.AR), detect_language("منفذ HDMI", Language.AR)
    (<Language.EN: 'en'>, <Language.AR: 'ar'>)
    >>> detect_language("Reply نعم", Language.EN), detect_language("منفذ من نوع HDMI", Language.EN)
    (<Language.EN: 'en'>, <Language.AR: 'ar'>)
    """
    arabic = has_arabic(text)
    if expected is Language.AR:
        return Language.EN if not arabic and _LATIN.search(text) else Language.AR
    is_arabic = arabic and len(_ARABIC.findall(text)) > len(_LATIN.findall(text))
    return Language.AR if is_arabic else Language.EN


def has_arabic(text: str) -> bool:
    """Return whether a text has an Arabic letter."""
    return bool(_ARABIC.search(text))


def tag_attributes(tag: str | None) -> Markup:
    """Return `lang` and `dir` of a text in a language that no reader chooses, else nothing."""
    return language_attributes(OtherLanguage(tag)) if tag else Markup()


def language_attributes(language: TextLanguage) -> Markup:
    """Return the `lang` and `dir` attributes of an element."""
    return _attributes(str(language), language.direction)


@lru_cache
def _attributes(tag: str, direction: Direction) -> Markup:
    return Markup(' lang="{}" dir="{}"').format(tag, direction)


def foreign_attributes(text: str, expected: Language) -> Markup:
    """Return `lang` and `dir` if the text is not in the expected language, else nothing."""
    language = _other_language(text) or detect_language(text, expected)
    return Markup() if language is expected else language_attributes(language)


@text_cache
def _other_language(text: str) -> OtherLanguage | None:
    """Return the language of a text whose letters tell that it is neither English nor Arabic."""
    return language_of_script(text)


def bdi(text: object) -> Markup:
    """Isolate a name or number from the direction of the surrounding text."""
    return Markup("<bdi>{}</bdi>").format(text)


def isolated(text: str, direction: Direction) -> Markup:
    """Escape a text and isolate what a paragraph of this direction would reorder.

    >>> isolated("هاتف +971 4 555 0142", "rtl")
    Markup('هاتف <bdi dir="ltr">+971 4 555 0142</bdi>')
    """
    pieces, position = [], 0
    for start, end in isolated_runs(text, direction):
        pieces += [escape(text[position:start]), isolate(escape(text[start:end]), direction)]
        position = end
    return Markup().join([*pieces, escape(text[position:])])


Span = tuple[int, int]


def isolated_runs(text: str, direction: Direction) -> Iterator[Span]:
    """Yield the parts of a text that have to be isolated in a paragraph of this direction."""
    return rtl_runs(text) if direction == "ltr" else ltr_runs(text)


def isolate(html: Markup, direction: Direction) -> Markup:
    """Isolate a run, whose direction is the opposite of the paragraph's."""
    if direction == "ltr":
        return Markup('<bdi dir="rtl">{}</bdi>').format(html)
    is_long = len(html.striptags()) > _LONGEST_UNBROKEN
    breaks = Markup(' class="long"') if is_long else ""
    return Markup('<bdi dir="ltr"{}>{}</bdi>').format(breaks, html)


def paragraph_direction(text: str, expected: Language) -> Direction:
    """Return the direction of the element in which a template shows a text."""
    if expected is Language.AR:
        return expected.direction
    other = None if text.isascii() else _other_language(text)
    return (other or detect_language(text, expected)).direction


def isolated_value(value: object, reader: Language) -> object:
    """Isolate runs in a value that a template shows as text; return any other as it is."""
    if not isinstance(value, str) or (reader is Language.EN and value.isascii()):
        return value
    if not isinstance(value, Markup):
        return _isolated_text(value, reader)
    if "<" in value or '="' in value:  # elements or attributes, not text
        return value
    return _isolated_text(value.unescape(), reader)


@text_cache
def _isolated_text(text: str, reader: Language) -> Markup:
    return isolated(text, paragraph_direction(text, reader))


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

_ARABIC_RUN = re.compile(
    rf"[{RTL_LETTER}]++(?:[ \n\u00a0.،؛:'’–—0-9-]{{1,8}}[{RTL_LETTER}]++)*+"
    rf"(?:(?<=\.[{RTL_LETTER}])\.)?"
)


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
    for run in _ARABIC_RUN.finditer(text):
        yield run.span()


Token = dict[str, Any]

_MARKED = frozenset(("strong", "emphasis", "strikethrough"))

_OTHER = "\ufffc"
"""Stands for a token that no run contains, as in the bidirectional algorithm."""


def runs_grouped(tokens: list[Token], direction: Direction) -> list[Token]:
    """Return inline tokens of which each run over several is one token of type `isolated`."""
    if not any(token["type"] in _MARKED for token in tokens):
        return tokens
    inline = _Inline(tokens)
    grouped: list[Token] = []
    position = 0
    for start, end in isolated_runs(inline.text, direction):
        if inline.is_over_several((start, end)):
            grouped += inline.part((position, start))
            grouped.append({"type": "isolated", "children": list(inline.part((start, end)))})
            position = end
    return [*grouped, *inline.part((position, len(inline.text)))] if grouped else tokens


class _Inline:
    """Inline tokens, with the offset of each in their text."""

    def __init__(self, tokens: list[Token]) -> None:
        texts = [_text(token) for token in tokens]
        self.text = "".join(texts)
        self._tokens = tokens
        self._offsets = [0, *accumulate(map(len, texts))]

    def is_over_several(self, run: Span) -> bool:
        """Return whether a run is in several tokens, of which it cuts none but text."""
        first, last = self._range(run)
        is_cut = {first: run[0] > self._offsets[first], last: run[1] < self._offsets[last + 1]}
        whole = all(self._tokens[i]["type"] == "text" for i, cut in is_cut.items() if cut)
        return first < last and whole

    def part(self, span: Span) -> Iterator[Token]:
        """Yield the tokens of a part of the text."""
        if span[0] == span[1]:
            return
        first, last = self._range(span)
        for index in range(first, last + 1):
            token, start = self._tokens[index], self._offsets[index]
            if token["type"] == "text":
                token = {**token, "raw": token["raw"][max(span[0] - start, 0) : span[1] - start]}
            yield token

    def _range(self, span: Span) -> Span:
        """Return the indices of the first and last token of a part of the text."""
        first = bisect_right(self._offsets, span[0]) - 1
        return first, bisect_left(self._offsets, span[1]) - 1


def _text(token: Token) -> str:
    """Return the text of a token that a run may contain."""
    if token["type"] == "text":
        return str(token["raw"])
    children = token.get("children", ())
    if token["type"] in _MARKED and len(children) == 1 and children[0]["type"] == "text":
        return str(children[0]["raw"]) or _OTHER
    return _OTHER


Spans = Callable[[str], Sequence[Span]]


def highlighted(text: str, spans: Spans | None, direction: Direction = "ltr") -> Markup:
    """Escape a text, wrap the matched spans in `mark` elements, and isolate mixed runs.

    >>> highlighted("VAT & you", lambda text: [(0, 3)])
    Markup('<mark>VAT</mark> &amp; you')
    """
    marks, position, pieces = deque(spans(text) if spans else ()), 0, []
    for start, end in isolated_runs(text, direction):
        pieces.append(Markup().join(_pieces(text, (position, start), marks)))
        pieces.append(isolate(Markup().join(_pieces(text, (start, end), marks)), direction))
        position = end
    return Markup().join([*pieces, *_pieces(text, (position, len(text)), marks)])


def _pieces(text: str, part: Span, marks: deque[Span]) -> Iterator[Markup]:
    """Yield one part of a text; marks that end in it are removed, as parts come in order."""
    position, end = part
    while marks and marks[0][0] < end:
        begin, close = max(marks[0][0], position), min(marks[0][1], end)
        yield escape(text[position:begin])
        yield Markup("<mark>{}</mark>").format(text[begin:close])
        position = close
        if marks[0][1] > end:
            break
        marks.popleft()
    yield escape(text[position:end])
