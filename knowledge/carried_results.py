"""Carries shared results over to the next snapshot, and tells which of them an edit touches."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from knowledge.content_view import SharedKey
from knowledge.reads import Key
from knowledge.shared_results import SharedResult
from knowledge.snapshot import Snapshot
from knowledge.touched import Touched

log = logging.getLogger(__name__)


def with_shared_results(
    touched: Touched, before: Snapshot, after: Snapshot, now: datetime
) -> Touched:
    """Return what an edit touches, with the shared results that differ after it.

    No result of `before` is kept any more, as it would not be compared.
    """
    known = before.shared.close(before.next_change_at(now))
    if touched.everything:
        return touched
    carrying = _Carrying(touched.keys, known, after, now)
    return replace(touched, keys=touched.keys.union(filter(carrying.touches, known)))


@dataclass(frozen=True, eq=False, slots=True)
class _Carrying:
    """The comparison of all shared results after one edit."""

    touched: frozenset[Key]
    before: Mapping[Key, SharedResult]
    after: Snapshot
    now: datetime
    told: dict[Key, bool] = field(default_factory=dict)

    def touches(self, key: Key) -> bool:
        """Return whether what was read differs; shared results are compared once."""
        if not isinstance(key, SharedKey):
            return key in self.touched
        if key not in self.told:
            self.told[key] = self._differs(key)
        return self.told[key]

    def _differs(self, key: SharedKey) -> bool:
        """Compare a result with what it is now, unless nothing of what it read was touched."""
        known = self.before.get(key)
        if known is None:
            return True
        if not any(map(self.touches, known.reads)):
            self.after.shared.keep(key, self.after.next_change_at(self.now), known)
            return False
        try:
            return not _is_same(known.value, key.value(self.after, self.now))
        except Exception:  # whoever asks for the page gets the error
            log.debug("A result that pages share cannot be made any more", exc_info=True)
            return True


def _is_same(before: object, after: object) -> bool:
    """Return whether two results look the same too, unlike the equal amounts 1.0 and 1.00."""
    return before == after and repr(before) == repr(after)
