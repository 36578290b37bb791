"""Carries shared results over an edit or a scheduled change, and tells which of them it touches."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from knowledge.edits.reads import Key, SharedResult
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import SharedKey
from knowledge.views.touched import Touched, touched_by_schedule

log = logging.getLogger(__name__)


def with_shared_results(
    touched: Touched, before: Snapshot, after: Snapshot, now: datetime
) -> Touched:
    """Return what an edit touches, with the shared results that differ after it.

    No result of `before` is kept any more, as it would not be compared.
    """
    known = before.shared.close(before.next_change_at(now))

    def differs(key: SharedKey) -> bool:
        try:
            return not _is_same(known[key].value, key.value(after, now))
        except Exception:  # whoever asks for the page gets the error
            log.debug("A result that pages share cannot be made any more", exc_info=True)
            return True

    return _carried(touched, known, after, now, differs)


def touched_between(snapshot: Snapshot, since: datetime, now: datetime) -> Touched:
    """Return what the schedule touches, with the shared results that may differ after it.

    They are not made again to compare them, because requests wait meanwhile.
    """
    known = snapshot.shared.until(snapshot.next_change_at(since))
    touched = touched_by_schedule(snapshot, since, now)
    return _carried(touched, known, snapshot, now, lambda _: True)


def _carried(
    touched: Touched,
    known: Mapping[Key, SharedResult],
    after: Snapshot,
    now: datetime,
    differs: Callable[[SharedKey], bool],
) -> Touched:
    if touched.everything:
        return touched
    carrying = _Carrying(touched.keys, known, after, now, differs)
    return replace(touched, keys=touched.keys.union(filter(carrying.touches, known)))


@dataclass(frozen=True, eq=False, slots=True)
class _Carrying:
    """The shared results after one change; `differs` compares one of which a part was touched."""

    touched: frozenset[Key]
    before: Mapping[Key, SharedResult]
    after: Snapshot
    now: datetime
    differs: Callable[[SharedKey], bool]
    told: dict[Key, bool] = field(default_factory=dict)

    def touches(self, key: Key) -> bool:
        """Return whether what was read differs; shared results are compared once."""
        if not isinstance(key, SharedKey):
            return key in self.touched
        if key not in self.told:
            self.told[key] = self._has_changed(key)
        return self.told[key]

    def _has_changed(self, key: SharedKey) -> bool:
        """Return whether a result may differ; carry it over if nothing that it read was touched."""
        known = self.before.get(key)
        if known is None:
            return True
        if any(map(self.touches, known.reads)):
            return self.differs(key)
        until = self.after.next_change_at(self.now)
        return self.after.shared.keep(key, until, known) is None


def _is_same(before: object, after: object) -> bool:
    """Return whether two results look the same too, unlike the equal amounts 1.0 and 1.00."""
    return before == after and repr(before) == repr(after)
