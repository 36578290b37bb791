"""Containers, the blocks within blocks: call-outs, definition lists and task lists.

A call-out is `> [!NOTE]` of GitHub and Obsidian, or `:::note` of Docusaurus and others; its name
may be Arabic.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from re import Match
from typing import Any

import mistune
from mistune.block_parser import BlockParser
from mistune.core import BlockState

Token = dict[str, Any]


_OPENING_RULES = frozenset({"list", "block_quote", "callout", "definition_list"})


def register_block(md: mistune.Markdown, name: str, before: str) -> None:
    """Let a registered block also stand in quotes and lists, before another rule."""
    for rules in (md.block.block_quote_rules, md.block.list_rules):
        md.block.insert_rule(rules, name, before=before)


def parse_content(block: BlockParser, state: BlockState, text: str) -> list[Token]:
    """Parse the content of a container; at the nesting limit it holds no containers."""
    child = state.child_state(text if text.endswith("\n") else text + "\n")
    is_deepest = state.depth() >= block.max_nested_level - 1
    rules = [rule for rule in block.rules if not is_deepest or rule not in _OPENING_RULES]
    block.parse(child, rules)
    return child.tokens


CONTAINERS = frozenset(
    ("list", "list_item", "block_quote", "callout", "definition_list", "definition")
)
"""The blocks that may contain blocks."""


def containers(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield the containers among tokens, and those in them, in order."""
    for token in tokens:
        if token["type"] in CONTAINERS:
            yield token
            yield from containers(token.get("children", ()))  # a link definition has none


