"""Comparison of two mappings by the identity of their values.

Of two that were edited from the same one, only the edits are compared; else it takes 2 ms for
50,000 in equal order.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from operator import is_, is_not
from typing import TypeVar

from knowledge.edits.edited_mapping import base_and_edits
from knowledge.edits.long_comparison import all_pairs, selected
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
    (base, old), (other, new) = base_and_edits(before), base_and_edits(after)
    if base is other:
        return {key for key in old.keys() | new.keys() if before[key] is not after[key]}
    # Without a loop in Python, as an edit that adds a document compares all of them several times.
    if _in_same_order(before, after):
        return set(selected(after, map(is_not, before.values(), after.values())))
    changed = set(selected(after, map(is_not, after.values(), map(before.get, after))))
    return changed if before.keys() == after.keys() else changed | (before.keys() - after.keys())


def have_same_keys(before: Mapping[Key, object], after: Mapping[Key, object]) -> bool:
    """Return whether no key came or went."""
    before, after = whole(before), whole(after)
    (base, _), (other, _) = base_and_edits(before), base_and_edits(after)
    return base is other or _in_same_order(before, after) or before.keys() == after.keys()


def _in_same_order(before: Mapping[Key, object], after: Mapping[Key, object]) -> bool:
    """Return whether the keys are the same objects in the same order, as in an edited copy."""
    return len(before) == len(after) and all_pairs(is_, before, after)
