"""Call-outs: `> [!NOTE]` of GitHub and Obsidian, and `:::note` of Docusaurus and others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from re import Match

import mistune
from mistune.block_parser import BlockParser
from mistune.core import BlockState

from knowledge.markdown.extensions.nesting import (
    Token,
    containers,
    parse_content,
    register_block,
)


class CalloutKind(StrEnum):
    """The five kinds of call-outs."""

    NOTE = "note"
    TIP = "tip"
    IMPORTANT = "important"
    WARNING = "warning"
    CAUTION = "caution"


_NAMES: Mapping[CalloutKind, str] = {
    CalloutKind.NOTE: "note info abstract summary tldr todo example question help faq seealso",
    CalloutKind.TIP: "tip hint success check done",
    CalloutKind.IMPORTANT: "important",
    CalloutKind.WARNING: "warning attention",
    CalloutKind.CAUTION: "caution danger error failure fail missing bug",
}
_KINDS = {name: kind for kind, names in _NAMES.items() for name in names.split()}

_FENCE = (
    r"^ {0,3}(?P<callout_colons>:{3,})[ \t]*"
    rf"(?P<callout_name>(?i:{'|'.join(_KINDS)}))(?![\w-])(?P<callout_title>[^\n]*)$"
)
_LABEL = re.compile(r"\[(?P<label>[^\n]*)\][ \t]*+(?:\{[^{}\n]*+\}[ \t]*+)?$")
_ATTRIBUTES = re.compile(r"\{[^{}\n]*\}[ \t]*$")
_FENCES = re.compile(
    r"(?P<code>^ {0,3}(?:`{3,}+|~{3,}+))[^\n]*+\n.*?(?:^(?P=code)[`~]*+[ \t]*+$|\Z)"
    r"|^ {0,3}(?P<colons>:{3,})[ \t]*(?:(?P<opening>[A-Za-z{])|(?:\n|\Z))",
    re.DOTALL | re.MULTILINE,
)
"""The lines that open and close blocks of colons; code is matched to skip it."""

_MARKER = re.compile(
    r"[ \t]*\[!(?P<name>[A-Za-z][\w-]{0,30})(?:\|[^\]\n]*)?\][-+]?"
    r"(?:[ \t]+(?P<title>[^\n]*))?[ \t]*(?:\n|$)"
)


def callouts(md: mistune.Markdown) -> None:
    """Add call-outs to a mistune parser."""
    md.block.register("callout", _FENCE, _parse_fence, before="fenced_code")
    register_block(md, "callout", before="fenced_code")
    md.before_render_hooks.append(_convert_quotes)


def _parse_fence(block: BlockParser, match: Match[str], state: BlockState) -> int:
    start = min(match.end() + 1, state.cursor_max)
    content_end, end = _end(state.src, start, len(match["callout_colons"]))
    children = parse_content(block, state, state.src[start:content_end])
    kind = _KINDS[match["callout_name"].lower()]
    state.append_token(_callout(kind, _fence_title(match["callout_title"]), children))
    return end


def _end(source: str, start: int, colons: int) -> tuple[int, int]:
    """Return where the content of a call-out ends, and where the call-out itself ends."""
    fences = _OpenFences(colons)
    for match in _FENCES.finditer(source, start):
        if match["opening"]:
            fences.open(len(match["colons"]))
        elif match["colons"] and fences.close(len(match["colons"])):
            return match.start(), match.end()
    return len(source), len(source)


class _OpenFences:
    """The numbers of colons of the blocks that are open, the outermost first."""

    def __init__(self, outermost: int) -> None:
        self._open = [outermost]
        self._counts = Counter(self._open)

    def open(self, colons: int) -> None:
        self._open.append(colons)
        self._counts[colons] += 1

    def close(self, colons: int) -> bool:
        """Close the innermost block of as many colons, else of fewer; return if all are closed."""
        has_equal = self._counts[colons] > 0
        while self._open and (has_equal or self._open[-1] < colons):
            last = self._open.pop()
            self._counts[last] -= 1
            if last == colons or not has_equal:
                break
        return not self._open


def _fence_title(text: str) -> str:
    label = _LABEL.match(text.strip())
    return label["label"] if label else _ATTRIBUTES.sub("", text).strip()


def _convert_quotes(_: mistune.Markdown, state: BlockState) -> None:
    """Turn the quotes that begin with `[!NOTE]` into call-outs."""
    for token in containers(state.tokens):
        if token["type"] == "block_quote":
            _convert_quote(token)


def _convert_quote(quote: Token) -> None:
    first: Token = next(iter(quote["children"]), {})
    match = _MARKER.match(first.get("text", "")) if first.get("type") == "paragraph" else None
    if match is None:
        return
    name, title = match["name"].lower(), (match["title"] or "").strip()
    if name not in _KINDS:
        title = title or match["name"].replace("-", " ").capitalize()
    rest = first["text"][match.end() :]
    children = [{**first, "text": rest}] if rest.strip() else []
    kind = _KINDS.get(name, CalloutKind.NOTE)
    quote |= _callout(kind, title, [*children, *quote["children"][1:]])


def _callout(kind: CalloutKind, title: str, children: list[Token]) -> Token:
    titles = [{"type": "callout_title", "text": title}] if title else []
    attributes = {"kind": kind, "has_title": bool(title)}
    return {"type": "callout", "attrs": attributes, "children": [*titles, *children]}
