"""Transaction groups: what waits for a transaction shares the next one (group commit).

A commit waits for the disk. While one is under way, further work waits, and the next transaction
takes all of it. So a process has one such writer, which never competes with itself for a lock.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from contextvars import Context
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice
from typing import Any, Self, TypeVar

from sqlalchemy import Connection

from app.platform.concurrency.executors import Overloaded
from app.platform.database import StoreUnavailable
from app.platform.database.database import Database

Item = TypeVar("Item")
Result = TypeVar("Result")
Work = Callable[[Connection, Sequence[Item]], Sequence[Result | Exception]]
"""Handles items within a transaction; returns the result of each, or the error to raise for it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Call:
    """An item that waits, what handles it, and what its caller awaits."""

    item: Any
    work: Work[Any, Any]
    result: asyncio.Future[Any]

    def end(self, result: Any) -> None:
        """Return the result to the caller, or raise it if it is an error, unless it has gone."""
        if self.result.done():
            return
        if isinstance(result, Exception):
            self.result.set_exception(result)
        else:
            self.result.set_result(result)


MOST_WAITING = 1_000
"""Callers that wait; another one is refused at once."""
GROUP_SIZE = 100
"""Items of one transaction at most, so that other processes do not wait long for their turn."""

Transact = Callable[[Callable[[Connection], Any]], Awaitable[Any]]
"""Runs work in a transaction; raises StoreUnavailable if it was not committed."""


class TransactionGroups:
    """Runs work in transactions of all who wait at a time; leaving the block waits for it."""

    def __init__(
        self, transact: Transact, span: Callable[[], AbstractContextManager[object]]
    ) -> None:
        self._transact = transact
        self._span = span
        self._waiting: dict[_Call, None] = {}
        self._running: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._running is not None:
            await self._running

    async def run(self, work: Work[Item, Result], item: Item) -> Result:
        """Handle an item in a transaction with others, and return its result after the commit.

        The items of one function are handled together, in their order. After an error each is
        handled alone, so that only its cause fails. Raises StoreUnavailable, and Overloaded if too
        many wait.
        """
        if len(self._waiting) >= MOST_WAITING:
            raise Overloaded
        call = _Call(item, work, asyncio.get_running_loop().create_future())
        self._waiting[call] = None
        if self._running is None:
            # Its spans and log lines belong to none of the callers.
            self._running = asyncio.create_task(self._run_all(), context=Context())
        try:
            with self._span():
                result: Result = await call.result
        finally:
            self._waiting.pop(call, None)
        return result

    async def _run_all(self) -> None:
        """Run until nothing waits."""
        try:
            while self._waiting:
                await self._run_group(self._next_group())
        finally:
            self._running = None

    def _next_group(self) -> list[_Call]:
        """Take the calls that came first, without those whose callers have given up."""
        group = [*islice(self._waiting, GROUP_SIZE)]
        for call in group:
            del self._waiting[call]
        return [call for call in group if not call.result.done()]

    async def _run_group(self, group: Sequence[_Call]) -> None:
        if not group:
            return
        try:
            results = await self._transact(partial(_handle, group))
        except StoreUnavailable:
            self._end_all(group)
        except asyncio.CancelledError:
            self._end_all(group)
            raise
        except Exception as error:
            if len(group) == 1:
                group[0].end(error)
                return
            for call in group:
                await self._run_group([call])
        else:
            for call, result in zip(group, results, strict=True):
                call.end(result)

    def _end_all(self, group: Sequence[_Call]) -> None:
        """Fail the group and all that wait: they have waited long, and would wait as long again."""
        for call in (*group, *self._waiting):
            call.end(StoreUnavailable())
        self._waiting.clear()


def _handle(group: Sequence[_Call], connection: Connection) -> list[Any]:
    results: list[Any] = []
    for work, calls in groupby(group, lambda call: call.work):
        results += work(connection, [call.item for call in calls])
    return results


def write_groups(database: Database) -> TransactionGroups:
    """Return the groups that write."""
    return TransactionGroups(database.write_group, partial(database.span, "write"))


def read_groups(database: Database) -> TransactionGroups:
    """Return the groups that only read."""
    return TransactionGroups(database.read_group, partial(database.span, "read"))
