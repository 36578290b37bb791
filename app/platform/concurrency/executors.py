"""Executors: threads for work that would block the event loop, with bounded queues.

Each kind of work has its own threads, so that one kind does not wait for another.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from typing import Self, TypeVar, cast

from app.platform.concurrency.capacity import Capacity
from app.platform.concurrency.pace import Pace
from app.platform.observability.metrics import EXECUTOR_QUEUED, EXECUTOR_REJECTED, Sample
from app.platform.observability.tracing import span

Result = TypeVar("Result")


_SEARCHES_AT_ONCE = 32
_SEARCHES_PER_SECOND = 3
"""While searches wait for others, so many are done without a rest, and then so many a second.
The more of them, the higher the 99th percentile of cached pages: see docs/search.md."""


class BoundedExecutor:
    """A thread pool with a limit on the requests that use it or wait for it.

    At most one request more than there are threads holds a permit. The others wait for one, at
    no cost to the event loop. With a `pace` the threads rest while more requests wait.
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
        """Call `work` in a thread, in the context of the caller; raises Overloaded.

        A request that holds a permit already does not wait for another one.
        """
        permit = current_permit.get()
        if permit is not None:
            return await self._run(work, permit)
        permit = await self.acquire(client)
        try:
            return await self._run(work, permit)
        finally:
            permit.release()

    async def _run(self, work: Callable[[], Result], permit: Permit) -> Result:
        """Call `work` in a thread, and skip it if the caller is cancelled before it starts.

        The permit is held until the thread has returned, or has skipped the work.
        """
        with span(f"work {self.name}"):
            return await self._run_in_thread(work, permit)

    async def _run_in_thread(self, work: Callable[[], Result], permit: Permit) -> Result:
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
    """The permission of a request to use an executor.

    It returns to the executor when it is released and no thread works for the request any more.
    """

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


class Executors:
    """The executors of one process.

    Python runs one thread at a time. More threads would not get more work done, but each busy
    one makes the event loop wait longer.
    """

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
