"""Observed mappings and sets: they note each key that is read, also one that they do not have."""

from __future__ import annotations

from collections.abc import Hashable, ItemsView, Iterator, KeysView, Mapping, ValuesView
from collections.abc import Set as AbstractSet
from typing import Generic, TypeVar, overload

from knowledge.edits.reads import ALL, EMPTINESS, note

Key = TypeVar("Key", bound=Hashable)
Value_co = TypeVar("Value_co", covariant=True)
Value = TypeVar("Value")
Default = TypeVar("Default")


class ObservedMapping(Mapping[Key, Value_co], Generic[Key, Value_co]):
    """A mapping by `name` that notes what is read; who iterates reads all of it."""

    __slots__ = ("_name", "unobserved")

    def __init__(self, name: Hashable, unobserved: Mapping[Key, Value_co]) -> None:
        self._name = name
        self.unobserved = unobserved
        """The same mapping, for what compares editions."""

    def __getitem__(self, key: Key) -> Value_co:
        note((self._name, key))
        return self.unobserved[key]

    @overload
    def get(self, key: Key, /) -> Value_co | None: ...
    @overload
    def get(self, key: Key, /, default: Value_co | Default) -> Value_co | Default: ...
    def get(self, key: Key, /, default: object = None) -> object:
        """Return a value, or the default."""
        note((self._name, key))
        return self.unobserved.get(key, default)

    def __contains__(self, key: object) -> bool:
        note((self._name, key))
        return key in self.unobserved

    def __bool__(self) -> bool:
        note((self._name, EMPTINESS))
        return bool(self.unobserved)

    def __iter__(self) -> Iterator[Key]:
        return iter(self.whole)

    def __len__(self) -> int:
        return len(self.whole)

    def keys(self) -> KeysView[Key]:
        """Return all keys."""
        return self.whole.keys()

    def values(self) -> ValuesView[Value_co]:
        """Return all values."""
        return self.whole.values()

    def items(self) -> ItemsView[Key, Value_co]:
        """Return all keys with their values."""
        return self.whole.items()

    @property
    def whole(self) -> Mapping[Key, Value_co]:
        """All of it, which counts as read."""
        note((self._name, ALL))
        return self.unobserved


class ObservedSet(AbstractSet[Key], Generic[Key]):
    """A set by `name` that notes what is looked up; who iterates reads all of it."""

    __slots__ = ("_name", "unobserved")

    def __init__(self, name: Hashable, unobserved: AbstractSet[Key]) -> None:
        self._name = name
        self.unobserved = unobserved
        """The same set, for what compares editions."""

    def __contains__(self, key: object) -> bool:
        note((self._name, key))
        return key in self.unobserved

    def __iter__(self) -> Iterator[Key]:
        note((self._name, ALL))
        return iter(self.unobserved)

    def __len__(self) -> int:
        note((self._name, ALL))
        return len(self.unobserved)


def whole(mapping: Mapping[Key, Value]) -> Mapping[Key, Value]:
    """Return a mapping whose keys are read without a note each; all of it counts as read."""
    return mapping.whole if isinstance(mapping, ObservedMapping) else mapping
