"""The watchdog: it detects a database that hangs, and tolerates one that is slow."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context
from dataclasses import dataclass, field
from typing import TypeVarTuple

import pytest
from busy_loop import block
from live.server import until
from sqlalchemy import update
from stores.postgresql import PostgreSQL

from app.features.orders.store import order_counter
from app.platform.database import StoreUnavailable
from app.platform.database.database import Database
from app.platform.database.postgresql import Watchdog
from app.platform.observability.metrics import STORE_AWAY
from app.tables import all_tables


@dataclass
class Server:
    """A database that answers probes while `answering` is set."""

    answering: asyncio.Event = field(default_factory=asyncio.Event)
    calls: list[str] = field(default_factory=list)
    probes: int = 0
    max_concurrent: int = 0

    async def probe(self) -> None:
        """Count concurrent probes, and wait for `answering`."""
        self.probes += 1
        self.max_concurrent = max(self.max_concurrent, self.probes)
        try:
            await self.answering.wait()
        finally:
            self.probes -= 1

    def watchdog(self) -> Watchdog:
        """Create a watchdog that records its callbacks."""
        return Watchdog(
            self.probe, lambda: self.calls.append("hangs"), lambda: self.calls.append("answers")
        )


async def wait_forever(watchdog: Watchdog) -> None:
    """Run a transaction that receives no answer."""
    async with watchdog.guarded():
        await asyncio.Event().wait()


async def test_transactions_on_a_hanging_database_are_ended() -> None:
    """New ones are refused at once, until a probe is answered; probes do not overlap."""
    server = Server()
    watchdog = server.watchdog()
    waiting = [wait_forever(watchdog) for _ in range(25)]
    errors = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 30)
    assert {type(error) for error in errors} == {TimeoutError}
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(wait_forever(watchdog), 0)
    assert server.calls == ["hangs"]
    server.answering.set()
    await until(lambda: server.calls[-1] == "answers")
    async with watchdog.guarded():
        pass
    assert server.calls == ["hangs", "answers"]
    assert server.max_concurrent == 1
    await watchdog.close()


Arguments = TypeVarTuple("Arguments")


class InterruptedLoop(asyncio.SelectorEventLoop):
    """An event loop whose process does not run for a moment after it has started a timer."""

    def call_later(
        self,
        delay: float,
        callback: Callable[[*Arguments], object],
        *args: *Arguments,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Start a timer, and block."""
        timer = super().call_later(delay, callback, *args, context=context)
        block(0.05)
        return timer


def test_a_hang_is_detected_although_the_process_was_interrupted() -> None:
    """The timer of a transaction may seem to end early; no other transaction would help."""

    async def wait_for_end() -> None:
        server = Server()
        watchdog = server.watchdog()
        async with asyncio.timeout(10):
            with pytest.raises(TimeoutError):
                await wait_forever(watchdog)
            assert server.calls == ["hangs"]
        await watchdog.close()

    with asyncio.Runner(loop_factory=InterruptedLoop) as runner:
        runner.run(wait_for_end())


async def test_a_slow_transaction_is_not_ended() -> None:
    """As long as the database answers probes."""
    server = Server()
    server.answering.set()
    watchdog = server.watchdog()
    async with watchdog.guarded():
        await until(lambda: server.max_concurrent)
    assert server.calls == []
    await watchdog.close()


async def test_an_answer_to_another_transaction_counts() -> None:
    """Only the probe may have been lost."""
    server = Server()
    watchdog = server.watchdog()
    slow = asyncio.create_task(wait_forever(watchdog))
    await until(lambda: server.max_concurrent)
    while server.probes:
        async with watchdog.guarded():
            await asyncio.sleep(0.01)
    assert server.calls == []
    slow.cancel()
    await asyncio.wait({slow})
    await watchdog.close()


async def test_a_server_is_not_away_because_this_process_was_suspended(
    postgresql: PostgreSQL,
) -> None:
    """It may be suspended while it connects, for longer than a connection may take."""
    async with Database(postgresql.new_database(), wait_seconds=1, tables=all_tables) as database:
        connecting = asyncio.create_task(database.revision())
        await asyncio.sleep(0)
        asyncio.get_running_loop().call_soon(block, 1.5)
        assert await connecting is None


async def test_a_hang_leaves_no_task_and_no_broken_connection(postgresql: PostgreSQL) -> None:
    """It may occur during transactions, during connecting and during a commit."""
    async with Database(postgresql.new_database(), tables=all_tables) as database:
        await database.upgrade()
        before = asyncio.all_tasks()

        async def write(number: int) -> None:
            async with database.writing() as connection:
                await connection.execute(update(order_counter).values(last_id=number))

        await asyncio.gather(*map(write, range(10)))
        with postgresql.suspended():
            errors = await asyncio.gather(*map(write, range(40)), return_exceptions=True)
        assert {type(error) for error in errors} == {StoreUnavailable}
        await until(lambda: (STORE_AWAY, ("database",), 0.0) in database.metrics_samples())
        await asyncio.gather(*map(write, range(40)))
        await until(lambda: asyncio.all_tasks() <= before)
