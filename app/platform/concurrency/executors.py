"""Executors: threads for work that would block, with a limit for what waits, and a pace.

Each kind of work has its own threads, so that one kind does not wait for another. Python runs one
thread at a time, so a busy thread makes every request slower that the event loop serves meanwhile.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from typing import Self, TypeVar, cast

from app.platform.observability.metrics import EXECUTOR_QUEUED, EXECUTOR_REJECTED, Sample
from app.platform.observability.tracing import span
from knowledge.resources.errors import MajlisError

Result = TypeVar("Result")


class BoundedExecutor:
    """A thread pool with a limit on the requests that use it or wait for it.

    One request more than there are threads holds a permit; the others wait for one. With a `pace`
    the threads rest while more requests wait.
    """

    def __init__(self, name: str, threads: int, queue: int, pace: Pace | None = None) -> None:
        self.name = name
        self._pace = pace
        self._threads = threads
        self._capacity = Capacity(threads + queue)
        self._permits = asyncio.Semaphore(threads + 1)
        self._executor = ThreadPoolExecutor(threads, f"majlis-{name}")

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the metrics of the queue."""
        yield EXECUTOR_QUEUED, (self.name,), max(0, self._capacity.used - self._threads)
        yield EXECUTOR_REJECTED, (self.name,), self._capacity.rejected

    @property
    def is_crowded(self) -> bool:
        """Whether requests wait for a permit; may be asked in any thread."""
        return self._capacity.used > self._threads + 1

    async def acquire(self, client: str = "") -> Permit:
        """Wait for a permit; raises Overloaded if too many requests wait already."""
        await self._capacity.acquire(client)
        try:
            await self._permits.acquire()
        except asyncio.CancelledError:
            self._capacity.release(client)
            raise
        return Permit(self, client)

    def release(self, client: str) -> None:
        """Give a permit back; called by `Permit`."""
        self._permits.release()
        self._capacity.release(client)

    async def run(self, work: Callable[[], Result], client: str = "") -> Result:
        """Call `work` in a thread, in the context of the caller; raises Overloaded."""
        permit = current_permit.get()
        if permit is not None:
            return await self._run(work, permit)
        permit = await self.acquire(client)
        try:
            return await self._run(work, permit)
        finally:
            permit.release()

    async def _run(self, work: Callable[[], Result], permit: Permit) -> Result:
        """Call `work` in a thread that holds the permit, unless the caller is cancelled."""
        with span(f"work {self.name}"):
            is_cancelled = False
            context = copy_context()

            def call() -> Result | None:
                if self._pace and self.is_crowded and not is_cancelled:
                    self._pace.rest()
                return None if is_cancelled else context.run(work)

            future = asyncio.wrap_future(self._executor.submit(call))
            permit.hold_until_done(future)
            try:
                await asyncio.wait([future])
            finally:
                is_cancelled = True
            return cast(Result, future.result())

    def close(self) -> None:
        """Cancel queued work without waiting for work that is running."""
        self._executor.shutdown(wait=False, cancel_futures=True)


class Permit:
    """The permission to use an executor, which returns when released and no thread works for it."""

    def __init__(self, executor: BoundedExecutor, client: str) -> None:
        self.executor = executor
        self._client = client
        self._holders = 1
        self._released = False

    def release(self) -> None:
        """Release the permit; a second call has no effect."""
        if not self._released:
            self._released = True
            self._remove_holder()

    def hold_until_done(self, future: asyncio.Future[Result]) -> None:
        """Keep the permit until a future is done, even if it is released before."""
        self._holders += 1
        future.add_done_callback(self._on_done)

    def _on_done(self, future: asyncio.Future[Result]) -> None:
        if not future.cancelled():
            future.exception()  # else asyncio logs that it was never retrieved
        self._remove_holder()

    def _remove_holder(self) -> None:
        self._holders -= 1
        if not self._holders:
            self.executor.release(self._client)


current_permit: ContextVar[Permit | None] = ContextVar("current_permit", default=None)
"""The permit of the current request, if it has one."""


_SEARCHES_AT_ONCE = 32
_SEARCHES_PER_SECOND = 3
"""While searches wait for others, so many are done without a rest, and then so many a second.
The more of them, the higher the 99th percentile of cached pages: see docs/records/retrieval.md."""


class Executors:
    """The executors of one process; more threads would not get more work done."""

    def __init__(self) -> None:
        self.pages = BoundedExecutor("pages", threads=1, queue=63)
        """Pages, resources of the API, and their errors."""

        pace = Pace(_SEARCHES_AT_ONCE, _SEARCHES_PER_SECOND)
        self.searches = BoundedExecutor("searches", threads=1, queue=31, pace=pace)
        """Searches, and the suggestions of pages similar to a missing path."""

        self.maps = BoundedExecutor("maps", threads=1, queue=15)
        """Sitemaps, llms.txt, OpenAPI and `/developers`: rarely requested, and slow to render."""

        self.partners = BoundedExecutor("partners", threads=1, queue=31)
        """Partner requests, which floods of other requests must not delay."""

        self.health = BoundedExecutor("health", threads=1, queue=63)
        """Health checks of the content folder, which may be on a slow disk."""

        self.images = BoundedExecutor("images", threads=1, queue=127)
        """Making pictures; one at a time, as each may take much memory."""

        self.edits = BoundedExecutor("edits", threads=3, queue=5)
        """Reloading edited content, and compacting the search index at the same time."""

        readers = (self.pages, self.searches, self.maps, self.partners, self.health)
        self._all: tuple[BoundedExecutor, ...] = (*readers, self.images, self.edits)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for executor in self._all:
            executor.close()

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the metrics of all executors."""
        for executor in self._all:
            yield from executor.metrics_samples()


REJECTION_SECONDS = 0.1
"""Delay of the response to a rejected request. Without it, a client that retries in a loop would
keep the event loop busy with rejections."""


class Overloaded(MajlisError):
    """There is no capacity left for more requests of this kind."""

    status = 503

    def __init__(self) -> None:
        super().__init__(
            "The service is overloaded.", "Try again after the number of seconds in Retry-After."
        )


class Capacity:
    """A number of slots, of which one client may use half, so that others find free ones."""

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self.slots_per_client = max(1, slots // 2)
        self.used = 0
        self.rejected = 0
        self._used_by_client: Counter[str] = Counter()

    async def acquire(self, client: str = "") -> None:
        """Take a slot; raises Overloaded if none is free for the client, or in total."""
        is_full = self.used >= self.slots
        if is_full or self._used_by_client[client] >= self.slots_per_client:
            self.rejected += 1
            await asyncio.sleep(REJECTION_SECONDS)
            raise Overloaded
        self.used += 1
        if client:
            self._used_by_client[client] += 1

    def release(self, client: str = "") -> None:
        """Give a slot back."""
        self.used -= 1
        if client:
            self._used_by_client[client] -= 1
            if not self._used_by_client[client]:
                del self._used_by_client[client]


class Pace:
    """Allows `burst` calls without a rest, and then `per_second` (a token bucket)."""

    def __init__(
        self,
        burst: int,
        per_second: float,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._burst_seconds = burst / per_second
        self._seconds_per_call = 1 / per_second
        self._now, self._sleep = now, sleep
        self._allowed_at = now() - self._burst_seconds

    def rest(self) -> None:
        """Wait until the next call is allowed."""
        now = self._now()
        earliest = now - self._burst_seconds
        self._allowed_at = max(self._allowed_at, earliest) + self._seconds_per_call
        if self._allowed_at > now:
            self._sleep(self._allowed_at - now)
