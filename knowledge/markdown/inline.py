"""Inline markdown: its plain text and its link targets."""

import re
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from knowledge.markdown import text_cache
from knowledge.markdown.containers import CONTAINERS, descendants
from knowledge.markdown.footnotes import without_references
from knowledge.markdown.parser import Token, collector_paused, markdown_parser, search
from knowledge.markdown.raw_html import SOURCE_TAG, TextReader, heading_tokens_of, links, with_links

_RAW_HTML = frozenset({"block_html", "inline_html"})


@dataclass(frozen=True, slots=True)
class Reference:
    """A link or image in a text, with its target as written."""

    target: str
    is_image: bool
    alt: str


_MARKDOWN = markdown_parser()
_MARKUP = re.compile(r"[*_`~\[\]<>&\\!$\n](?:(?<!\n)| {0,3}(?::|[-+] ))")
"""A sign of markup, or the beginning of a line with one. A set of characters comes first, as to try
two alternatives at each letter takes five times as long."""


def plain_text(markdown: str) -> str:
    """Return a text without markup and images.

    >>> plain_text("Use `make` and [read *on*](/docs)")
    'Use make and read on'
    """
    if not _MARKUP.search(f"\n{markdown}"):
        return " ".join(markdown.split())
    return _plain_text(markdown)


@text_cache
def _plain_text(markdown: str) -> str:
    return " ".join("".join(_plain(tokens_of(markdown))).split())


def plain_tokens(tokens: Iterable[Token]) -> str:
    """Return the text of tokens without markup and images."""
    return " ".join("".join(_plain(tokens)).split())


@text_cache
def plain_lines(markdown: str) -> tuple[str, ...]:
    """Return the plain text of each paragraph, item and row of a text.

    >>> plain_lines(chr(10).join(["Read *on*", "please.", "", "- one", "- two"]))
    ('Read on please.', 'one', 'two')
    """
    lines = "".join(_plain(tokens_of(markdown))).split("\n")
    return tuple(filter(None, (" ".join(line.split()) for line in lines)))


def plain_line(markdown: str) -> str:
    """Return a line without markup; unlike in `plain_text`, `1.` or `>` does not open a block.

    >>> plain_line("1. Use `make`")
    '1. Use make'
    """
    if not _MARKUP.search(f"\n{markdown}"):
        return " ".join(markdown.split())
    tokens = _MARKDOWN.inline(without_references(markdown), {"ref_links": {}})
    return " ".join("".join(_plain(tokens)).split())


def titles(markdown: str) -> Iterator[tuple[bool, str]]:
    """Yield the headings of a text and the terms of its first list, with whether each is a term."""
    for token in title_tokens(tokens_of(markdown)):
        is_term = token["type"] == "strong"
        inline = token["children"] if is_term else [token]
        yield is_term, " ".join("".join(_plain(inline)).split())


def title_tokens(tokens: list[Token]) -> list[Token]:
    """Return the tokens of headings, and of the bold text that begins an item of the first list."""
    types = [token["type"] for token in tokens]
    if "list" not in types:
        return heading_tokens(tokens)
    first = types.index("list")
    found = heading_tokens(tokens[:first])
    for item in tokens[first]["children"]:
        found += leading_term(item)[:1] + heading_tokens(item["children"])
    return found + heading_tokens(tokens[first + 1 :])


def leading_term(item: Token) -> list[Token]:
    """Return the content of a list item's first block if it begins with bold text, else nothing."""
    blocks: list[Token] = item["children"]
    inline: list[Token] = blocks[0].get("children", []) if blocks else []
    return inline if inline and inline[0]["type"] == "strong" else []


def heading_tokens(tokens: Iterable[Token]) -> list[Token]:
    """Return the tokens of all headings, also of those in quotes, lists and raw HTML."""
    found = []
    for token in tokens:
        if token["type"] == "heading":
            found.append(token)
        elif token["type"] in CONTAINERS:
            found += heading_tokens(token.get("children", ()))  # a link definition has none
        elif token["type"] == "block_html":
            found += heading_tokens_of(token)
    return found


