"""The tags of JSX and Vue in a text: their names, attributes and ends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

_START = re.compile(r"(?<![\\{])<(?P<close>/?)(?P<name>[A-Za-z][\w.-]*)(?=\s|/?>)")
_FRAGMENT = re.compile(r"(?<![\w\\])</?>")
_ATTRIBUTE = re.compile(
    r"\s*(?P<key>[@:#\w.-]+)"
    r"(?:\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<brace>\{)|(?P<bare>[^\s\"'<>{}`]+)))?"
)
_SPREAD = re.compile(r"\s*\{")
_END = re.compile(r"\s*(?P<slash>/?)>")
_STRING = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'|`([^`$\n]*)`")
_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag; `attributes` are those with a plain text."""

    start: int
    end: int
    name: str
    is_closing: bool
    is_empty: bool
    attributes: Mapping[str, str]
    has_expression: bool = False

    @property
    def is_component(self) -> bool:
        """Return whether it is no HTML element: it has a capital, a dot, or no name."""
        return not self.name or self.name[0].isupper() or "." in self.name

    def text_of(self, *names: str) -> str:
        """Return the first attribute of some that has a text."""
        return next((self.attributes[name] for name in names if self.attributes.get(name)), "")


class TagReader:
    """Finds the tags and the expressions in braces of a text, in linear time."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def closing_braces(self) -> Mapping[int, int]:
        """Return the offset after the closing brace, by the offset of the opening one."""
        found: dict[int, int] = {}
        opened: list[int] = []
        for match in _BRACES.finditer(self._text):
            if match[0] == "{":
                opened.append(match.start())
            elif match[0] == "}" and opened:
                found[opened.pop()] = match.end()
        return found

    def tags(self) -> Iterator[Tag]:
        """Yield the tags in order; what does not end as a tag is none."""
        position = 0
        while match := _START.search(self._text, position):
            tag = self._tag(match)
            position = tag.end if tag else match.end()
            if tag:
                yield tag

    def fragments(self) -> Iterator[Tag]:
        """Yield the tags without a name, `<>` and `</>`."""
        for match in _FRAGMENT.finditer(self._text):
            yield Tag(match.start(), match.end(), "", match[0] == "</>", False, {})

    def _tag(self, start: re.Match[str]) -> Tag | None:
        attributes: dict[str, str] = {}
        position, has_expression = start.end(), False
        while True:
            end = _END.match(self._text, position)
            if end:
                return Tag(
                    start.start(),
                    end.end(),
                    start["name"],
                    bool(start["close"]),
                    bool(end["slash"]),
                    attributes,
                    has_expression,
                )
            spread = _SPREAD.match(self._text, position)
            attribute = None if spread else _ATTRIBUTE.match(self._text, position)
            if spread or (attribute and attribute["brace"]):
                has_expression = True
                opened = (
                    spread.end() - 1 if spread else attribute.start("brace") if attribute else 0
                )
                closed = self.closing_braces.get(opened)
                if closed is None:
                    return None
                if attribute:
                    attributes[attribute["key"]] = _only_string(self._text[opened:closed])
                position = closed
            elif attribute:
                values = (attribute["double"], attribute["single"], attribute["bare"])
                attributes[attribute["key"]] = next((v for v in values if v is not None), "")
                position = attribute.end()
            else:
                return None


def _only_string(expression: str) -> str:
    """Return the string in an expression, as in `require("./a.png").default`, if it has just one.

    >>> _only_string("{useBaseUrl('/a.png')}"), _only_string("{[1, 2]}")
    ('/a.png', '')
    """
    if len(expression) > 500:
        return ""
    found = _STRING.findall(expression)
    return "".join(found[0]) if len(found) == 1 else ""
