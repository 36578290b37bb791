"""Executors: threads for work that would block the event loop, each with a bounded queue.

Each kind of work has threads of its own, so that none waits for another kind.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from typing import Self, TypeVar, cast

from app.concurrency.capacity import Capacity
from app.observability.metrics import EXECUTOR_QUEUED, EXECUTOR_REJECTED, Sample

Result = TypeVar("Result")


class BoundedExecutor:
    """A number of threads, and a number of requests that may use them or wait for that.

    Only one request more than there are threads has its turn at a time: the others wait where they
    cost the event loop nothing.
    """

    def __init__(self, name: str, threads: int, queue: int) -> None:
        self.name = name
        self._threads = threads
        self._capacity = Capacity(threads + queue)
        self._turns = asyncio.Semaphore(threads + 1)
        self._executor = ThreadPoolExecutor(threads, f"majlis-{name}")

    def metrics_samples(self) -> Iterator[Sample]:
        """What metrics tell of the queue."""
        yield EXECUTOR_QUEUED, (self.name,), max(0, self._capacity.used - self._threads)
        yield EXECUTOR_REJECTED, (self.name,), self._capacity.rejected

    async def turn(self, client: str = "") -> Turn:
        """Wait for the turn of a request; raises Overloaded where too many wait already."""
        await self._capacity.take(client)
        try:
            await self._turns.acquire()
        except asyncio.CancelledError:
            self._capacity.free(client)
            raise
        return Turn(self, client)

    def end_turn(self, client: str) -> None:
        """Let the next request have its turn."""
        self._turns.release()
        self._capacity.free(client)

    async def run(self, work: Callable[[], Result], client: str = "") -> Result:
        """Call `work` in a thread, in the context of the caller; raises Overloaded.

        In the turn of a request nothing else is waited for.
        """
        turn = current_turn.get()
        if turn is not None:
            return await self._run(work, turn)
        turn = await self.turn(client)
        try:
            return await self._run(work, turn)
        finally:
            turn.end()

    async def _run(self, work: Callable[[], Result], turn: Turn) -> Result:
        """What nobody waits for any more is not done, but is in its turn until that is found."""
        is_wanted = True
        context = copy_context()

        def call() -> Result | None:
            return context.run(work) if is_wanted else None

        answer = asyncio.wrap_future(self._executor.submit(call))
        turn.extend_until(answer)
        try:
            await asyncio.wait([answer])
        finally:
            is_wanted = False
        return cast(Result, answer.result())

    def close(self) -> None:
        """Drop what waits, and do not wait for what is under way."""
        self._executor.shutdown(wait=False, cancel_futures=True)


class Turn:
    """The time in which a request may use an executor.

    It is over when it was ended and no thread works for it any more.
    """

    def __init__(self, executor: BoundedExecutor, client: str) -> None:
        self.executor = executor
        self._client = client
        self._open = 1
        self._ended = False

    def end(self) -> None:
        """End it; again has no effect."""
        if not self._ended:
            self._ended = True
            self._close()

    def extend_until(self, answer: asyncio.Future[Result]) -> None:
        """Let it last until a thread has answered."""
        self._open += 1
        answer.add_done_callback(self._answered)

    def _answered(self, answer: asyncio.Future[Result]) -> None:
        if not answer.cancelled():
            answer.exception()  # where the caller is gone nobody else looks at it
        self._close()

    def _close(self) -> None:
        self._open -= 1
        if not self._open:
            self.executor.end_turn(self._client)


current_turn: ContextVar[Turn | None] = ContextVar("current_turn", default=None)
"""The turn of the current request, where it has one."""


class Executors:
    """The executors of one process.

    Python runs one thread at a time. More threads would do no more work, but each that is busy
    makes the event loop wait longer.
    """

    def __init__(self) -> None:
        self.pages = BoundedExecutor("pages", threads=1, queue=63)
        """Pages, resources of the API, and their errors."""

        self.searches = BoundedExecutor("searches", threads=1, queue=31)
        """Searches, and the search for pages that are near to a missing path."""

        self.maps = BoundedExecutor("maps", threads=1, queue=15)
        """Maps, the OpenAPI document and the manual: seldom asked for, and slow to make."""

        self.partners = BoundedExecutor("partners", threads=1, queue=31)
        """Answers for partners, whom no flood of readers shall keep from theirs."""

        self.health = BoundedExecutor("health", threads=1, queue=63)
        """The look at the content folder, which may be on a slow disk."""

        self.edits = BoundedExecutor("edits", threads=3, queue=5)
        """Reading what was edited; meanwhile, making the search index."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for each in self._all():
            each.close()

    def metrics_samples(self) -> Iterator[Sample]:
        """What metrics tell of the executors."""
        for each in self._all():
            yield from each.metrics_samples()

    def _all(self) -> tuple[BoundedExecutor, ...]:
        return self.pages, self.searches, self.maps, self.partners, self.health, self.edits
