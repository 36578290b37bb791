"""Differences: what tells one reading's mapping from the next one's."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


def changed_keys(before: Mapping[Key, Value], after: Mapping[Key, Value]) -> AbstractSet[Key]:
    """The keys that came, went, or now lead to another object.

    >>> one, other = object(), object()
    >>> sorted(changed_keys({"a": one, "b": one, "gone": one}, {"a": one, "b": other, "new": one}))
    ['b', 'gone', 'new']
    """
    if before is after:
        return frozenset()
    known = before.get
    found = {key for key, value in after.items() if known(key) is not value}
    return found | (before.keys() - after.keys())
