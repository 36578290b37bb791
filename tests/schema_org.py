"""The vocabulary of schema.org, as the package schema-dts declares it for TypeScript."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from live.tools import checker

Node = Mapping[str, Any]

_INTERFACE = re.compile(
    r"^(?:export )?interface (\w+) extends ([^{]+) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL
)
_PROPERTY = re.compile(r'^    "([a-zA-Z0-9]+)"\?: SchemaValue<(.*), "\1">;', re.MULTILINE)
_ALIAS = re.compile(r"^export type (\w+) = ([^;{}]+);", re.MULTILINE)
_TEXTS = {"Text", "URL", "Date", "DateTime", "Time", "Duration", "Number", "Integer", "Float"}


@dataclass(frozen=True)
class Vocabulary:
    """The properties of each type, and the types above it."""

    bases: Mapping[str, Sequence[str]]
    properties: Mapping[str, Mapping[str, Sequence[str]]]
    members: Mapping[str, frozenset[str]]
    """The words that a type such as `ItemAvailability` allows."""

    unions: Mapping[str, frozenset[str]]
    """The types right below each type."""

    def problems(self, node: Node, where: str = "") -> Iterator[str]:
        """Yield what a node says that schema.org does not know."""
        types = as_list(node.get("@type"))
        if not types:
            return
        place = f"{where}/{'+'.join(types)}"
        for name in types:
            if f"{name}Leaf" not in self.bases:
                yield f"{place}: there is no such type"
        for name, value in node.items():
            if not name.startswith("@") and not name.endswith("-input"):
                yield from self._value_problems(types, name, value, f"{place}.{name}")

    def _value_problems(
        self, types: Sequence[str], name: str, value: object, place: str
    ) -> Iterator[str]:
        allowed = next((found for each in types if (found := self._range(f"{each}Leaf", name))), ())
        if not allowed:
            yield f"{place}: the type has no such property"
        for each in as_list(value) if allowed else ():
            if not self._fits(each, allowed):
                yield f"{place}: {each} is none of {', '.join(allowed)}"
            if isinstance(each, dict):
                yield from self.problems(each, place)

    def _range(self, interface: str, name: str) -> Sequence[str]:
        own = self.properties.get(interface, {}).get(name)
        above = (self._range(base, name) for base in self.bases.get(interface, ()))
        return own or next(filter(None, above), ())

    def _fits(self, value: object, allowed: Sequence[str]) -> bool:
        if isinstance(value, dict) and "@type" in value:
            name = value["@type"]
            return any(
                self._is_a(f"{name}Leaf", each) or name in self.unions.get(each, ())
                for each in allowed
            )
        if isinstance(value, dict):
            return set(value) == {"@id"} and "IdReference" in allowed
        if isinstance(value, bool):
            return "Boolean" in allowed
        words = frozenset().union(*(self.members.get(each, ()) for each in allowed))
        if words or _TEXTS & set(allowed):
            return value in words or bool(_TEXTS & set(allowed))
        # The URL of a thing stands for it, as Google's guides have it.
        return "IdReference" in allowed and str(value).startswith("https://")

    def _is_a(self, interface: str, name: str) -> bool:
        bases = self.bases.get(interface, ())
        return interface in (f"{name}Leaf", f"{name}Base") or any(
            self._is_a(base, name) for base in bases
        )


def as_list(value: object) -> list[Any]:
    """Return the values of a property, which may be one or a list."""
    return value if isinstance(value, list) else [] if value is None else [value]


@cache
def vocabulary() -> Vocabulary:
    """Return the vocabulary of the installed package; skips the test without it."""
    return _parsed(checker("schema-dts/dist/schema.d.ts"))


def _parsed(file: Path) -> Vocabulary:
    text = file.read_text()
    interfaces, aliases = _INTERFACE.findall(text), _ALIAS.findall(text)
    return Vocabulary(
        bases={name: bases.split(", ") for name, bases, _ in interfaces},
        properties={
            name: {key: values.split(" | ") for key, values in _PROPERTY.findall(body)}
            for name, _, body in interfaces
        },
        members={
            name: frozenset(re.findall(r'"([^"]+)"', values))
            for name, values in aliases
            if values.startswith('"')
        },
        unions={name: frozenset(values.split(" | ")) for name, values in aliases},
    )
