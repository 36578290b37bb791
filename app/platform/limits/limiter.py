"""The limiter: counts requests in memory, or in Redis as long as it answers.

Meanwhile a process takes its share of what a limit leaves, and counts in Redis later what it
counted alone. A command that takes too long is not cancelled: its count arrives late.

Every request is counted here, also if Redis counts it too: should Redis not answer in time, the
process decides by the last shared count and its own requests since. A count takes 0.7 µs; that of
`limits.aio` takes 6.6 µs, sweeps all keys, and does not bound their number.
"""

import asyncio
import logging
from collections import OrderedDict, defaultdict
from collections.abc import Coroutine, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from app.platform.clock import Ticks
from app.platform.concurrency.guards import CircuitBreaker, finishes_within, is_cancelled
from app.platform.limits.rate_limits import Bucket, Count, NotCounted, SharedStore
from app.platform.observability.metrics import STORE_AWAY, Sample

log = logging.getLogger(__name__)

BUDGET_SECONDS = 0.25
"""How long a request waits for its count in Redis."""
SEVERAL = 3
"""After so many calls in a row without an answer in time, Redis is said to be unavailable."""
RETRY_SECONDS = 1.0
"""Interval between trial calls to a Redis that did not answer in time."""
REGISTER_SECONDS = 5.0
"""How often a process tells the others that it is alive."""

Result = TypeVar("Result")


