"""Renames keys of other generators to ours, without touching their values."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from knowledge.checks.mending.edits import Edit
from knowledge.documents.front_matter import SplitFile

_TOML_TABLE = re.compile(r"^[^\S\n]*+\[", re.MULTILINE)


def rename(parts: SplitFile, old: str, new: str) -> tuple[Edit, ...]:
    """Return the edits that rename a top-level key; none if it is not there.

    `draft: true` becomes `published: false`.
    """
    places = _toml(parts, old) if parts.is_toml else _yaml(parts, old)
    spans = next(places, None)
    if spans is None:
        return ()
    (line, start, end), value = spans
    if (old, new) != ("draft", "published"):
        return (Edit(line, start, end, new, f"{old} became {new}"),)
    note = f"{old} became {new}: false"
    return (Edit(line, start, end, new, note), Edit(*value, "false", ""))


Span = tuple[int, int, int]
"""A line, which counts from 1, and the columns of start and end."""


def _yaml(parts: SplitFile, key: str) -> Iterator[tuple[Span, Span]]:
    node = yaml.compose(parts.raw, yaml.CSafeLoader)
    for name, value in node.value if isinstance(node, yaml.MappingNode) else ():
        if name.value == key:
            yield _span(parts, name), _span(parts, value)


def _span(parts: SplitFile, node: yaml.Node) -> Span:
    end = node.end_mark.column if node.end_mark.line == node.start_mark.line else None
    start = node.start_mark.column
    return parts.raw_line + node.start_mark.line, start, start if end is None else end


def _toml(parts: SplitFile, key: str) -> Iterator[tuple[Span, Span]]:
    table = _TOML_TABLE.search(parts.raw)
    top = parts.raw[: table.start()] if table else parts.raw
    assigned = re.compile(rf"^[ \t]*(\"?{re.escape(key)}\"?)[ \t]*=[ \t]*(\S+)")
    for number, line in enumerate(top.split("\n"), start=parts.raw_line):
        match = assigned.match(line)
        if match:
            yield (number, *match.span(1)), (number, *match.span(2))
