"""Comparison of two mappings by the identity of their values."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from itertools import compress
from operator import is_not
from typing import TypeVar

from knowledge.edits.observed import whole

Key = TypeVar("Key")
Value = TypeVar("Value")


def changed_keys(before: Mapping[Key, Value], after: Mapping[Key, Value]) -> AbstractSet[Key]:
    """Return the keys that were added or removed, or whose value is another object.

    If there were none before, they are in the order of `after`, in which their values are found in
    memory faster than in that of a set.

    >>> one, other = object(), object()
    >>> sorted(changed_keys({"a": one, "b": one, "gone": one}, {"a": one, "b": other, "new": one}))
    ['b', 'gone', 'new']
    >>> list(changed_keys({}, {"b": one, "a": one}))
    ['b', 'a']
    """
    if before is after:
        return frozenset()
    before, after = whole(before), whole(after)
    if not before:
        return after.keys()
    # Without a loop in Python, as an edit compares a dozen mappings of all documents.
    changed = set(compress(after, map(is_not, after.values(), map(before.get, after))))
    return changed | (before.keys() - after.keys())


def have_same_keys(before: Mapping[Key, object], after: Mapping[Key, object]) -> bool:
    """Return whether no key came or went."""
    return whole(before).keys() == whole(after).keys()
