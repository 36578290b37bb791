"""Edits: replacements within lines of a text, which keep everything around them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces the characters from `start` to `end` of a line; the line counts from 1.

    `note` says what was mended.
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
