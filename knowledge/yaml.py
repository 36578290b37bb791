"""A strict YAML reader: what an author typed is what the schema sees.

YAML 1.1 reads `no` as false, `12:30` as 750 and `1.10` as 1.1. Here every scalar stays the
text it was, and the typed schema of its field decides what it means. Duplicate keys are
faults, and aliases are counted, so that a small file cannot unfold into a huge one.
Built on libyaml's events, it is also faster than `yaml.CSafeLoader`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from sys import intern
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

MAX_DEPTH = 32
MAX_NODES = 20_000

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_AMBIGUOUS = re.compile(
    r"(?:y|n|yes|no|on|off)"  # YAML 1.1 booleans
    r"|[-+]?[1-9][0-9]*(?::[0-5]?[0-9])+(?:\.[0-9]*)?"  # sexagesimals: 12:30
    r"|[-+]?[0-9]+\.[0-9]*0"  # floats that lose their last digit: 1.10
    r"|0[0-7]+",  # octals
    re.IGNORECASE,
)
_LONGEST_AMBIGUOUS = 24
_AMBIGUOUS_PATTERN = frozenset("yYnNoO+-0123456789")
"""What such a text begins with: looking there first is cheaper."""


class YamlError(Exception):
    """The text is not YAML that this reader takes; `line` counts from 1 within the text."""

    def __init__(self, message: str, suggestion: str, line: int) -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion
        self.line = line


class UnquotedScalar(str):
    """Text that stood without quotes and that YAML 1.1 would read as something else."""

    __slots__ = ()


_SHORT = 32
"""Texts like categories and tags, which many documents share: each is kept once."""


@dataclass(slots=True)
class _StackEntry:
    """One open mapping or sequence, and the key that waits for its value."""

    node: dict[str, object] | list[object]
    anchor: str | None
    key: str | None = None


class _Reader:
    """Builds plain dicts, lists and text from the event stream, without recursion."""

    def __init__(self, text: str) -> None:
        self.parser = yaml.CSafeLoader(text)
        self.stack: list[_StackEntry] = []
        self.anchors: dict[str, tuple[object, int]] = {}
        self.nodes = 0
        self.root: object = None

    def read(self) -> object:
        documents = 0
        next_event: Callable[[], Any] = self.parser.get_event
        # Asked by type itself: this loop is most of what a start costs.
        while (kind := type(event := next_event())) is not StreamEndEvent:
            if kind is ScalarEvent:
                self.scalar(event)
            elif kind is MappingStartEvent:
                self.open(event, {})
            elif kind is SequenceStartEvent:
                self.open(event, [])
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                self.close()
            elif kind is AliasEvent:
                self.alias(event)
            elif kind is DocumentStartEvent:
                documents += 1
                if documents > 1:
                    raise _diagnostic(event, "There is more than one YAML document.", "Keep one.")
        return self.root

    def scalar(self, event: ScalarEvent) -> None:
        value = event.value if event.style else _plain(event)
        if type(value) is str and len(value) <= _SHORT:
            value = intern(value)
        self.place(value, 1, event)
        if event.anchor:
            self.anchors[event.anchor] = (value, 1)

    def open(self, event: CollectionStartEvent, node: dict[str, object] | list[object]) -> None:
        if len(self.stack) >= MAX_DEPTH:
            raise _diagnostic(event, f"It nests deeper than {MAX_DEPTH} levels.", "Flatten it.")
        self.place(node, 1, event)
        self.stack.append(_StackEntry(node, event.anchor))

    def close(self) -> None:
        frame = self.stack.pop()
        if frame.anchor:
            self.anchors[frame.anchor] = (frame.node, _size(frame.node))

    def alias(self, event: AliasEvent) -> None:
        if event.anchor not in self.anchors:
            raise _diagnostic(event, f"The alias *{event.anchor} names no anchor.", "Write it out.")
        value, size = self.anchors[event.anchor]
        self.place(value, size, event)

    def place(self, value: object, nodes: int, event: Event) -> None:
        """Put a finished value, or a container about to be filled, where it belongs."""
        self.nodes += nodes
        if self.nodes > MAX_NODES:
            message = f"It unfolds into more than {MAX_NODES} values."
            raise _diagnostic(event, message, "Use fewer aliases, or split the file.")
        if not self.stack:
            self.root = value
            return
        frame = self.stack[-1]
        if isinstance(frame.node, list):
            frame.node.append(value)
        elif frame.key is None:
            frame.key = _key(value, frame.node, event)
        else:
            frame.node[frame.key] = value
            frame.key = None


def _plain(event: ScalarEvent) -> str | None:
    """Text without quotes: null, or the text it is, marked where others read it otherwise."""
    text: str = event.value
    if text in _NULLS and event.tag is None:
        return None
    if (
        text[:1] in _AMBIGUOUS_PATTERN
        and len(text) <= _LONGEST_AMBIGUOUS
        and _AMBIGUOUS.fullmatch(text)
    ):
        return UnquotedScalar(text)
    return text


def _key(value: object, node: dict[str, object], event: Event) -> str:
    if value is not None and not isinstance(value, str):
        raise _diagnostic(event, "A key is a list or a mapping.", "Use a plain word as the key.")
    key = str(value or "")
    if key in node:
        raise _diagnostic(event, f"The key “{key}” stands twice.", "Keep one of them.")
    return key


def _size(value: object) -> int:
    """Number of values below and including this one; shared parts count each time."""
    if isinstance(value, dict):
        return 1 + sum(map(_size, value.values()))
    if isinstance(value, list):
        return 1 + sum(map(_size, value))
    return 1


def _diagnostic(event: Event, message: str, suggestion: str) -> YamlError:
    return YamlError(message, suggestion, _line(event))


def _line(event: Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


def load(text: str) -> object:
    """Plain dicts, lists, text and None of one YAML document; raises YamlError."""
    try:
        return _Reader(text).read()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        problem = error.problem or error.context or "it cannot be read"
        suggestion = "Quote values that hold a colon, and check the indentation."
        raise YamlError(f"The YAML is broken: {problem}.", suggestion, line) from None
    except yaml.YAMLError as error:
        message = f"The YAML is broken: {str(error).splitlines()[0]}."
        raise YamlError(message, "Remove the character.", 1) from None


def key_line(text: str, path: tuple[str | int, ...]) -> int:
    r"""Line, from 1, of the key or item at `path` in a text that `load` accepts.

    >>> key_line("{a: 1,\n b: [{c: 2}]}", ("b", 0, "c"))
    2
    """
    node = yaml.compose(text, yaml.CSafeLoader)
    line = 1
    for step in path:
        found = _child(node, step)
        if found is None:
            break
        marked, node = found
        line = marked.start_mark.line + 1
    return line


def _child(node: yaml.Node | None, step: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        return next(((key, value) for key, value in node.value if key.value == step), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step], node.value[step]
    return None
