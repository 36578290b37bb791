"""A Jinja extension that isolates mixed runs in every value that a template shows as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

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

    def filter_stream(self, stream: TokenStream) -> Iterable[Token]:
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
                    yield Token(token.lineno, "lparen", "(")


def _filter(line: int) -> Iterator[Token]:
    yield Token(line, "rparen", ")")
    yield Token(line, "pipe", "|")
    yield Token(line, "name", FILTER)