class Limiter:
    """Counts requests. It never raises, and waits for Redis no longer than `budget_seconds`.

    Requests of a bucket with patience wait so long, also while Redis is too slow for all others.
    """

    def __init__(
        self, ticks: Ticks, redis_url: str = "", budget_seconds: float = BUDGET_SECONDS
    ) -> None:
        self._ticks = ticks
        self._memory = MemoryStore(ticks)
        self._redis = _open_redis(redis_url) if redis_url else None
        self._budget_seconds = budget_seconds
        self._breaker = CircuitBreaker(ticks, RETRY_SECONDS)
        self._failures, self._failed_at = 0, ticks()
        self._tasks: set[asyncio.Task[Any]] = set()

    def hit_nowait(self, bucket: Bucket, client: str) -> Count | None:
        """Count a request in memory, or return None without counting if Redis has to count it."""
        if self._redis is not None and (bucket.patience_seconds or self._breaker.is_ready):
            return None
        return self._count_alone(bucket, client, 1)

    async def hit(self, bucket: Bucket, client: str, by: int = 1) -> Count:
        """Count a request of a client, or with `by=0` only return the count."""
        redis = self._redis
        if redis is None or not (bucket.patience_seconds or self._breaker.admits()):
            return self._count_alone(bucket, client, by)
        began = self._ticks()
        alone = self._memory.hit(bucket, client, by)
        shared = self._start(self._share(redis, bucket, client, by, bucket.seconds))
        in_time = await finishes_within(shared, max(self._budget_seconds, bucket.patience_seconds))
        failure = shared.exception() if in_time else NotCounted(TimeoutError.__name__)
        if failure is not None:
            self._note_failure(failure, began)
            return alone
        if self._ticks() - began <= self._budget_seconds and self._breaker.succeed():
            log.info("Redis available again; rate limits are shared")
            self._start(self._pay(redis))
        return shared.result()

    def _note_failure(self, failure: BaseException, began: float) -> None:
        """Open the breaker; an answer may be late on a busy machine, so one is no error yet.

        Calls that were under way at the failure before tell nothing new.
        """
        if self._breaker.fail():
            self._failures = 1
            log.warning("Redis did not answer (%s); this process counts alone for now", failure)
        elif began > self._failed_at:
            self._failures += 1
            if self._failures == SEVERAL:
                log.error("Redis unavailable (%s); falling back to in-process rate limits", failure)
        self._failed_at = self._ticks()

    def _count_alone(self, bucket: Bucket, client: str, by: int) -> Count:
        count = self._memory.hit(bucket, client, by)
        if by and self._redis is not None:
            self._memory.owe(bucket, client, by)
        return count

    async def _share(
        self, redis: SharedStore, bucket: Bucket, client: str, by: int, seconds: float
    ) -> Count:
        """Count in Redis; raises NotCounted, after which Redis is owed the count."""
        try:
            count, processes = await redis.hit(bucket, client, by, seconds)
        except NotCounted:
            self._memory.owe(bucket, client, by)
            raise
        self._memory.processes = processes
        self._memory.settle(count, client, by)
        return count

    async def _pay(self, redis: SharedStore) -> None:
        """Count in Redis what this process has counted alone."""
        owed = list(self._memory.take_owed())
        try:
            while owed:
                count, client = owed.pop()
                await self._share(redis, count.bucket, client, count.used, count.seconds_left)
        finally:
            for count, client in owed:
                self._memory.owe(count.bucket, client, count.used)

    async def _stay_registered(self, redis: SharedStore) -> None:
        while True:
            with suppress(NotCounted):
                await redis.register()
            if is_cancelled():  # the client of Redis may swallow a cancellation
                break
            await asyncio.sleep(REGISTER_SECONDS)

    def _start(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_done)
        return task

    def _on_done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # else asyncio logs that it was never retrieved

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the metrics of Redis, if it is configured."""
        if self._redis is not None:
            yield STORE_AWAY, ("redis",), float(self._breaker.is_open)

    async def __aenter__(self) -> Self:
        if self._redis is not None:
            self._start(self._stay_registered(self._redis))
        return self

    async def __aexit__(self, *_: object) -> None:
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._redis is not None:
            await self._redis.close(is_available=not self._breaker.is_open)


def _open_redis(url: str) -> SharedStore:
    # Its client takes long to load, and most services have no Redis.
    from app.platform.limits.redis_store import RedisStore  # noqa: PLC0415

    return RedisStore(url)


MAX_CLIENTS = 100_000
"""Maximum number of clients in a bucket, about 20 MB; then the oldest window is evicted."""


@dataclass(slots=True)
class _Window:
    ends_at: float
    shared: int = 0
    """The last count that all processes share; 0 without Redis."""
    own: int = 0
    """Requests of this process that are not in `shared`, among them those on their way to it."""
    owed: int = 0
    """Requests that were not sent to Redis."""


class MemoryStore:
    """Fixed windows by client. All windows of a bucket have one length: the oldest ends first.

    Each of the live `processes` has its share of what a limit leaves: a request that only this
    process counts stands for one of each.
    """

    def __init__(self, ticks: Ticks, max_clients: int = MAX_CLIENTS) -> None:
        self._ticks = ticks
        self._max_clients = max_clients
        self._buckets: defaultdict[Bucket, OrderedDict[str, _Window]] = defaultdict(OrderedDict)
        self.processes = 1

    def hit(self, bucket: Bucket, client: str, by: int = 1) -> Count:
        """Count a request, or with `by=0` only return the count; not a coroutine, and so atomic."""
        window = self._window(bucket, client)
        if window is None:
            if not by:
                return Count(bucket, 0, bucket.seconds)
            window = self._open(bucket, client, bucket.seconds)
        window.own += by
        # The share of a process is one request at least, as long as any is left.
        share = min(self.processes, max(1, bucket.limit - window.shared))
        used = window.shared + window.own * share
        return Count(bucket, used, window.ends_at - self._ticks())

    def owe(self, bucket: Bucket, client: str, by: int) -> None:
        """Note that counted requests were not sent to Redis, or not counted there."""
        window = self._window(bucket, client)
        if window is not None:
            window.owed += by

    def take_owed(self) -> Iterator[tuple[Count, str]]:
        """Yield what is owed to Redis, with its client; it is owed no more."""
        now = self._ticks()
        for bucket, windows in self._buckets.items():
            for client, window in tuple(windows.items()):
                owed, window.owed = window.owed, 0
                if owed and window.ends_at > now:
                    yield Count(bucket, owed, window.ends_at - now), client

    def settle(self, count: Count, client: str, by: int) -> None:
        """Note the shared count, in which `by` of our own requests are included."""
        window = self._window(count.bucket, client)
        if window is None:
            if not count.used:
                return
            window = self._open(count.bucket, client, count.seconds_left)
        window.own = max(0, window.own - by)
        window.shared = count.used
        window.ends_at = self._ticks() + count.seconds_left

    def _window(self, bucket: Bucket, client: str) -> _Window | None:
        """Return the window of a client that has not ended."""
        window = self._buckets[bucket].get(client)
        return None if window is None or window.ends_at <= self._ticks() else window

    def _open(self, bucket: Bucket, client: str, seconds: float) -> _Window:
        """Open a window; those that have ended go, and the oldest ones above the maximum."""
        now, windows = self._ticks(), self._buckets[bucket]
        windows.pop(client, None)
        window = windows[client] = _Window(now + seconds)
        while windows and (
            len(windows) > self._max_clients or next(iter(windows.values())).ends_at <= now
        ):
            windows.popitem(last=False)
        return window

    def __len__(self) -> int:
        return sum(map(len, self._buckets.values()))
