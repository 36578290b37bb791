"""GitHub Flavored Markdown: tables, strikethrough and autolinks.

A row needs not have as many cells as the header: missing cells are empty, surplus ones are dropped.
mistune's own plugin takes such a table for a paragraph.

A single tilde within a word, as in `5~10` or `H~2~O`, stays a tilde.

An address with a scheme is found while a text is parsed, because it may hold underscores and stars
that would be emphasis. All others are found in the texts that are left after that.
"""

import re
from collections.abc import Iterator
from re import Match
from typing import Any

import mistune
from mistune.block_parser import BlockParser
from mistune.core import BlockState, InlineState
from mistune.inline_parser import InlineParser
from mistune.util import escape_url

Token = dict[str, Any]

MAX_MISSING_CELLS = 50_000
"""Limit for one table; it ends at the row beyond it, or a long header would fill the memory."""

# A line with a pipe, and below it the delimiter row: pipes, dashes, colons.
_PATTERN = (
    r"^ {0,3}(?=\S)(?P<table_header>[^\n|]*+\|[^\n]*+)\n"
    r"(?P<table_indent> {0,3})(?P<table_delimiters>[|:-][-:| \t]*+)(?:\n|\Z)"
)
_DELIMITER = re.compile(r"(:?)-+(:?)")
_PIPE = re.compile(r"(?<!\\)\|")
_ALIGNMENTS = {("", ""): None, (":", ""): "left", ("", ":"): "right", (":", ":"): "center"}
_INTERRUPTIONS = (
    "fenced_directive",
    "fenced_code",
    "atx_heading",
    "thematic_break",
    "block_quote",
    "list",
    "block_html",
)
"""The rules of the blocks that end a table."""


def tables(md: mistune.Markdown) -> None:
    """Add tables to a mistune parser, also within block quotes and lists."""
    md.block.register("table", _PATTERN, _parse_table)
    md.block.insert_rule(md.block.block_quote_rules, "table")
    md.block.insert_rule(md.block.list_rules, "table")


def _parse_table(block: BlockParser, match: Match[str], state: BlockState) -> int | None:
    aligns = _alignments(match["table_delimiters"])
    header = _cells(match["table_header"])
    is_lazy = match.start("table_indent") in state.lazy_line_starts
    if aligns is None or len(header) != len(aligns) or is_lazy:
        return None
    head: Token = {"type": "table_head", "children": _tokens(header, aligns, is_head=True)}
    rows, end = _rows(block, state, match.end(), aligns)
    body = [{"type": "table_body", "children": rows}] if rows else []
    state.append_token({"type": "table", "children": [head, *body]})
    return end


def _alignments(delimiters: str) -> list[str | None] | None:
    """Return the alignment of each column, or None if a cell has other characters."""
    matches = [_DELIMITER.fullmatch(cell) for cell in _cells(delimiters)]
    found = [match for match in matches if match]
    if len(found) < len(matches):
        return None
    return [_ALIGNMENTS[match[1], match[2]] for match in found]


def _rows(
    block: BlockParser, state: BlockState, start: int, aligns: list[str | None]
) -> tuple[list[Token], int]:
    """Return the rows from an offset on, and the offset after them."""
    rows: list[Token] = []
    missing, position = 0, start
    for line in _row_lines(block, state, start):
        cells = _cells(line)
        missing += max(0, len(aligns) - len(cells))
        if missing > MAX_MISSING_CELLS:
            break
        rows.append({"type": "table_row", "children": _tokens(cells, aligns, is_head=False)})
        position += len(line)
    return rows, position


def _row_lines(block: BlockParser, state: BlockState, position: int) -> Iterator[str]:
    """Yield the lines of a table's rows: up to a blank line or to another block."""
    rules = [rule for rule in _INTERRUPTIONS if rule in block.specification]
    interruption = block.compile_sc(rules)
    while position < state.cursor_max:
        line = state.get_line(position)
        is_code = line.startswith(("    ", "\t"))
        if not line.strip() or is_code or interruption.match(state.src, position):
            return
        yield line
        position += len(line)


def _tokens(cells: list[str], aligns: list[str | None], *, is_head: bool) -> list[Token]:
    """Return as many cells as there are columns."""
    texts = cells[: len(aligns)] + [""] * (len(aligns) - len(cells))
    return [
        {"type": "table_cell", "text": text, "attrs": {"align": align, "head": is_head}}
        for text, align in zip(texts, aligns, strict=True)
    ]


def _cells(line: str) -> list[str]:
    r"""Return the cells of a row; an escaped pipe is a character of its cell, also in code.

    >>> _cells(r"| a | `b \| c` |")
    ['a', '`b | c`']
    """
    cells = _PIPE.split(line.strip())
    if len(cells) > 1 and not cells[0].strip():
        cells = cells[1:]
    if len(cells) > 1 and not cells[-1].strip():
        cells = cells[:-1]
    return [cell.replace("\\|", "|").strip() for cell in cells]


_TILDES = r"~~(?=[^\s~])|(?<![\w~])~(?=[^\s~])"
_WORD = re.compile(r"\w")


def strikethrough(md: mistune.Markdown) -> None:
    """Add strikethrough to a mistune parser."""
    md.inline.register("strikethrough", _TILDES, _parse, before="link", start_chars="~")


