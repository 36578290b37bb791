"""Footnotes: `[^label]` in a text, and `[^label]: note` with the note, also of several blocks.

A text that refers to notes ends with a token `footnotes`, which has the notes in the order of the
first references to them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from re import Match
from typing import Any

import mistune
from mistune.block_parser import BlockParser
from mistune.core import BlockState, InlineState
from mistune.inline_parser import InlineParser
from mistune.util import unikey

from knowledge.markdown.containers import Token, parse_content, register_block

DEFINITIONS = "footnote_definitions"
"""The key of the definitions in the parser's `env`."""

_LABEL = r"\[\^(?P<{}>(?:[^\\\[\]\s]|\\[^\s]){{1,200}})\]"
_REFERENCE = _LABEL.format("footnote")
_ANY_REFERENCE = re.compile(_REFERENCE)
_INDENT = re.compile(r"^(?: {1,4}|\t)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FootnoteDefinition:
    """A note: its source, and its text without the label."""

    source: str
    text: str


_DEFINITION = rf"^ {{0,3}}{_LABEL.format('footnote_label')}:[ \t]*"


def footnotes(md: mistune.Markdown) -> None:
    """Add footnotes to a mistune parser."""
    md.block.register("footnote_definition", _DEFINITION, _parse_definition, before="ref_link")
    register_block(md, "footnote_definition", before="ref_link")
    md.inline.register(
        "footnote_reference", _REFERENCE, _parse_reference, before="link", start_chars="["
    )
    md.after_render_hooks.append(_with_notes)


def without_references(text: str) -> str:
    """Remove the references to footnotes from a line.

    >>> without_references("Results[^1] of 2026")
    'Results of 2026'
    """
    return _ANY_REFERENCE.sub("", text) if "[^" in text else text


class FootnoteSources:
    """The sources of the notes to which the blocks of a text refer.

    Each part of a text gets the notes that it refers to. Together, repeated notes are not longer
    than the text, because otherwise many parts with one long note would take quadratic space.
    """

    def __init__(self, env: Mapping[str, Any], max_repeated: int) -> None:
        self._definitions: Mapping[str, FootnoteDefinition] = env.get(DEFINITIONS, {})
        self._left = max_repeated
        self._in_text: set[str] = set()
        self._in_part: set[str] = set()

    def start_part(self) -> None:
        """Begin another part of the text."""
        self._in_part.clear()

    def added_to(self, block: str) -> str:
        """Return a block followed by the notes that are new in its part."""
        if not self._definitions or "[^" not in block:
            return block
        return "\n\n".join((block, *self._new(block)))

    def _new(self, block: str) -> Iterator[str]:
        texts = [block]
        while texts:
            for match in _ANY_REFERENCE.finditer(texts.pop()):
                definition = self._claim(unikey(match["footnote"]))
                if definition:
                    yield definition.source
                    texts.append(definition.text)

    def _claim(self, key: str) -> FootnoteDefinition | None:
        """Return a note if it is new in this part and may stand in it."""
        definition = self._definitions.get(key)
        is_repeated = key in self._in_text
        if definition is None or key in self._in_part or (is_repeated and self._left <= 0):
            return None
        self._left -= len(definition.source) if is_repeated else 0
        self._in_part.add(key)
        self._in_text.add(key)
        return definition


def _parse_definition(block: BlockParser, match: Match[str], state: BlockState) -> int:
    end = _end(block, state)
    text = _INDENT.sub("", state.src[match.end() : end])
    definition = FootnoteDefinition(state.src[match.start() : end].strip("\n"), text)
    definitions = state.env.setdefault(DEFINITIONS, {})
    definitions.setdefault(unikey(match["footnote_label"]), definition)
    # It ends a paragraph, and is shown elsewhere.
    state.append_token({"type": "blank_line"})
    return end


def _end(block: BlockParser, state: BlockState) -> int:
    """Return the end of a note: indented lines belong to it, and those that go on a paragraph."""
    rules = block.compile_sc()
    position = end = state.find_line_end()
    is_blank = False
    while position < state.cursor_max:
        line = state.get_line(position)
        is_indented = line.startswith(("    ", "\t"))
        if line.strip() and not is_indented and (is_blank or rules.match(state.src, position)):
            break
        is_blank = not line.strip()
        position += len(line)
        end = end if is_blank else position
    return end


def _parse_reference(inline: InlineParser, match: Match[str], state: InlineState) -> int:
    key = unikey(match["footnote"])
    if key in state.env.get(DEFINITIONS, ()):
        state.append_token({"type": "footnote_reference", "attrs": {"key": key}})
    else:
        inline.process_text(match[0], state)
    return match.end()


def _with_notes(
    md: mistune.Markdown, result: str | list[Token], state: BlockState
) -> str | list[Token]:
    """Number the references of a text, and add its notes, whose own references come last."""
    if isinstance(result, str) or DEFINITIONS not in state.env:
        return result
    numbering = _Numbering()
    numbering.visit(result)
    notes: dict[str, Token] = {}
    while key := numbering.next_after(len(notes)):
        notes[key] = _note(md, key, state)
        numbering.visit(notes[key]["children"])
    for number, (key, note) in enumerate(notes.items(), start=1):
        note["attrs"] = {"number": number, "count": numbering.counts[key]}
    return [*result, {"type": "footnotes", "children": list(notes.values())}] if notes else result


def _note(md: mistune.Markdown, key: str, state: BlockState) -> Token:
    child = md.block.state_cls(parent=state)
    child.tokens = parse_content(md.block, state, state.env[DEFINITIONS][key].text)
    for hook in md.before_render_hooks:
        hook(md, child)
    return {"type": "footnote", "children": md.render_state(child)}


class _Numbering:
    """Gives each reference the number of its note, and its place among those to the same note."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self._keys: list[str] = []
        self._numbers: dict[str, int] = {}

    def next_after(self, count: int) -> str | None:
        """Return the key of the next note after the first ones."""
        return self._keys[count] if count < len(self._keys) else None

    def visit(self, tokens: Iterable[Token]) -> None:
        """Number the references in some tokens."""
        for token in _references(tokens):
            key = token["attrs"]["key"]
            if key not in self.counts:
                self._keys.append(key)
                self._numbers[key] = len(self._keys)
            self.counts[key] = self.counts.get(key, 0) + 1
            token["attrs"] = {"number": self._numbers[key], "place": self.counts[key]}


def _references(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield the references in order, without those in links, which cannot hold other links."""
    for token in tokens:
        if token["type"] == "footnote_reference":
            yield token
        elif token["type"] in ("link", "image"):
            _remove_references(token)
        else:
            yield from _references(token.get("children", ()))


def _remove_references(token: Token) -> None:
    children = [each for each in token["children"] if each["type"] != "footnote_reference"]
    token["children"] = children
    for child in children:
        if "children" in child:
            _remove_references(child)
