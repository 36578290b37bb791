"""Edits of autofix: replacements within lines, for keys of generators and the syntax of YAML."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import yaml as pyyaml

from knowledge.diagnostics.diagnostic import DiagnosticKind
from knowledge.documents.front_matter import FrontMatter
from knowledge.fields import yaml
from knowledge.fields.yaml import YamlError


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces the characters from `start` to `end` of a line; the line counts from 1.

    `note` says what was fixed.
    """

    line: int
    start: int
    end: int
    text: str
    note: str


def apply(text: str, edits: Iterable[Edit]) -> str:
    r"""Return a text with edits that do not overlap; line ends stay as they are.

    A line feed in the text of an edit becomes the line end of its line.

    >>> apply("a: b\r\nc: d\r\n", [Edit(2, 3, 4, "e", "")])
    'a: b\r\nc: e\r\n'
    """
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda each: (each.line, each.start), reverse=True):
        line = lines[edit.line - 1]
        inserted = edit.text.replace("\n", "\r\n") if line.endswith("\r") else edit.text
        lines[edit.line - 1] = line[: edit.start] + inserted + line[edit.end :]
    return "\n".join(lines)


_TOML_TABLE = re.compile(r"^[^\S\n]*+\[", re.MULTILINE)


def rename(parts: FrontMatter, old: str, new: str) -> tuple[Edit, ...]:
    """Return the edits that rename a top-level key; none if it is not there.

    `draft: true` becomes `published: false`.
    """
    places = _toml_places(parts, old) if parts.is_toml else _yaml_places(parts, old)
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


def _yaml_places(parts: FrontMatter, key: str) -> Iterator[tuple[Span, Span]]:
    node = pyyaml.compose(parts.raw, pyyaml.CSafeLoader)
    for name, value in node.value if isinstance(node, pyyaml.MappingNode) else ():
        if name.value == key:
            yield _span(parts, name), _span(parts, value)


def _span(parts: FrontMatter, node: pyyaml.Node) -> Span:
    end = node.end_mark.column if node.end_mark.line == node.start_mark.line else None
    start = node.start_mark.column
    return parts.raw_line + node.start_mark.line, start, start if end is None else end


def _toml_places(parts: FrontMatter, key: str) -> Iterator[tuple[Span, Span]]:
    table = _TOML_TABLE.search(parts.raw)
    top = parts.raw[: table.start()] if table else parts.raw
    assigned = re.compile(rf"^[ \t]*(\"?{re.escape(key)}\"?)[ \t]*=[ \t]*(\S+)")
    for number, line in enumerate(top.split("\n"), start=parts.raw_line):
        match = assigned.match(line)
        if match:
            yield (number, *match.span(1)), (number, *match.span(2))


_MAX_EDITS = 50
"""A text with more faults is left to its author; each edit parses the text again."""

_KEY = r"(?:\w[^:#\r]*+|(?:\"[^\"\r]*+\"|'[^'\r]*+')[ ]*+):"
_VALUE = re.compile(
    rf"(?P<head>[ ]*+(?:-[ ]++)*{_KEY}[ ]++|[ ]*+-[ ]++)"
    r"(?P<value>[^\s#](?:[^ \t\n]|[ \t]++(?!#))*?)(?P<tail>(?:[ \t]++#.*+)?[ \t]*+\r?)"
)
"""A key or a dash, a value on the same line, and a comment."""

_NEXT_ITEM = re.compile(rf"[ ]*+(?:-[ ]|{_KEY}(?:\s|$))")
_TABS = re.compile(r"[ ]*\t[ \t]*(?=\S)")
_SPACES = re.compile(r"[ ]+(?=\S)")
_DEFAULT_INDENT = 2


def yaml_fixes(text: str) -> Sequence[Edit] | None:
    """Return the edits after which a YAML text can be read; None if it cannot be fixed."""
    edits: list[Edit] = []
    width = _indentation(text)
    for _ in range(_MAX_EDITS):
        error = _error(text)
        if error is None:
            return edits
        line = [*text.split("\n"), ""][error.line - 1]
        edit = _spaces(line, error.line, width) or _quotes(text, error)
        if edit is None:
            return None
        edits.append(edit)
        text = apply(text, [edit])
    return None


def _error(text: str) -> YamlError | None:
    try:
        yaml.load(text)
    except YamlError as error:
        return error
    return None


def _indentation(text: str) -> int:
    """Return the number of spaces of one level, as the text has it elsewhere."""
    matches = map(_SPACES.match, text.split("\n"))
    return min((len(match[0]) for match in matches if match), default=_DEFAULT_INDENT)


def _spaces(line: str, number: int, width: int) -> Edit | None:
    """Return the edit that replaces the tabs in the indentation of a line."""
    match = _TABS.match(line)
    if match is None:
        return None
    note = "tabs in the indentation became spaces"
    return Edit(number, 0, match.end(), match[0].replace("\t", " " * width), note)


def _quotes(text: str, error: YamlError) -> Edit | None:
    """Return the edit that quotes the value in the line of an error."""
    lines = text.split("\n")
    match = _VALUE.fullmatch(lines[error.line - 1]) if error.line <= len(lines) else None
    if match is None or error.kind is DiagnosticKind.DUPLICATE_KEY:
        return None
    if _continues(match["head"], lines[error.line :]):
        return None
    quoted = _quoted(match["value"])
    if quoted is None:
        return None
    return Edit(error.line, *match.span("value"), quoted, f"{match['value']} is in quotes")


def _continues(head: str, following: Sequence[str]) -> bool:
    """Return whether the line after a value belongs to it."""
    first = next(iter(following), "")
    is_deeper = len(first) - len(first.lstrip(" ")) > len(head) - len(head.lstrip(" "))
    return bool(first.strip()) and is_deeper and not _NEXT_ITEM.match(first)


def _quoted(value: str) -> str | None:
    """Return a plain value in quotes, one in quotes with its inner ones escaped, else None.

    >>> _quoted("A: b"), _quoted("'it's'"), _quoted("[a, b"), _quoted("[Draft] A")
    ('"A: b"', "'it''s'", None, '"[Draft] A"')
    """
    first, last = value[0], value[-1]
    if first == last == "'" and len(value) > 2:
        return f"'{value[1:-1].replace(chr(39) * 2, chr(39)).replace(chr(39), chr(39) * 2)}'"
    closing = {"[": "]", "{": "}"}.get(first)
    if first in "\"'|>" or (closing and (last == closing or closing not in value)):
        return None
    if '"' in value or "\\" in value:
        return f"'{value.replace(chr(39), chr(39) * 2)}'"
    return f'"{value}"'
