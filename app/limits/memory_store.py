"""Counts in the memory of this process."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from dataclasses import dataclass

from app.clock import Ticks
from app.limits.bucket import Bucket, Count

MAX_CLIENTS = 100_000
"""Clients remembered in a bucket, about 20 MB; beyond that the one whose window ends first goes."""


@dataclass(slots=True)
class _Window:
    ends_at: float
    used: int = 0


class MemoryStore:
    """Fixed windows by client; all of a bucket are equally long, so the oldest ends first."""

    def __init__(self, ticks: Ticks, max_clients: int = MAX_CLIENTS) -> None:
        self._ticks = ticks
        self._max_clients = max_clients
        self._buckets: defaultdict[Bucket, OrderedDict[str, _Window]] = defaultdict(OrderedDict)

    def hit(self, bucket: Bucket, client: str) -> Count:
        """Count a request; nothing is awaited between reading and writing."""
        now = self._ticks()
        windows = self._buckets[bucket]
        window = windows.get(client)
        if window is None or window.ends_at <= now:
            window = self._open(windows, client, now + bucket.seconds)
            self._forget(windows, now)
        window.used += 1
        return Count(bucket, window.used, window.ends_at - now)

    def peek(self, bucket: Bucket, client: str) -> Count:
        """How often a client has asked so far; nothing is counted."""
        now = self._ticks()
        windows = self._buckets.get(bucket)
        window = windows.get(client) if windows else None
        if window is None or window.ends_at <= now:
            return Count(bucket, 0, bucket.seconds)
        return Count(bucket, window.used, window.ends_at - now)

    def _open(self, windows: OrderedDict[str, _Window], client: str, ends_at: float) -> _Window:
        windows.pop(client, None)
        window = windows[client] = _Window(ends_at)
        return window

    def _forget(self, windows: OrderedDict[str, _Window], now: float) -> None:
        """Drop what has ended, and what is too much."""
        while windows and (
            len(windows) > self._max_clients or next(iter(windows.values())).ends_at <= now
        ):
            windows.popitem(last=False)

    def __len__(self) -> int:
        return sum(map(len, self._buckets.values()))
