"""A mapping as one of which few values were edited, which shares all others with it.

An edit of a document replaces its value in a dozen tables of all documents. Copies of them would
stop requests for milliseconds, and processes that share the memory of a table would each get one
of their own.
"""

from __future__ import annotations

from collections.abc import Hashable, ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import Generic, TypeVar, overload

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
Default = TypeVar("Default")

MIN_SIZE = 1_000
"""A smaller mapping is copied in microseconds, and read faster then."""

MAX_EDITS = 256
"""With more edits since, a new base is made."""


class EditedMapping(Mapping[Key, Value], Generic[Key, Value]):
    """A mapping with the keys of a base, and other values for some of them; immutable."""

    __slots__ = ("base", "edits")

    def __init__(self, base: Mapping[Key, Value], edits: Mapping[Key, Value]) -> None:
        self.base = base
        self.edits = edits

    def __getitem__(self, key: Key) -> Value:
        edits = self.edits
        return edits[key] if key in edits else self.base[key]

    @overload
    def get(self, key: Key, /) -> Value | None: ...
    @overload
    def get(self, key: Key, /, default: Value | Default) -> Value | Default: ...
    def get(self, key: Key, /, default: object = None) -> object:
        """Return a value, or the default."""
        edits = self.edits
        return edits[key] if key in edits else self.base.get(key, default)

    def __contains__(self, key: object) -> bool:
        return key in self.base

    def __iter__(self) -> Iterator[Key]:
        return iter(self.base)

    def __len__(self) -> int:
        return len(self.base)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, EditedMapping) and other.base is self.base:
            return self.edits == other.edits or self.copy() == other.copy()
        if not isinstance(other, Mapping) or len(other) != len(self):
            return False
        return self.copy() == copied(other)

    __hash__ = None  # type: ignore[assignment]  # like that of any mapping

    def keys(self) -> KeysView[Key]:
        """Return all keys."""
        return self.base.keys()

    def values(self) -> ValuesView[Value]:
        """Return all values."""
        return self.copy().values()

    def items(self) -> ItemsView[Key, Value]:
        """Return all keys with their values."""
        return self.copy().items()

    def copy(self) -> dict[Key, Value]:
        """Return a dictionary with the same keys in the same order, and the same values."""
        return {**self.base, **self.edits}


def edited(before: Mapping[Key, Value], edits: Mapping[Key, Value]) -> Mapping[Key, Value]:
    """Return a mapping with other values for some keys; new keys are at the end.

    >>> numbers = edited(dict.fromkeys(range(2_000), 0), {7: 1})
    >>> numbers[7], numbers[8], len(numbers), edited(numbers, {2_000: 1})[2_000]
    (1, 0, 2000, 1)
    """
    if not edits:
        return before
    base, known = base_and_edits(before)
    together = {**known, **edits}
    if len(before) < MIN_SIZE or len(together) > MAX_EDITS or not edits.keys() <= base.keys():
        return {**base, **together}
    return EditedMapping(base, together)


def copied(mapping: Mapping[Key, Value]) -> dict[Key, Value]:
    """Return a copy as a dictionary."""
    return mapping.copy() if isinstance(mapping, EditedMapping) else dict(mapping)


def base_and_edits(
    mapping: Mapping[Key, Value],
) -> tuple[Mapping[Key, Value], Mapping[Key, Value]]:
    """Return what a mapping shares with others, and its own values in place of those."""
    return (mapping.base, mapping.edits) if isinstance(mapping, EditedMapping) else (mapping, {})
