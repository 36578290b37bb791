"""Mends the syntax of YAML: values that need quotes, and tabs for indentation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from knowledge.checks.mending.edits import Edit, apply
from knowledge.diagnostics.kinds import DiagnosticKind
from knowledge.fields import yaml
from knowledge.fields.yaml import YamlError

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


def mend_yaml(text: str) -> Sequence[Edit] | None:
    """Return the edits after which a YAML text can be read; None if it cannot be mended."""
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
