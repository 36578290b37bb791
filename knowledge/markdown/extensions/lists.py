"""Definition lists and task lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from re import Match

import mistune
from mistune.block_parser import BlockParser
from mistune.core import BlockState

from knowledge.markdown.extensions.nesting import Token, containers, parse_content, register_block

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
    end = _end(state, state.find_line_end())
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


def _end(state: BlockState, position: int) -> int:
    """Return the end of a definition whose first line ends at a position."""
    end, is_blank = position, False
    for start, line in _lines(state, position):
        if not line.strip():
            is_blank = True
            continue
        if _MARK.match(line) or (is_blank and not line.startswith(("  ", "\t"))):
            break
        end, is_blank = start + len(line), False
    return end


def _lines(state: BlockState, position: int) -> Iterator[tuple[int, str]]:
    while position < state.cursor_max:
        line = state.get_line(position)
        yield position, line
        position += len(line)


_BOX = re.compile(r"\[([ xX])\][ \t]+(?=\S)")


def task_lists(md: mistune.Markdown) -> None:
    """Add task lists to a mistune parser: their items get the attribute `checked`."""
    md.before_render_hooks.append(_mark_tasks)


def _mark_tasks(_: mistune.Markdown, state: BlockState) -> None:
    for token in containers(state.tokens):
        if token["type"] == "list_item":
            _mark_task(token)


def _mark_task(item: Token) -> None:
    first: Token = next(iter(item["children"]), {})
    match = _BOX.match(first.get("text", ""))
    if match and first["type"] in ("paragraph", "block_text"):
        first["text"] = first["text"][match.end() :]
        item["attrs"] = {"checked": match[1] != " "}
