"""Reads and edits: what something was made from, so that it is kept until an edit touches that.

Content notes a key wherever it is read: a document by type and slug, a list by its name. Whoever
keeps what was made records the keys meanwhile. What is not read through these notes depends on the
edition as a whole, and notes `EDITION`. `knowledge.views.edit_effects` tells which keys an edit
touches.
"""

from collections.abc import Hashable, ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from itertools import compress
from operator import is_not
from threading import Lock
from typing import Final, Generic, TypeVar, overload

MappingKey = TypeVar("MappingKey", bound=Hashable)
Value_co = TypeVar("Value_co", covariant=True)
Value = TypeVar("Value")
Default = TypeVar("Default")

Key = Hashable
"""What may be read and touched, such as a document or a list."""

EDITION: Final = "edition"
"""The key of what depends on all content, and on the search indexes; each edition touches it."""

CLOCK: Final = "clock"
"""The key of what tells the present state of something, such as whether it is open now."""

ALL: Final = "*"
"""Stands for all keys of a mapping."""

EMPTINESS: Final = "?"
"""Stands for whether a mapping has any key."""

_recorded: ContextVar[set[Key] | None] = ContextVar("recorded", default=None)


def reads_so_far() -> Iterable[Key] | None:
    """Return what has been read for what is being made; None if it is not recorded."""
    return _recorded.get()


def note(key: Key) -> None:
    """Note that something is read."""
    recorded = _recorded.get()
    if recorded is not None:
        recorded.add(key)


def note_all(keys: Iterable[Key]) -> None:
    """Note all that was read when a shared result was made."""
    recorded = _recorded.get()
    if recorded is not None:
        recorded.update(keys)


@contextmanager
def recording() -> Iterator[set[Key]]:
    """Record what is read inside, also in threads with this context, and nowhere else."""
    recorded: set[Key] = set()
    token = _recorded.set(recorded)
    try:
        yield recorded
    finally:
        _recorded.reset(token)


class ObservedMapping(Mapping[MappingKey, Value_co], Generic[MappingKey, Value_co]):
    """A mapping by `name` that notes what is read; who iterates reads all of it."""

    __slots__ = ("_name", "unobserved")

    def __init__(self, name: Hashable, unobserved: Mapping[MappingKey, Value_co]) -> None:
        self._name = name
        self.unobserved = unobserved
        """The same mapping, for what compares editions."""

    def __getitem__(self, key: MappingKey) -> Value_co:
        note((self._name, key))
        return self.unobserved[key]

    @overload
    def get(self, key: MappingKey, /) -> Value_co | None: ...
    @overload
    def get(self, key: MappingKey, /, default: Value_co | Default) -> Value_co | Default: ...
    def get(self, key: MappingKey, /, default: object = None) -> object:
        """Return a value, or the default."""
        note((self._name, key))
        return self.unobserved.get(key, default)

    def __contains__(self, key: object) -> bool:
        note((self._name, key))
        return key in self.unobserved

    def __bool__(self) -> bool:
        note((self._name, EMPTINESS))
        return bool(self.unobserved)

    def __iter__(self) -> Iterator[MappingKey]:
        return iter(self.whole)

    def __len__(self) -> int:
        return len(self.whole)

    def keys(self) -> KeysView[MappingKey]:
        """Return all keys."""
        return self.whole.keys()

    def values(self) -> ValuesView[Value_co]:
        """Return all values."""
        return self.whole.values()

    def items(self) -> ItemsView[MappingKey, Value_co]:
        """Return all keys with their values."""
        return self.whole.items()

    @property
    def whole(self) -> Mapping[MappingKey, Value_co]:
        """All of it, which counts as read."""
        note((self._name, ALL))
        return self.unobserved


class ObservedSet(AbstractSet[MappingKey], Generic[MappingKey]):
    """A set by `name` that notes what is looked up; who iterates reads all of it."""

    __slots__ = ("_name", "unobserved")

    def __init__(self, name: Hashable, unobserved: AbstractSet[MappingKey]) -> None:
        self._name = name
        self.unobserved = unobserved
        """The same set, for what compares editions."""

    def __contains__(self, key: object) -> bool:
        note((self._name, key))
        return key in self.unobserved

    def __iter__(self) -> Iterator[MappingKey]:
        note((self._name, ALL))
        return iter(self.unobserved)

    def __len__(self) -> int:
        note((self._name, ALL))
        return len(self.unobserved)


def whole(mapping: Mapping[MappingKey, Value]) -> Mapping[MappingKey, Value]:
    """Return a mapping whose keys are read without a note each; all of it counts as read."""
    return mapping.whole if isinstance(mapping, ObservedMapping) else mapping


def changed_keys(
    before: Mapping[MappingKey, Value], after: Mapping[MappingKey, Value]
) -> AbstractSet[MappingKey]:
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


def have_same_keys(before: Mapping[MappingKey, object], after: Mapping[MappingKey, object]) -> bool:
    """Return whether no key came or went."""
    return whole(before).keys() == whole(after).keys()


Until = datetime | None
"""The scheduled change up to which a result holds; None if there is none."""


@dataclass(frozen=True, eq=False, slots=True)
class SharedResult:
    """A result, and what it was made from. It is shared; do not mutate it."""

    value: object
    reads: frozenset[Key]


_MOST_PARTS = 1_024
"""How many parts of pages are kept, some 14 KB each: those of 140 pages."""

_KEPT_ENDS = 2


class SharedResults:
    """The results of one snapshot, and the parts of its pages that were asked for last."""

    def __init__(self) -> None:
        self._known: dict[tuple[Key, Until], SharedResult] = {}
        self._parts: dict[tuple[Key, Until], SharedResult] = {}
        self._ends: dict[Until, None] = {}
        self._is_closed = False
        self._lock = Lock()

    def find(self, key: Key, until: Until) -> SharedResult | None:
        """Return a result that holds up to that change, or None."""
        return self._known.get((key, until))

    def keep(self, key: Key, until: Until, result: SharedResult) -> SharedResult | None:
        """Keep a result, and return the one that is kept; None if it is too late for any."""
        with self._lock:
            if self._is_closed:
                return None
            self._forget_all_before(until)
            return self._known.setdefault((key, until), result)

    def _forget_all_before(self, until: Until) -> None:
        """Leave those that hold up to this change, and those of the change before it."""
        self._ends[until] = None
        if len(self._ends) > _KEPT_ENDS:
            del self._ends[next(iter(self._ends))]
            self._known = {key: each for key, each in self._known.items() if key[1] in self._ends}

    def part(self, key: Key, until: Until) -> SharedResult | None:
        """Return a part of a page that holds up to that change, or None."""
        return self._parts.get((key, until))

    def keep_part(self, key: Key, until: Until, part: SharedResult) -> None:
        """Keep a part of a page, in place of the one that was kept first if there are many."""
        with self._lock:
            self._parts[key, until] = part
            if len(self._parts) > _MOST_PARTS:
                del self._parts[next(iter(self._parts))]

    def parts(self, until: Until) -> Mapping[Key, SharedResult]:
        """Return the parts of pages that hold up to that change."""
        with self._lock:
            return {key: part for (key, end), part in self._parts.items() if end == until}

    def until(self, until: Until) -> Mapping[Key, SharedResult]:
        """Return the results that hold up to that change."""
        with self._lock:
            return {key: result for (key, end), result in self._known.items() if end == until}

    def close(self, until: Until) -> Mapping[Key, SharedResult]:
        """Return the results that hold up to that change; no other is kept from now on.

        The next edition is compared with these. What was kept later would never be.
        """
        with self._lock:
            self._is_closed = True
        return self.until(until)