@text_cache
def references(markdown: str) -> tuple[Reference, ...]:
    """Return all links and images of a text in order."""
    return tuple(_references(tokens_of(markdown)))


@text_cache
def has_link(markdown: str) -> bool:
    """Return whether a text has a link.

    >>> has_link("[Call us](tel:+9714)"), has_link("![A map](/map.svg)")
    (True, False)
    """
    return any(not reference.is_image for reference in references(markdown))


def rewrite_targets(markdown: str, rewrite: Callable[[str], str]) -> str:
    """Replace each link and image target by `rewrite(target)`.

    >>> rewrite_targets("[a](b.md) and `[a](b.md)`", str.upper)
    '[a](B.MD) and `[a](b.md)`'
    """
    if "](" not in markdown and "]:" not in markdown and "<" not in markdown:
        return markdown
    return "".join(_rewritten(markdown, rewrite))


_CODE = (
    r"^ {0,3}(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^ {0,3}(?P=fence)[`~]*+[ \t]*+$|\Z)"
    r"|(?P<ticks>`++)"
)
_TAG = rf"(?P<tag>{SOURCE_TAG})"
_ESCAPED = r"\\[\\<]"
"""Of a backslash, or of an angle bracket, which then begins no tag."""

# A link target follows `](`, or `]:` in a definition, or it is an attribute of raw HTML. The groups
# of code are there to skip it. The characters that one can begin with come first, as trying each
# alternative at each letter takes three times as long.
_TARGET = re.compile(
    rf"(?=[ `~\\<\[\]])(?:{_CODE}|{_ESCAPED}|{_TAG}"
    r"|(?:\]\(\s*|^ {0,3}\[[^\]\n]+\]:\s*)(?:<(?P<angled>[^<>\n]++)>|(?P<target>[^\s()<>]+)))",
    re.DOTALL | re.MULTILINE,
)
_TAG_OR_COMMENT = re.compile(
    rf"(?=[ `~\\<])(?:{_CODE}|{_ESCAPED}|{_TAG}|(?P<comment><!--.*?(?:-->|\Z)))",
    re.DOTALL | re.MULTILINE,
)
_TICKS = re.compile("`+")
_BLOCK_START = re.compile(r"\n[ \t>]*+(?:\n|[-*+][ \t]|#{1,6}[ \t])")
"""Where a paragraph ends: a blank line, an item of a list, a heading."""


def _rewritten(markdown: str, rewrite: Callable[[str], str]) -> Iterator[str]:
    spans = _CodeSpans(markdown)
    copied = position = 0
    while match := search(_TARGET, markdown, position):
        position = match.end()
        if match["ticks"]:
            position = spans.end(len(match["ticks"]), position)
        elif match["target"] or match["angled"]:
            start, end = match.span("target" if match["target"] else "angled")
            yield markdown[copied:start]
            yield rewrite(markdown[start:end])
            copied = end
        elif match["tag"]:
            yield markdown[copied : match.start()]
            yield with_links(match["tag"], rewrite)
            copied = position
    yield markdown[copied:]


def without_html(markdown: str) -> str:
    r"""Return markdown without the tags of raw HTML; an image is its alternative text.

    >>> without_html('**Press** <kbd>F1</kbd><br>or `<kbd>`')
    '**Press** F1 or `<kbd>`'
    >>> without_html(r'Salma \<b>')
    'Salma \\<b>'
    """
    return "".join(_without_html(markdown)) if "<" in markdown else markdown


def _without_html(markdown: str) -> Iterator[str]:
    spans, reader = _CodeSpans(markdown), TextReader()
    copied = position = 0
    while match := search(_TAG_OR_COMMENT, markdown, position):
        position = match.end()
        if match["ticks"]:
            position = spans.end(len(match["ticks"]), position)
        elif match["tag"] or match["comment"]:
            if not reader.is_hidden:
                yield markdown[copied : match.start()]
            yield reader.read(match[0])
            copied = position
    if not reader.is_hidden:
        yield markdown[copied:]


