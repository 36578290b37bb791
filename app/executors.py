"""Executors: threads for work that would block the event loop, each with a bounded queue.

Each kind of work has threads of its own, so that none waits for another kind.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Self, TypeVar, cast

from app.metrics import EXECUTOR_QUEUED, EXECUTOR_REJECTED, Figure
from knowledge.errors import KnowledgeError

Result = TypeVar("Result")

REJECTION_SECONDS = 0.25
"""How long a rejected request waits for its answer. A client that asks again at once, in a loop,
would otherwise keep the event loop busy with rejections."""


class Overloaded(KnowledgeError):
    """The queue for this kind of work is full."""

    def __init__(self) -> None:
        super().__init__(
            "The service has too much to do at the moment.",
            "Try again after the seconds in Retry-After.",
        )


class BoundedExecutor:
    """A fixed number of threads, and a fixed number of calls that may wait for them.

    One client may have half of all calls, so that the others find room.
    """

    def __init__(self, name: str, threads: int, queue: int) -> None:
        self.name = name
        self.capacity = threads + queue
        self.share = max(1, self.capacity // 2)
        self.rejected = 0
        self._threads = threads
        self._calls = 0
        self._calls_by_client: Counter[str] = Counter()
        self._executor = ThreadPoolExecutor(threads, f"majlis-{name}")

    @property
    def queued(self) -> int:
        """How many calls wait for a thread."""
        return max(0, self._calls - self._threads)

    async def run(self, work: Callable[[], Result], client: str = "") -> Result:
        """Call `work` in a thread, in the context of the caller; raises Overloaded.

        Without a client's name only the queue as a whole is bounded. A call whose caller is
        cancelled does nothing, but counts until a thread has taken it from the queue: clients that
        disconnect cannot make the queue longer.
        """
        if self._is_full(client):
            self.rejected += 1
            await asyncio.sleep(REJECTION_SECONDS)
            raise Overloaded
        is_wanted = True
        context = copy_context()

        def call() -> Result | None:
            return context.run(work) if is_wanted else None

        answer = asyncio.wrap_future(self._executor.submit(call))
        self._enter(client)
        answer.add_done_callback(lambda each: self._leave(client, each))
        try:
            await asyncio.wait([answer])
        finally:
            is_wanted = False
        return cast(Result, answer.result())

    def close(self) -> None:
        """Drop what waits, and do not wait for what is under way."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _is_full(self, client: str) -> bool:
        return self._calls >= self.capacity or self._calls_by_client[client] >= self.share

    def _enter(self, client: str) -> None:
        self._calls += 1
        if client:
            self._calls_by_client[client] += 1

    def _leave(self, client: str, answer: asyncio.Future[Result | None]) -> None:
        if not answer.cancelled():
            answer.exception()  # where the caller is gone nobody else looks at it
        self._calls -= 1
        if client:
            self._calls_by_client[client] -= 1
            if not self._calls_by_client[client]:
                del self._calls_by_client[client]


class Executors:
    """The executors of one process.

    Python runs one thread at a time. More threads would do no more work; they would only keep the
    event loop waiting longer.
    """

    def __init__(self) -> None:
        self.pages = BoundedExecutor("pages", threads=1, queue=64)
        """Pages, resources of the API, and their errors."""

        self.searches = BoundedExecutor("searches", threads=1, queue=32)
        """Searches, and the search for pages near to a missing path."""

        self.maps = BoundedExecutor("maps", threads=1, queue=16)
        """Maps, the OpenAPI document and the manual: seldom asked for, and slow to make."""

        self.health = BoundedExecutor("health", threads=1, queue=64)
        """Looking at the content folder, which may be on a slow disk."""

        self.edits = BoundedExecutor("edits", threads=3, queue=8)
        """Reading what was edited, and making the search index meanwhile."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for each in self._all():
            each.close()

    def figures(self) -> Iterator[Figure]:
        """What metrics tell of the executors."""
        for each in self._all():
            yield EXECUTOR_QUEUED, (each.name,), each.queued
            yield EXECUTOR_REJECTED, (each.name,), each.rejected

    def _all(self) -> tuple[BoundedExecutor, ...]:
        return self.pages, self.searches, self.maps, self.health, self.edits
