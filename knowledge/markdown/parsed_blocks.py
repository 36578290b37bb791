"""Blocks: the source of a text, cut at its paragraphs, lists, headings and directives.

mistune finds the blocks. The parser below only records where each one begins, so a block's text is
the author's original CommonMark, not a reconstruction of it. markdown-it-py reports positions, but
takes 1.3 times as long for the sample content, and is another grammar than the one that renders.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from re import Match
from typing import Any

from mistune.block_parser import BlockParser
from mistune.core import BlockState
from mistune.directives import FencedDirective
from mistune.util import unikey

from knowledge.markdown import text_cache
from knowledge.markdown.footnotes import FootnoteSources
from knowledge.markdown.inline import heading_tokens, plain_line
from knowledge.markdown.parser import MarkdownBlocks, Token, collector_paused, markdown_parser
from knowledge.markdown.slugs import Heading


@dataclass(frozen=True, slots=True)
class Directive:
    """A `:::{name} title` block with its `:key: value` options and inner text."""

    name: str
    title: str
    options: Mapping[str, str]
    text: str


@dataclass(frozen=True, slots=True)
class ParsedBlock:
    """One top-level block: its mdast `type`, its CommonMark, and its line within the body."""

    type: str
    text: str
    line: int
    level: int = 0
    heading: str = ""
    anchor: str = ""
    directive: Directive | None = None
    headings: tuple[Heading, ...] = ()
    """The headings in the block, itself included."""


class _SourceMapState(BlockState):
    """Parser state that stores in each top-level token the offset of its source."""

    begin: int | None = None
    """The offset of the block that is being parsed."""

    def append_token(self, token: Token) -> None:
        token.setdefault("begin", self.cursor if self.begin is None else self.begin)
        super().append_token(token)

    def add_paragraph(self, text: str) -> None:
        super().add_paragraph(text)
        self.tokens[-1].setdefault("begin", self.cursor)


class _SourceMapParser(MarkdownBlocks):
    """mistune's block parser, which also records where each rule matched."""

    state_cls = _SourceMapState

    def parse_method(self, m: Match[str], state: BlockState) -> int | None:
        if not isinstance(state, _SourceMapState):
            return super().parse_method(m, state)
        outer, state.begin = state.begin, m.start()
        token_count = len(state.tokens)
        end = super().parse_method(m, state)
        state.begin = outer
        if end and m.lastgroup == "ref_link" and len(state.tokens) == token_count:
            last = state.last_token()
            if not last or last["type"] != "paragraph":
                # Without a token the text of a link definition would join the previous block.
                state.tokens.append({"type": "definition"})
        # mistune inserts some quotes and lists before a block that interrupts them.
        for token in state.tokens[token_count:]:
            token.setdefault("begin", m.start())
        return end


class _SectionDirective(FencedDirective):
    """mistune plugin that accepts a directive of any name."""

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


_MARKDOWN = markdown_parser(_SourceMapParser())
_SectionDirective([], markers=":")(_MARKDOWN)


def parse_blocks(body: str) -> tuple[ParsedBlock, ...]:
    r"""Return the top-level blocks of a body in order, without blank lines and definitions.

    >>> [(block.type, block.text) for block in parse_blocks("# A\n\nText\n* x\n* y")]
    [('heading', '# A'), ('paragraph', 'Text'), ('list', '* x\n* y')]
    """
    with collector_paused(body):
        return _parsed(body)


def _parsed(body: str) -> tuple[ParsedBlock, ...]:
    """Return the blocks of a body; the tokens are gone when it returns."""
    state = _SourceMapState()
    state.process(body if body.endswith("\n") else body + "\n")
    _MARKDOWN.block.parse(state)
    return tuple(_blocks(state))


def _blocks(state: _SourceMapState) -> Iterator[ParsedBlock]:
    definitions = state.env["ref_links"]
    notes = FootnoteSources(state.env, max_repeated=len(state.src))
    # If a list ends a quote and is itself interrupted, mistune puts the quote after the list.
    tokens = sorted(state.tokens, key=lambda token: int(token["begin"]))
    begins = [token["begin"] for token in tokens]
    line, counted, previous = 1, 0, ""
    for token, begin, end in zip(tokens, begins, [*begins[1:], len(state.src)], strict=True):
        line += state.src.count("\n", counted, begin)
        counted = begin
        text = state.src[begin:end].strip("\n")
        if token["type"] in ("blank_line", "definition") or not text.strip():
            continue
        if "directive" in (token["type"], previous) or token["type"] == "heading":
            notes.start_part()
        previous = token["type"]
        if token["type"] == "directive":
            directive: Directive = token["directive"]
            inner = notes.added_to(directive.text)
            directive = replace(directive, text=_self_contained(inner, definitions))
            yield ParsedBlock("directive", text, line, directive=directive)
        else:
            text = notes.added_to(_without_ids(token, text))
            yield _block(token, _self_contained(text, definitions), line)


