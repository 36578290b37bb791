"""A strict YAML reader that keeps all scalars as text.

YAML 1.1 parses `no` as false, `12:30` as 750 and `1.10` as 1.1. Here the schema of a field decides
how its text is parsed. Duplicate keys are errors, and an alias counts as many values as it expands
to, so that a small file cannot become a huge one. The reader is built on libyaml's events: it takes
0.8 of the time of `yaml.CBaseLoader`, which 50,000 open brackets crash with the whole process.
"""

import re
from collections.abc import Callable
from sys import intern
from typing import Any, Self

import yaml
from yaml.events import (
    AliasEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from knowledge.diagnostics.diagnostic import DiagnosticKind
from knowledge.diagnostics.messages import Text

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
_COLOUR = re.compile(r"[ \t]+(#(?:[0-9a-f]{3}|[0-9a-f]{6}))[ \t]*", re.IGNORECASE)
"""A colour without quotes, which is a comment in YAML."""

_MAX_AMBIGUOUS_CHARACTERS = 24
_AMBIGUOUS_START = frozenset("yYnNoO+-0123456789")
"""The first characters of ambiguous texts, checked before the regular expression to save time."""


class YamlError(Exception):
    """The text is not valid for this reader; line and column count from 1 within the text."""

    def __init__(
        self,
        message: Text,
        suggestion: Text,
        line: int,
        column: int | None = None,
        kind: DiagnosticKind = DiagnosticKind.INVALID_YAML,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion
        self.line = line
        self.column = column
        self.kind = kind


class UnquotedScalar(str):
    """Unquoted text that YAML 1.1 would parse as another type; its place counts from 1."""

    __slots__ = ("place",)
    place: tuple[int, int]

    def __new__(cls, text: str, place: tuple[int, int] = (1, 1)) -> Self:
        """Return a text with its line and column."""
        scalar = super().__new__(cls, text)
        scalar.place = place
        return scalar


_MAX_INTERNED_CHARACTERS = 32
"""Longest text to intern; short ones such as categories and tags recur in many documents."""


class _EventReader:
    """Builds dicts, lists and strings from the event stream, at most MAX_DEPTH levels deep."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.next_event: Callable[[], Any] = yaml.CSafeLoader(text).get_event
        self.anchors: dict[str, tuple[object, int]] = {}
        self.nodes = 0

    def read(self) -> object:
        self.next_event()  # the start of the stream
        if type(self.next_event()) is StreamEndEvent:
            return None
        value = self.value(self.next_event(), 0)
        self.next_event()  # the end of the document
        if type(event := self.next_event()) is not StreamEndEvent:
            raise _error(
                event, Text("There is more than one YAML document."), Text("Keep only one.")
            )
        return value

    def value(self, event: Any, depth: int) -> object:
        # `type(event) is X` is faster than isinstance, and most of a start is spent here.
        kind = type(event)
        if kind is AliasEvent:
            return self.alias(event)
        nodes_before = self.nodes
        self.count(1, event)
        if kind is ScalarEvent:
            value: object = _scalar(event)
        elif depth >= MAX_DEPTH:
            message = Text("The YAML is nested more than {} levels deep.", MAX_DEPTH)
            raise _error(event, message, Text("Flatten it."))
        else:
            read = self.mapping if kind is MappingStartEvent else self.sequence
            value = read(depth + 1)
        if event.anchor:
            self.anchors[event.anchor] = (value, self.nodes - nodes_before)
        return value

    def mapping(self, depth: int) -> dict[str, object]:
        values: dict[str, object] = {}
        while type(event := self.next_event()) is not MappingEndEvent:
            key = _key(self.value(event, depth), values, event)
            event = self.next_event()
            value = self.value(event, depth)
            values[key] = self.colour(event) if value is None else value
        return values

    def colour(self, event: Any) -> UnquotedScalar | None:
        """Return a colour that stands for a value but is a comment, else None."""
        mark = event.start_mark
        line = self.text.split("\n")[mark.line : mark.line + 1]
        match = _COLOUR.fullmatch(line[0], mark.column) if line else None
        return UnquotedScalar(match[1], (mark.line + 1, match.start(1) + 1)) if match else None

    def sequence(self, depth: int) -> list[object]:
        values = []
        while type(event := self.next_event()) is not SequenceEndEvent:
            values.append(self.value(event, depth))
        return values

    def alias(self, event: AliasEvent) -> object:
        if event.anchor not in self.anchors:
            message = Text("The alias *{} has no anchor.", event.anchor)
            advice = Text('Write the value out, or in quotes: "*{}".', event.anchor)
            raise _error(event, message, advice)
        value, nodes = self.anchors[event.anchor]
        self.count(nodes, event)
        return value

    def count(self, nodes: int, event: Event) -> None:
        self.nodes += nodes
        if self.nodes > MAX_NODES:
            message = Text("The YAML expands to more than {} values.", MAX_NODES)
            raise _error(event, message, Text("Use fewer aliases, or split the file."))


def _scalar(event: ScalarEvent) -> str | None:
    """Return None for null, else the text, marked if YAML 1.1 would retype it."""
    text: str = event.value
    if not event.style:
        if text in _NULLS and event.tag is None:
            return None
        if (
            text[:1] in _AMBIGUOUS_START
            and len(text) <= _MAX_AMBIGUOUS_CHARACTERS
            and _AMBIGUOUS.fullmatch(text)
        ):
            mark: Any = event.start_mark
            return UnquotedScalar(text, (mark.line + 1, mark.column + 1))
    return intern(text) if len(text) <= _MAX_INTERNED_CHARACTERS else text


def _key(value: object, values: dict[str, object], event: Event) -> str:
    if value is not None and not isinstance(value, str):
        advice = Text(
            "Use a plain word as the key, and quotes around a value that begins with { or [."
        )
        raise _error(event, Text("A key is a list or a mapping."), advice)
    key = value or ""
    if key in values:
        raise _error(
            event,
            Text("Duplicate key “{}”.", key),
            Text("Keep one of them."),
            DiagnosticKind.DUPLICATE_KEY,
        )
    return key


def _error(
    event: Event,
    message: Text,
    suggestion: Text,
    kind: DiagnosticKind = DiagnosticKind.INVALID_YAML,
) -> YamlError:
    return YamlError(message, suggestion, *_position(event.start_mark), kind)


def _position(mark: Any) -> tuple[int, int | None]:
    """Return line and column of a mark, from 1."""
    return (mark.line + 1, mark.column + 1) if mark else (1, None)


def load(text: str) -> object:
    """Parse one YAML document to dicts, lists, strings and None; raises YamlError."""
    try:
        return _EventReader(text).read()
    except yaml.MarkedYAMLError as error:
        line, column = _position(error.problem_mark or error.context_mark)
        problem = error.problem or error.context or Text("it cannot be read")
        message = Text("Invalid YAML: {}.", problem)
        raise YamlError(message, _advice(text, line), line, column) from None
    except yaml.YAMLError as error:
        message = Text("Invalid YAML: {}.", str(error).splitlines()[0])
        raise YamlError(message, Text("Remove the character."), 1) from None


class BoundedLoader(yaml.SafeLoader):
    """A safe loader for YAML as others write it, with types, merge keys and bounded aliases.

    What is merged, and what walks through the values, takes an alias as often as it is written.
    """

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._nodes = self._expanded = 0
        self._sizes: dict[int, int] = {}

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Return the next node; raises ComposerError if aliases expand to too much."""
        is_alias, before = self.check_event(AliasEvent), self._nodes
        node = super().compose_node(parent, index)
        if is_alias:
            size = self._sizes.get(id(node), MAX_NODES + 1)  # one inside its own anchor never ends
            self._nodes += size
            self._expanded += size
            if self._expanded > MAX_NODES:
                message = f"the aliases expand to more than {MAX_NODES} values"
                raise yaml.composer.ComposerError(None, None, message)
        else:
            self._nodes += 1
            self._sizes[id(node)] = self._nodes - before
        return node


_VALUE = re.compile(r"[ ]*+(?:-[ ]++)*+(?:[^\s:#][^:]*+:[ \t]++)?+(?P<first>\S)(?P<rest>.*)")
_SPECIAL = frozenset("@`%*&!|>[]{},?-")
_CLOSING = {"[": "]", "{": "}", '"': '"', "'": "'"}


def _advice(text: str, line: int) -> Text:
    """Return what to do about the line at which YAML cannot be read, or what opens above it."""
    above, row, *_ = ["", *text.split("\n"), "", ""][line - 1 :]
    if row.lstrip(" ").startswith("\t"):
        return Text("Use spaces for the indentation, not tabs.")
    value, opened = _VALUE.fullmatch(row), _VALUE.fullmatch(above)
    if opened and _CLOSING.get(opened["first"], "") not in opened["rest"]:
        value = opened
    first = value["first"] if value else ""
    if first in {*"\"'"}:
        return Text("Quote the whole value; use the other quotation marks around those in it.")
    if first in _SPECIAL:
        return Text("Quote the value, because “{}” at its beginning has a meaning in YAML.", first)
    return Text("Quote values that contain a colon, and check the indentation.")


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
