"""Shared results: what many pages of a snapshot use, such as the footer of a locale.

A page that uses one notes its key, not what the result was made from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from threading import Lock

from knowledge.edits.reads import Key

Until = datetime | None
"""The scheduled change up to which a result holds; None if there is none."""


@dataclass(frozen=True, eq=False, slots=True)
class SharedResult:
    """A result, and what it was made from. It is shared; do not mutate it."""

    value: object
    reads: frozenset[Key]


class SharedResults:
    """The results of one snapshot."""

    def __init__(self) -> None:
        self._known: dict[tuple[Key, Until], SharedResult] = {}
        self._is_closed = False
        self._lock = Lock()

    def find(self, key: Key, until: Until) -> SharedResult | None:
        """Return a result that holds up to that change, or None."""
        return self._known.get((key, until))

    def keep(self, key: Key, until: Until, result: SharedResult) -> SharedResult | None:
        """Keep a result, and return the one that is kept; None if it is too late for any."""
        with self._lock:
            return None if self._is_closed else self._known.setdefault((key, until), result)

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