def _parse(inline: InlineParser, match: Match[str], state: InlineState) -> int | None:
    marker, start = match[0], match.end()
    close = state.delimiters.find(marker, start, formatting=True)
    if close is None or state.depth >= inline.max_nested_level:
        return None
    end = close + len(marker)
    if len(marker) == 1 and _WORD.match(state.src, end):
        return None
    inner = state.copy()
    inner.src = state.src[start:close]
    state.append_token({"type": "strikethrough", "children": inline.render(inner)})
    return end


_DOMAIN = r"[\w-]++(?:\.[\w-]++)*+"
_REST = r"[^\s<\ufffc،؟؛]*+"
_SCHEME = re.compile(r"(?<![A-Za-z0-9])(?:https?|ftp):\Z", re.IGNORECASE)
_AFTER_SCHEME = re.compile(rf"//{_DOMAIN}{_REST}")
_BARE = re.compile(
    rf"(?<![A-Za-z0-9])(?P<url>(?:https?|ftp)://{_DOMAIN}{_REST})"
    rf"|(?<![^\s*_~(])(?P<www>www\.{_DOMAIN}{_REST})"
    r"|(?<![\w.+-])(?P<email>[A-Za-z0-9._+-]++@[A-Za-z0-9_-]++(?:\.[A-Za-z0-9_-]++)++)",
    re.IGNORECASE,
)
_TRAILING = "?!.,:*_~'\""
_ENTITY_END = re.compile(r"&[A-Za-z0-9]+;\Z")
_LINKS = ("link", "image")


def autolinks(md: mistune.Markdown) -> None:
    """Add addresses with a scheme to a mistune parser; the rule begins at the first slash."""
    md.inline.register("autolink", r"(?<=:)//(?=\w)", _parse_url, start_chars="/")


def _parse_url(inline: InlineParser, match: Match[str], state: InlineState) -> int | None:
    """Link the address around `//`, whose scheme ends the text before it."""
    before = state.tokens[-1] if state.tokens else None
    if state.brackets or state.in_link or before is None or before["type"] != "text":
        return None
    scheme = _SCHEME.search(before["raw"][-7:])
    address = _AFTER_SCHEME.match(state.src, match.start())
    if scheme is None or address is None:
        return None
    rest = _trimmed(address[0])
    if not _is_domain(rest[2:]):
        return None
    before["raw"] = before["raw"][: -len(scheme[0])]
    state.append_token(_link(scheme[0] + rest, scheme[0] + rest))
    return match.start() + len(rest)


def with_autolinks(tokens: list[Token]) -> list[Token]:
    """Return inline tokens with links for the addresses in their texts, except within links."""
    linked: list[Token] = []
    is_in_link = False
    for token in tokens:
        if token["type"] == "text" and not is_in_link:
            linked += _text_tokens(token)
        elif "children" in token and token["type"] not in _LINKS:
            linked.append({**token, "children": with_autolinks(token["children"])})
        else:
            linked.append(token)
        if token["type"] == "inline_html":
            tag = token["raw"].lower()
            is_opening = tag.startswith(("<a ", "<a>", "<a\n"))
            is_in_link = is_opening or (is_in_link and not tag.startswith("</a"))
    return linked


def _text_tokens(token: Token) -> Iterator[Token]:
    text, copied = token["raw"], 0
    for match in _BARE.finditer(text):
        shown = match["email"] or _trimmed(match[0])
        url = _target(match, shown)
        if url:
            yield from _text(text[copied : match.start()])
            yield _link(url, shown)
            copied = match.start() + len(shown)
    yield from _text(text[copied:]) if copied else (token,)


def _target(match: Match[str], shown: str) -> str:
    """Return the URL of an address, `""` if it is none."""
    if match["email"]:
        is_followed = match.string[match.end() : match.end() + 1] in ("-", "_", "@")
        return "" if shown[-1] in "-_" or is_followed else f"mailto:{shown}"
    if match["www"]:
        return f"http://{shown}" if _is_domain(shown) else ""
    return shown if _is_domain(shown.partition("://")[2]) else ""


def _is_domain(address: str) -> bool:
    """Return whether an address begins with a domain whose last two labels have no underscore."""
    labels = re.split(r"[/?#:]", address, maxsplit=1)[0].split(".")
    return all(labels) and not any("_" in label for label in labels[-2:])


def _trimmed(address: str) -> str:
    """Return an address without closing punctuation, entities and unmatched parentheses.

    >>> _trimmed("www.a.test/b_(c))."), _trimmed("www.a.test/?b&copy;")
    ('www.a.test/b_(c)', 'www.a.test/?b')
    """
    surplus = address.count(")") - address.count("(")
    while address:
        if address[-1] == ")" and surplus > 0:
            surplus -= 1
            address = address[:-1]
        elif address[-1] == ";":
            entity = _ENTITY_END.search(address, max(0, len(address) - 34))
            if entity is None:
                return address
            address = address[: entity.start()]
        elif address[-1] in _TRAILING:
            address = address[:-1]
        else:
            break
    return address


def _text(raw: str) -> Iterator[Token]:
    if raw:
        yield {"type": "text", "raw": raw}


def _link(url: str, text: str) -> Token:
    return {
        "type": "link",
        "children": [{"type": "text", "raw": text}],
        "attrs": {"url": escape_url(url)},
    }