class _CodeSpans:
    """The ends of code spans: a span ends at the next run of as many backticks in its paragraph.

    All runs are found in one pass, because a search for each end would take quadratic time.
    """

    def __init__(self, markdown: str) -> None:
        self._runs: defaultdict[int, deque[int]] = defaultdict(deque)
        for run in _TICKS.finditer(markdown):
            self._runs[len(run[0])].append(run.end())
        self._blocks = [match.start() for match in _BLOCK_START.finditer(markdown)]

    def end(self, ticks: int, position: int) -> int:
        """Return the end of the span that `ticks` backticks before `position` open.

        Returns `position` if the span is never closed. Positions must not decrease between calls.
        """
        ends = self._runs[ticks]
        while ends and ends[0] <= position:
            ends.popleft()
        block = bisect_left(self._blocks, position)
        # three or more may be an indented fence, which reaches over blank lines
        is_closed = ends and (ticks > 2 or block == bisect_left(self._blocks, ends[0]))
        return ends[0] if is_closed else position


def formulas(markdown: str) -> Iterator[str]:
    """Yield the formulas of a text, in TeX."""
    if "$" in markdown or "math" in markdown:
        for token in descendants(tokens_of(markdown)):
            info = token.get("attrs", {}).get("info", "")
            if token["type"] in ("inline_math", "block_math") or info == "math":
                yield token["raw"]


def diagrams(markdown: str) -> Iterator[str]:
    """Yield the code of the Mermaid diagrams of a text."""
    if "mermaid" in markdown.lower():
        for token in descendants(tokens_of(markdown)):
            info = token.get("attrs", {}).get("info", "")
            if token["type"] == "block_code" and "mermaid" in info.lower():
                yield token["raw"]


def tokens_of(markdown: str) -> list[Token]:
    """Return the tokens of a text."""
    with collector_paused(markdown):
        tokens, _ = _MARKDOWN.parse(markdown)
    return tokens if isinstance(tokens, list) else []


def _plain(tokens: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    html = TextReader()
    for token in tokens:
        if token["type"] in _RAW_HTML:
            yield html.read(token["raw"])
        elif not html.is_hidden and token["type"] != "image":
            yield from _plain_token(token)


_BREAKS = frozenset({"linebreak", "softbreak"})
_LINES = frozenset(
    {
        "blank_line",
        "block_code",
        "block_math",
        "block_quote",
        "block_text",
        "callout_title",
        "definition_term",
        "heading",
        "list_item",
        "paragraph",
        "table_head",
        "table_row",
    }
)
"""The blocks that begin on a line of their own."""


def _plain_token(token: Mapping[str, Any]) -> Iterator[str]:
    if token["type"] in _LINES:
        yield "\n"
    elif token["type"] in _BREAKS or token["type"] == "table_cell":
        yield " "
    if "children" in token:
        yield from _plain(token["children"])
    else:
        yield token.get("raw", "")


def _references(tokens: Iterable[Mapping[str, Any]]) -> Iterator[Reference]:
    for token in tokens:
        children = token.get("children", ())
        if token["type"] in ("link", "image"):
            alt = "".join(_plain(children))
            yield Reference(token["attrs"]["url"], token["type"] == "image", alt)
        elif token["type"] in _RAW_HTML:
            yield from (Reference(*link) for link in links(token["raw"]))
        yield from _references(children)


def raw_html(markdown: str) -> Iterator[str]:
    """Yield the raw HTML in a text: blocks, and single tags within paragraphs."""
    if "<" in markdown:
        yield from _raw_html(tokens_of(markdown))


def _raw_html(tokens: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for token in tokens:
        if token["type"] in _RAW_HTML:
            yield token["raw"]
        yield from _raw_html(token.get("children", ()))  # a link definition has none