_TYPES: Mapping[str, str] = {
    "block_code": "code",
    "block_html": "html",
    "block_quote": "blockquote",
    "callout": "blockquote",
    "definition_list": "list",
    "heading": "heading",
    "list": "list",
    "paragraph": "paragraph",
    "table": "table",
    "thematic_break": "thematicBreak",
}
BLOCK_TYPES = (*sorted(set(_TYPES.values())), "image")
"""All types of blocks of a post."""
_LONE_IMAGE = re.compile(r"!\[[^\]]*\](?:\([^()\s]*(?:\s+[\"'][^\"']*[\"'])?\)|\[[^\]]*\])")
_REFERENCE = re.compile(r"\[([^\[\]]+)\]")
_HEADING_ID = re.compile(r"(?<!\s)\s*\{#([\w.:-]+)\}\s*$")
_ID_IN_SOURCE = re.compile(
    r"(?<!\s)[ \t]*\{#[\w.:-]+\}(?=[ \t]*(?:#+[ \t]*)?(?:\n[ \t]*(?:=+|-+)[ \t]*)?\Z)"
)
"""The id in a heading's source, before closing signs or the line below the heading."""


def _block(token: Token, text: str, line: int) -> ParsedBlock:
    headings = tuple(map(_heading, heading_tokens([token])))
    if token["type"] == "heading":
        level: int = token["attrs"]["level"]
        heading, anchor = split_anchor(token["text"].strip())
        return ParsedBlock("heading", text, line, level, heading, anchor, headings=headings)
    kind = _TYPES.get(token["type"], "paragraph")
    if kind == "paragraph" and _LONE_IMAGE.fullmatch(text.strip()):
        kind = "image"
    return ParsedBlock(kind, text, line, headings=headings)


def _heading(token: Mapping[str, Any]) -> Heading:
    if "raw_heading" in token:
        return Heading(token["raw_heading"].text, token["raw_heading"].id)
    text, anchor = split_anchor(token["text"].strip())
    return Heading(plain_line(text), anchor)


def _without_ids(token: Token, source: str) -> str:
    """Return the source of a block without the ids of its headings."""
    if "{#" not in source:
        return source
    if token["type"] == "heading":
        return _ID_IN_SOURCE.sub("", source)
    parts: list[str] = []
    copied = 0
    for heading in heading_tokens([token]):
        if "raw_heading" in heading:
            continue
        last_line = heading["text"].strip().rpartition("\n")[2]
        start = source.find(last_line, copied)
        if start >= 0:
            parts += source[copied:start], split_anchor(last_line)[0]
            copied = start + len(last_line)
    return "".join(parts) + source[copied:]


def split_anchor(heading: str) -> tuple[str, str]:
    """Split a heading into its text and its `{#id}`, `""` without one.

    >>> split_anchor("Our team {#team}")
    ('Our team', 'team')
    """
    match = _HEADING_ID.search(heading)
    return (heading[: match.start()], match.group(1)) if match else (heading, "")


def _self_contained(text: str, definitions: Mapping[str, Mapping[str, str]]) -> str:
    """Return a block's text followed by the link definitions that it uses."""
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


_MARKER = re.compile(r"(?<! )( *+)([-*+]|\d{1,9}[.)])(?= |\t|$)")


def source_items(lines: Iterable[str]) -> list[str]:
    """Return the items of a list; what is indented below the first item's text belongs to one."""
    items: list[list[str]] = []
    indent = 0
    for line in lines:
        match = _MARKER.match(line)
        if not items and match:
            indent = match.end(2) + 1
        if not items or (match and match.end(1) < indent):
            items.append([])
        items[-1].append(line)
    return ["\n".join(item) for item in items]


@text_cache
def list_items(text: str) -> tuple[str, ...]:
    r"""Return the texts of the items of the first list in a text, without their markers.

    >>> list_items("For shops.\n\n- **Users**: 5\n- Support")
    ('**Users**: 5', 'Support')
    """
    first = next((block for block in parse_blocks(text) if block.type == "list"), None)
    items = source_items(first.text.split("\n")) if first else ()
    return tuple(_MARKER.sub("", item, count=1).strip() for item in items)
