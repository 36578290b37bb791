"""Syntax highlighting by Pygments: code as HTML with a class for each kind of token.

Pygments takes quadratic time for some texts, and longer in some languages: 16 kB of blank lines in
C take minutes. `_LANGUAGES` has those that were tried with 75 kinds of repeated signs. For 5,000
characters that `_is_usual` accepts they take less than 0.4 seconds, and for common code 10 ms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache

from markupsafe import Markup, escape
from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class_by_name
from pygments.token import (
    Comment,
    Generic,
    Keyword,
    Literal,
    Name,
    Number,
    Operator,
    String,
    _TokenType,
)
from pygments.util import ClassNotFound

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_NAMES = (
    "applescript awk bash batch c clojure cmake common-lisp console cpp csharp css cypher dart "
    "diff django docker elixir elm erb erlang fish fortran fsharp glsl go graphql groovy "
    "handlebars haskell html html+django http ini java javascript json json5 jsonnet jsx julia "
    "kotlin less liquid llvm lua make markdown matlab mysql nasm nginx nimrod nixos "
    "objective-c ocaml octave perl php postgresql powershell prolog properties protobuf psql "
    "puppet pycon python rbcon restructuredtext ruby rust sass scala scheme scss smarty sparql "
    "splus sql swift tcl tex toml tsx twig typescript vb.net vhdl vim vue xml yaml zig"
)
_LANGUAGES = frozenset(_NAMES.split())
"""The languages that are highlighted, by the first of their names in Pygments."""

_UNUSUAL = re.compile(r"\s{100}|[\w\s]{200}|[^\n]{500}")
_HERE_DOCUMENT = re.compile(r"<<[-~]?[\"'`A-Z]")
_MAX_HERE_DOCUMENTS = 20
_CLASSES: Mapping[_TokenType, str] = {
    Comment: "c",
    Comment.Preproc: "a",
    Generic.Deleted: "d",
    Generic.Heading: "k",
    Generic.Inserted: "i",
    Generic.Prompt: "c",
    Generic.Subheading: "k",
    Keyword: "k",
    Keyword.Constant: "m",
    Keyword.Type: "a",
    Literal: "m",
    Name.Attribute: "a",
    Name.Builtin: "a",
    Name.Class: "f",
    Name.Constant: "m",
    Name.Decorator: "a",
    Name.Entity: "m",
    Name.Exception: "f",
    Name.Function: "f",
    Name.Namespace: "f",
    Name.Tag: "k",
    Name.Variable: "a",
    Number: "m",
    Operator.Word: "k",
    String: "s",
}
"""The classes of tokens; a kind that is not listed has that of the kind it belongs to."""

Token = tuple[str, str]
"""The class of a token, `""` for none, and its text."""


@lru_cache(256)
def highlight(code: str, language: str, marked: frozenset[int] = frozenset()) -> Markup:
    """Return code as HTML; the lines with the marked numbers are `mark` elements.

    Code in an unknown language is escaped, without classes.

    >>> highlight("x = 1", "python")
    Markup('x = <span class="m">1</span>')
    """
    tokens = tuple(_tokens(code, language))
    if not marked:
        return _html(tokens)
    lines = enumerate(_lines(tokens), start=1)
    return Markup().join(
        Markup("<mark>{}</mark>").format(_html(line)) if number in marked else _html(line)
        for number, line in lines
    )


def _tokens(code: str, language: str) -> Iterable[Token]:
    plain = [("", code)]
    lexer = _lexer(language)
    if lexer is None or not _is_usual(code):
        return plain
    try:
        tokens = list(_merged(lexer.get_tokens(code)))
    except Exception:  # a fault of one of the many lexers must not hide the code
        return plain
    return tokens if "".join(text for _, text in tokens) == code else plain


@lru_cache(128)
def _lexer(language: str) -> Lexer | None:
    try:
        lexer = find_lexer_class_by_name(language)
    except ClassNotFound:
        return None
    is_tried = lexer.aliases[0] in _LANGUAGES
    return lexer(stripnl=False, ensurenl=False) if is_tried else None


def _is_usual(code: str) -> bool:
    """Return whether people write such code: with signs, short lines and few here-documents."""
    is_unusual = _UNUSUAL.search(code) or len(_HERE_DOCUMENT.findall(code)) > _MAX_HERE_DOCUMENTS
    return not is_unusual


def _merged(tokens: Iterable[tuple[_TokenType, str]]) -> Iterator[Token]:
    """Yield tokens with their classes; neighbours of the same class are one token."""
    previous, texts = "", list[str]()
    for kind, text in tokens:
        current = _class_of(kind)
        if current != previous and not (text.isspace() and texts):
            yield previous, "".join(texts)
            previous, texts = current, []
        texts.append(text)
    yield previous, "".join(texts)


@cache
def _class_of(kind: _TokenType) -> str:
    known = next((each for each in reversed(kind.split()) if each in _CLASSES), None)
    return _CLASSES[known] if known else ""


def _lines(tokens: Iterable[Token]) -> Iterator[list[Token]]:
    """Split tokens into lines, each with its line break."""
    line: list[Token] = []
    for name, text in tokens:
        for part in _LINE.findall(text):
            line.append((name, part))
            if part.endswith("\n"):
                yield line
                line = []
    if line:
        yield line


def _html(tokens: Iterable[Token]) -> Markup:
    # The names are those of this module, and the texts are escaped.
    return Markup("".join(map(_span, tokens)))  # noqa: S704


def _span(token: Token) -> str:
    name, text = token
    return f'<span class="{name}">{escape(text)}</span>' if name else escape(text)
