"""Markdown bodies as top-level blocks, each with the source text it stands for.

mistune finds the blocks; the parser below only notes where each begins, so that a block's
text is the author's own CommonMark and not a reconstruction of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from re import Match
from typing import Any

import mistune
from mistune.block_parser import BlockParser
from mistune.core import BlockState
from mistune.directives import FencedDirective
from mistune.plugins.table import table
from mistune.util import unikey

Token = dict[str, Any]

_TYPES: Mapping[str, str] = {
    "block_code": "code",
    "block_html": "html",
    "block_quote": "blockquote",
    "heading": "heading",
    "list": "list",
    "paragraph": "paragraph",
    "table": "table",
    "thematic_break": "thematicBreak",
}
BLOCK_TYPES = (*sorted(_TYPES.values()), "image")
"""Every type that a block of a post can have."""
_LONE_IMAGE = re.compile(r"!\[[^\]]*\](?:\([^()\s]*(?:\s+[\"'][^\"']*[\"'])?\)|\[[^\]]*\])")
_REFERENCE = re.compile(r"\[([^\[\]]+)\]")
_HEADING_ID = re.compile(r"\s*\{#([\w-]+)\}\s*$")


@dataclass(frozen=True, slots=True)
class Directive:
    """`:::{name} title`, its `:key: value` options, and the text inside."""

    name: str
    title: str
    options: Mapping[str, str]
    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """One top-level block: mdast `type`, its CommonMark, and its line within the body."""

    type: str
    text: str
    line: int
    level: int = 0
    heading: str = ""
    anchor: str = ""
    directive: Directive | None = None


class _PositionedState(BlockState):
    """Stamps each top-level token with the offset where its source begins."""

    def __init__(self, parent: BlockState | None = None) -> None:
        super().__init__(parent)
        self.begin: int | None = None

    def append_token(self, token: Token) -> None:
        token.setdefault("begin", self.cursor if self.begin is None else self.begin)
        super().append_token(token)

    def prepend_token(self, token: Token) -> None:
        token.setdefault("begin", self.cursor if self.begin is None else self.begin)
        super().prepend_token(token)

    def add_paragraph(self, text: str) -> None:
        super().add_paragraph(text)
        self.tokens[-1].setdefault("begin", self.cursor)


class _PositionedParser(BlockParser):
    """mistune's parser, noting where a rule matched before the cursor moves on."""

    state_cls = _PositionedState

    def parse_method(self, m: Match[str], state: BlockState) -> int | None:
        if not isinstance(state, _PositionedState):
            return super().parse_method(m, state)
        outer, state.begin = state.begin, m.start()
        known = len(state.tokens)
        end = super().parse_method(m, state)
        state.begin = outer
        if end and len(state.tokens) == known and m.lastgroup == "ref_link":
            self._mark_definition(m, state)
        for token in state.tokens:  # a list that a block cut short is inserted, not appended
            token.setdefault("begin", m.start())
        return end

    @staticmethod
    def _mark_definition(m: Match[str], state: BlockState) -> None:
        """A link definition leaves no token; without a mark it would join its neighbour."""
        last = state.last_token()
        if not last or last["type"] != "paragraph":
            state.append_token({"type": "definition", "begin": m.start()})


class _SectionDirective(FencedDirective):
    """Any `:::{name}`; what the names mean is not this module's business."""

    def parse_method(self, block: BlockParser, m: Match[str], state: BlockState) -> Token:
        directive = Directive(
            name=self.parser.parse_type(m),
            title=self.parser.parse_title(m).strip(),
            options=dict(self.parser.parse_options(m)),
            text=self.parser.parse_content(m).strip("\n"),
        )
        token: Token = {"type": "directive", "directive": directive}
        state.append_token(token)
        return token


def _parser() -> mistune.Markdown:
    markdown = mistune.Markdown(renderer=None, block=_PositionedParser())
    table(markdown)
    _SectionDirective([], markers=":")(markdown)
    return markdown


_MARKDOWN = _parser()


def parse_blocks(body: str) -> tuple[Block, ...]:
    r"""The top-level blocks of a body, in order; blank lines and definitions are no blocks.

    >>> [(block.type, block.text) for block in parse_blocks("# A\n\nText\n* x\n* y")]
    [('heading', '# A'), ('paragraph', 'Text'), ('list', '* x\n* y')]
    """
    state = _PositionedState()
    state.process(body if body.endswith("\n") else body + "\n")
    _MARKDOWN.block.parse(state)
    return tuple(_blocks(state))


def _blocks(state: _PositionedState) -> Iterator[Block]:
    definitions = state.env["ref_links"]
    # mistune puts a quote after the list that ended it where that list was itself cut short.
    tokens = sorted(state.tokens, key=lambda token: int(token["begin"]))
    begins = [token["begin"] for token in tokens]
    line, counted = 1, 0
    for token, begin, end in zip(tokens, begins, [*begins[1:], len(state.src)], strict=True):
        line += state.src.count("\n", counted, begin)
        counted = begin
        text = state.src[begin:end].strip("\n")
        if token["type"] in ("blank_line", "definition") or not text.strip():
            continue
        if token["type"] == "directive":
            found: Directive = token["directive"]
            inner = replace(found, text=_self_contained(found.text, definitions))
            yield Block("directive", text, line, directive=inner)
        else:
            yield _block(token, _self_contained(text, definitions), line)


def _block(token: Token, text: str, line: int) -> Block:
    if token["type"] == "heading":
        heading, anchor = split_anchor(token["text"].strip())
        text = _HEADING_ID.sub("", text) if anchor else text
        return Block("heading", text, line, token["attrs"]["level"], heading, anchor)
    kind = _TYPES.get(token["type"], "paragraph")
    if kind == "paragraph" and _LONE_IMAGE.fullmatch(text.strip()):
        kind = "image"
    return Block(kind, text, line)


def split_anchor(heading: str) -> tuple[str, str]:
    """A heading's text and its `{#id}`.

    >>> split_anchor("Our team {#team}")
    ('Our team', 'team')
    """
    match = _HEADING_ID.search(heading)
    return (heading[: match.start()], match.group(1)) if match else (heading, "")


def _self_contained(text: str, definitions: Mapping[str, Mapping[str, str]]) -> str:
    """A block's text followed by the link definitions it refers to."""
    if not definitions or "[" not in text:
        return text
    labels = dict.fromkeys(unikey(label) for label in _REFERENCE.findall(text))
    used = [definitions[label] for label in labels if label in definitions]
    if not used:
        return text
    return text + "\n\n" + "\n".join(map(_definition, used))


def _definition(link: Mapping[str, str]) -> str:
    title = link.get("title")
    suffix = ' "{}"'.format(title.replace('"', '\\"')) if title else ""
    return f"[{link['label']}]: {link['url']}{suffix}"
