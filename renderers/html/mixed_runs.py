"""Mixed runs: texts of two directions, isolated in templates, inline markup and highlights."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from jinja2.ext import Extension
from jinja2.lexer import Token as TemplateToken
from jinja2.lexer import TokenStream
from markupsafe import Markup, escape

from renderers.l10n.bidi import Direction, Span, isolate, isolated_runs

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


FILTER = "isolated_value"
"""The filter of templates that isolates the runs of a value."""

_VERBATIM = frozenset(
    ("code", "kbd", "option", "pre", "samp", "script", "style", "textarea", "title")
)
"""Elements that show markup as text, or whose text stays as it is."""

_MARKUP = re.compile(r'<bdi dir|</?(?:[A-Za-z][^\s>"]*|$)|>|="|"')


class _Position:
    """Where in the HTML of a template its literal text has arrived."""

    def __init__(self) -> None:
        self._in_tag = False
        self._in_value = False
        self._verbatim = ""

    @property
    def is_text(self) -> bool:
        """Whether a value here is text, not part of a tag or attribute."""
        return not (self._in_tag or self._in_value or self._verbatim)

    def advance(self, literal: str) -> None:
        """Go on to the end of a literal text."""
        for match in _MARKUP.finditer(literal):
            mark = match[0]
            if mark.endswith('"'):
                self._in_value = mark == '="'
            elif not self._in_value:
                self._pass_tag(mark)

    def _pass_tag(self, mark: str) -> None:
        self._in_tag = mark != ">"
        name = "bdi" if mark == "<bdi dir" else mark[1:]
        if self._verbatim:
            if name == f"/{self._verbatim}":
                self._verbatim = ""
        elif name in _VERBATIM or mark == "<bdi dir":
            self._verbatim = name


class BidiExtension(Extension):
    """Templates need no filter for texts that mix directions, as they need none for escaping."""

    def filter_stream(self, stream: TokenStream) -> Iterable[TemplateToken]:
        """Apply the isolating filter to each value between tags."""
        position, is_filtered = _Position(), False
        for token in stream:
            if token.type == "data":
                position.advance(token.value)
            if token.type == "variable_end" and is_filtered:
                yield from _filter(token.lineno)
            yield token
            if token.type == "variable_begin":
                is_filtered = position.is_text
                if is_filtered:
                    yield TemplateToken(token.lineno, "lparen", "(")


def _filter(line: int) -> Iterator[TemplateToken]:
    yield TemplateToken(line, "rparen", ")")
    yield TemplateToken(line, "pipe", "|")
    yield TemplateToken(line, "name", FILTER)


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
