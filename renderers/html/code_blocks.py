"""Code blocks as HTML: highlighted, always left to right, scrolling and reachable by keyboard.

Generators write it in many ways, such as `js {1,3}`, `js title="a.js"`, `{python}`, `js:a.js`.

Pygments takes quadratic time for some texts, and longer in some languages: 16 kB of blank lines in
C take minutes. `_LANGUAGES` has those that were tried with 75 kinds of repeated signs. For 5,000
characters that `_is_usual` accepts they take less than 0.4 seconds, and for common code 10 ms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
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

from knowledge.diagnostics.messages import mark as _
from knowledge.locales.locale import Language
from renderers.l10n.translation import translate

MAX_BLOCK_CHARACTERS = 5_000
"""A longer block is not highlighted, because Pygments takes quadratic time in the worst case."""

MAX_TEXT_CHARACTERS = 50_000
"""The blocks of a text beyond this sum are not highlighted."""


class CodeBlocks:
    """Renders the code blocks of one text, with labels in a language."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._characters = 0

    def render(self, code: str, info: str) -> Markup:
        """Return a code block with its title, if `info`, the text after its fence, has one."""
        fence = parse_fence_info(info)
        label = translate(_("Code"), self._language)
        label = f"{label}: {fence.title}" if fence.title else label
        classes = Markup(' class="language-{}"').format(fence.language) if fence.language else ""
        block = Markup(
            '<pre dir="ltr" tabindex="0" role="group" aria-label="{}"><code{}>{}</code></pre>\n'
        ).format(label, classes, self._content(code, fence))
        if not fence.title:
            return block
        caption = Markup("<figcaption><bdi>{}</bdi></figcaption>").format(fence.title)
        return Markup('<figure class="code">{}\n{}</figure>\n').format(caption, block)

    def _content(self, code: str, fence: FenceInfo) -> Markup:
        self._characters += len(code)
        if len(code) > MAX_BLOCK_CHARACTERS or self._characters > MAX_TEXT_CHARACTERS:
            return escape(code)
        return highlight(code, fence.language, _marked_lines(code, fence))


def _marked_lines(code: str, fence: FenceInfo) -> frozenset[int]:
    if not fence.ranges:
        return frozenset()
    count = code.count("\n") + 1
    return frozenset(
        number for first, last in fence.ranges for number in range(first, min(last, count) + 1)
    )


_MAX_CHARACTERS = 500
"""Of a longer text only the beginning is read."""

_LANGUAGE = re.compile(r"\{?[ \t]*\.?([A-Za-z][\w+#.-]*)(?![\w+#.-]|[ \t]*=[ \t]*[\"'])")
_DIRECTIVE = re.compile(r"\{(?:code|code-block|code-cell|sourcecode)\}[ \t]*")
_TITLE = re.compile(
    r"\b(?:title|filename|file|name)[ \t]*=[ \t]*"
    r"(?:\"([^\"]*)\"|'([^']*)'|([^\s\"',}\]]+))"
)
_TAB_TITLE = re.compile(r"[\w}][ \t]+\[([^\[\]]+)\]")
_FILE_NAME = re.compile(r"[\w+#-]+:([^\s{}\[\]=]*[./][^\s{}\[\]=]*)")
_LINES = re.compile(
    r"\{([\d,\s-]+)\}|\bhl_lines[ \t]*=[ \t]*(?:\[([\d,\s\"'-]+)\]|[\"']([\d,\s-]+)[\"']|([\d,-]+))"
)
_NOT_MARKED = re.compile(r"\b(?:ins|del|add|remove|collapse)[ \t]*=[ \t]*\{[^{}]*\}")
_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")


@dataclass(frozen=True, slots=True)
class FenceInfo:
    """What a code block says of itself; `ranges` are first and last numbers of marked lines."""

    language: str = ""
    title: str = ""
    ranges: tuple[tuple[int, int], ...] = ()


def parse_fence_info(info: str) -> FenceInfo:
    """Read the text after a fence.

    >>> parse_fence_info('js title="a.js" {1,3-5}')
    FenceInfo(language='js', title='a.js', ranges=((1, 1), (3, 5)))
    >>> parse_fence_info("{.python .numberLines}").language
    'python'
    """
    text = _DIRECTIVE.sub("", info[:_MAX_CHARACTERS].strip(), count=1)
    language = _LANGUAGE.match(text)
    return FenceInfo(
        language=language[1].lower() if language else "",
        title=_title(text),
        ranges=tuple(_ranges(_NOT_MARKED.sub("", text))),
    )


def _title(text: str) -> str:
    """Return the title that an attribute gives, else that of a tab, else a file name."""
    attribute = _TITLE.search(text)
    if attribute:
        return next((each for each in attribute.groups() if each), "")
    match = _TAB_TITLE.search(text) or _FILE_NAME.match(text)
    return match[1] if match else ""


def _ranges(text: str) -> Iterator[tuple[int, int]]:
    match = _LINES.search(text)
    numbers = next((each for each in match.groups() if each), "") if match else ""
    for first, last in _RANGE.findall(numbers):
        yield int(first), int(last or first)


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