def descendants(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield tokens and all tokens in them, in order."""
    for token in tokens:
        yield token
        if "children" in token:
            yield from descendants(token["children"])


class CalloutKind(StrEnum):
    """The five kinds of call-outs."""

    NOTE = "note"
    TIP = "tip"
    IMPORTANT = "important"
    WARNING = "warning"
    CAUTION = "caution"


_NAMES: Mapping[CalloutKind, str] = {
    CalloutKind.NOTE: "note info abstract summary tldr todo example question help faq seealso"
    " ملاحظة ملاحظات معلومة معلومات ملخص خلاصة مثال سؤال",
    CalloutKind.TIP: "tip hint success check done نصيحة تلميح فائدة إرشاد",
    CalloutKind.IMPORTANT: "important مهم هام",
    CalloutKind.WARNING: "warning attention تحذير تنبيه انتباه",
    CalloutKind.CAUTION: "caution danger error failure fail missing bug خطر احذر حذار خطأ",
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
    r"|^ {0,3}(?P<colons>:{3,})[ \t]*(?:(?P<opening>[^\W\d_]|\{)|(?:\n|\Z))",
    re.DOTALL | re.MULTILINE,
)
"""The lines that open and close blocks of colons; code is matched to skip it."""

_MARKER = re.compile(
    r"[ \t]*\[!(?P<name>[^\W\d_][\w-]{0,30})(?:\|[^\]\n]*)?\][-+]?"
    r"(?:[ \t]+(?P<title>[^\n]*))?[ \t]*(?:\n|$)"
)


def callouts(md: mistune.Markdown) -> None:
    """Add call-outs to a mistune parser."""
    md.block.register("callout", _FENCE, _parse_fence, before="fenced_code")
    register_block(md, "callout", before="fenced_code")
    md.before_render_hooks.append(_convert_quotes)


def _parse_fence(block: BlockParser, match: Match[str], state: BlockState) -> int:
    start = min(match.end() + 1, state.cursor_max)
    content_end, end = _fence_end(state.src, start, len(match["callout_colons"]))
    children = parse_content(block, state, state.src[start:content_end])
    kind = _KINDS[match["callout_name"].lower()]
    state.append_token(_callout(kind, _fence_title(match["callout_title"]), children))
    return end


def _fence_end(source: str, start: int, colons: int) -> tuple[int, int]:
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
    for quote in containers(state.tokens):
        if quote["type"] != "block_quote":
            continue
        first: Token = next(iter(quote["children"]), {})
        match = _MARKER.match(first.get("text", "")) if first.get("type") == "paragraph" else None
        if match is None:
            continue
        name, title = match["name"].lower(), (match["title"] or "").strip()
        if name not in _KINDS:
            title = title or match["name"].replace("-", " ").capitalize()
        rest = first["text"][match.end() :]
        children = [{**first, "text": rest}] if rest.strip() else []
        kind = _KINDS.get(name, CalloutKind.NOTE)
        quote.update(_callout(kind, title, [*children, *quote["children"][1:]]))


def _callout(kind: CalloutKind, title: str, children: list[Token]) -> Token:
    titles = [{"type": "callout_title", "text": title}] if title else []
    attributes = {"kind": kind, "has_title": bool(title)}
    return {"type": "callout", "attrs": attributes, "children": [*titles, *children]}


MAX_TERM_CHARACTERS = 500
"""A longer paragraph before `: ` is no list of terms."""

_DEFINITION = r"^ {0,3}:[ \t]+(?=\S)"
_MARK = re.compile(_DEFINITION)
_INDENT = re.compile(r"^(?: {1,4}|\t)", re.MULTILINE)


def definition_lists(md: mistune.Markdown) -> None:
    """Add definition lists to a mistune parser."""
    md.block.register("definition_list", _DEFINITION, _parse_definition, before="list")
    register_block(md, "definition_list", before="list")


def _parse_definition(block: BlockParser, match: Match[str], state: BlockState) -> int | None:
    """Parse one definition; the paragraph before it becomes its terms."""
    blank = 1 if _type_at(state, -1) == "blank_line" else 0
    if not _has_terms(state, -1 - blank):
        return None
    del state.tokens[len(state.tokens) - blank :]
    definitions = _definition_list(state)
    end = _definition_end(state, state.find_line_end())
    text = _INDENT.sub("", state.src[match.end() : end])
    children = parse_content(block, state, text)
    definitions["children"].append(_definition(children, is_loose=bool(blank)))
    return end


def _type_at(state: BlockState, index: int) -> str:
    return str(state.tokens[index]["type"]) if len(state.tokens) >= -index else ""


def _has_terms(state: BlockState, index: int) -> bool:
    if _type_at(state, index) != "paragraph":
        return _type_at(state, index) == "definition_list"
    return len(state.tokens[index]["text"]) <= MAX_TERM_CHARACTERS


def _definition_list(state: BlockState) -> Token:
    """Return the definition list that ends the tokens; a paragraph there becomes its terms."""
    if state.tokens[-1]["type"] == "definition_list":
        return state.tokens[-1]
    paragraph = state.tokens.pop()
    terms = [
        {"type": "definition_term", "text": line.strip()}
        for line in paragraph.pop("text").splitlines()
    ]
    before = -2 if _type_at(state, -1) == "blank_line" else -1
    if _type_at(state, before) == "definition_list":
        del state.tokens[len(state.tokens) + before + 1 :]
    else:
        # It begins where the paragraph did.
        state.tokens.append({**paragraph, "type": "definition_list", "children": []})
    state.tokens[-1]["children"] += terms
    return state.tokens[-1]


def _definition(children: list[Token], is_loose: bool) -> Token:
    for child in children:
        if child["type"] == "paragraph" and not is_loose and len(children) == 1:
            child["type"] = "block_text"
    return {"type": "definition", "children": children}


def _definition_end(state: BlockState, position: int) -> int:
    """Return the end of a definition whose first line ends at a position."""
    end, is_blank = position, False
    while position < state.cursor_max:
        line = state.get_line(position)
        position += len(line)
        if not line.strip():
            is_blank = True
            continue
        if _MARK.match(line) or (is_blank and not line.startswith(("  ", "\t"))):
            break
        end, is_blank = position, False
    return end


_BOX = re.compile(r"\[([ xX])\][ \t]+(?=\S)")


def task_lists(md: mistune.Markdown) -> None:
    """Add task lists to a mistune parser: their items get the attribute `checked`."""
    md.before_render_hooks.append(_mark_tasks)


def _mark_tasks(_: mistune.Markdown, state: BlockState) -> None:
    for item in containers(state.tokens):
        first: Token = next(iter(item["children"]), {})
        match = _BOX.match(first.get("text", "")) if item["type"] == "list_item" else None
        if match and first["type"] in ("paragraph", "block_text"):
            first["text"] = first["text"][match.end() :]
            item["attrs"] = {"checked": match[1] != " "}
