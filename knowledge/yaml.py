"""A strict YAML reader that keeps all scalars as text.

YAML 1.1 parses `no` as false, `12:30` as 750 and `1.10` as 1.1. Here the schema of a field decides
how its text is parsed. Duplicate keys are errors, and an alias counts as many values as it expands
to, so that a small file cannot become a huge one. The reader is built on libyaml's events and is
faster than `yaml.CSafeLoader`.
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
_MAX_AMBIGUOUS_CHARACTERS = 24
_AMBIGUOUS_START = frozenset("yYnNoO+-0123456789")
"""The first characters of ambiguous texts, checked before the regular expression to save time."""


class YamlError(Exception):
    """The text is not valid for this reader; `line` counts from 1 within the text."""

    def __init__(self, message: str, suggestion: str, line: int) -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion
        self.line = line


class UnquotedScalar(str):
    """Unquoted text that YAML 1.1 would parse as another type."""

    __slots__ = ()


_MAX_INTERNED_CHARACTERS = 32
"""Longest text to intern; short ones such as categories and tags recur in many documents."""


@dataclass(slots=True)
class _StackEntry:
    """One open mapping or sequence, and the key whose value comes next."""

    node: dict[str, object] | list[object]
    anchor: str | None
    key: str | None = None


class _Reader:
    """Builds dicts, lists and strings from the event stream, without recursion."""

    def __init__(self, text: str) -> None:
        self.parser = yaml.CSafeLoader(text)
        self.stack: list[_StackEntry] = []
        self.anchors: dict[str, tuple[object, int]] = {}
        self.nodes = 0
        self.root: object = None

    def read(self) -> object:
        documents = 0
        next_event: Callable[[], Any] = self.parser.get_event
        # `type(event) is X` is faster than isinstance, and most of a start is spent in this loop.
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
                    message = "There is more than one YAML document."
                    raise _error(event, message, "Keep only one.")
        return self.root

    def scalar(self, event: ScalarEvent) -> None:
        value = event.value if event.style else _plain(event)
        if type(value) is str and len(value) <= _MAX_INTERNED_CHARACTERS:
            value = intern(value)
        self.add(value, 1, event)
        if event.anchor:
            self.anchors[event.anchor] = (value, 1)

    def open(self, event: CollectionStartEvent, node: dict[str, object] | list[object]) -> None:
        if len(self.stack) >= MAX_DEPTH:
            message = f"The YAML is nested more than {MAX_DEPTH} levels deep."
            raise _error(event, message, "Flatten it.")
        self.add(node, 1, event)
        self.stack.append(_StackEntry(node, event.anchor))

    def close(self) -> None:
        entry = self.stack.pop()
        if entry.anchor:
            self.anchors[entry.anchor] = (entry.node, _size(entry.node))

    def alias(self, event: AliasEvent) -> None:
        if event.anchor not in self.anchors:
            message = f"The alias *{event.anchor} has no anchor."
            raise _error(event, message, "Write the value out.")
        value, size = self.anchors[event.anchor]
        self.add(value, size, event)

    def add(self, value: object, nodes: int, event: Event) -> None:
        """Add a scalar or a new container to the innermost open container."""
        self.nodes += nodes
        if self.nodes > MAX_NODES:
            message = f"The YAML expands to more than {MAX_NODES} values."
            raise _error(event, message, "Use fewer aliases, or split the file.")
        if not self.stack:
            self.root = value
            return
        entry = self.stack[-1]
        if isinstance(entry.node, list):
            entry.node.append(value)
        elif entry.key is None:
            entry.key = _key(value, entry.node, event)
        else:
            entry.node[entry.key] = value
            entry.key = None


def _plain(event: ScalarEvent) -> str | None:
    """Return None for null, else the unquoted text, marked if YAML 1.1 would retype it."""
    text: str = event.value
    if text in _NULLS and event.tag is None:
        return None
    if (
        text[:1] in _AMBIGUOUS_START
        and len(text) <= _MAX_AMBIGUOUS_CHARACTERS
        and _AMBIGUOUS.fullmatch(text)
    ):
        return UnquotedScalar(text)
    return text


def _key(value: object, node: dict[str, object], event: Event) -> str:
    if value is not None and not isinstance(value, str):
        raise _error(event, "A key is a list or a mapping.", "Use a plain word as the key.")
    key = str(value or "")
    if key in node:
        raise _error(event, f"Duplicate key “{key}”.", "Keep one of them.")
    return key


def _size(value: object) -> int:
    """Return the number of values in a tree, including itself; shared parts count each time."""
    if isinstance(value, dict):
        return 1 + sum(map(_size, value.values()))
    if isinstance(value, list):
        return 1 + sum(map(_size, value))
    return 1


def _error(event: Event, message: str, suggestion: str) -> YamlError:
    return YamlError(message, suggestion, _line(event))


def _line(event: Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


def load(text: str) -> object:
    """Parse one YAML document to dicts, lists, strings and None; raises YamlError."""
    try:
        return _Reader(text).read()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        problem = error.problem or error.context or "it cannot be read"
        suggestion = "Quote values that contain a colon, and check the indentation."
        raise YamlError(f"Invalid YAML: {problem}.", suggestion, line) from None
    except yaml.YAMLError as error:
        message = f"Invalid YAML: {str(error).splitlines()[0]}."
        raise YamlError(message, "Remove the character.", 1) from None


def key_line(text: str, path: tuple[str | int, ...]) -> int:
    r"""Return the line, from 1, of the key or item at `path` in a text that `load` accepts.

    >>> key_line("{a: 1,\n b: [{c: 2}]}", ("b", 0, "c"))
    2
    """
    node = yaml.compose(text, yaml.CSafeLoader)
    line = 1
    for step in path:
        child = _child(node, step)
        if child is None:
            break
        marked, node = child
        line = marked.start_mark.line + 1
    return line


def _child(node: yaml.Node | None, step: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        return next(((key, value) for key, value in node.value if key.value == step), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step], node.value[step]
    return None
