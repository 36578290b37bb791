"""The watchdog: a database that hangs is found out, one that is slow is left in peace."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest
from live.server import until
from sqlalchemy import update
from stores.postgresql import PostgreSQL

from app.database.database import Database
from app.database.errors import StoreUnavailable
from app.database.watchdog import Watchdog
from app.orders.tables import order_counter


@dataclass
class Server:
    """A database that answers probes while `answering` is set."""

    answering: asyncio.Event = field(default_factory=asyncio.Event)
    told: list[str] = field(default_factory=list)
    probes: int = 0
    most_at_once: int = 0

    async def probe(self) -> None:
        """One probe at a time."""
        self.probes += 1
        self.most_at_once = max(self.most_at_once, self.probes)
        try:
            await self.answering.wait()
        finally:
            self.probes -= 1

    def watched(self) -> Watchdog:
        """Its watchdog."""
        return Watchdog(
            self.probe, lambda: self.told.append("hangs"), lambda: self.told.append("answers")
        )


async def wait_for_ever(watchdog: Watchdog) -> None:
    """A transaction that gets no answer."""
    async with watchdog.guarded():
        await asyncio.Event().wait()


async def test_what_waits_for_a_hanging_database_is_ended() -> None:
    """New ones are refused at once, until one probe at a time finds that it answers."""
    server = Server()
    watchdog = server.watched()
    waiting = [wait_for_ever(watchdog) for _ in range(25)]
    ended = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 30)
    assert {type(each) for each in ended} == {TimeoutError}
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(wait_for_ever(watchdog), 0)
    assert server.told == ["hangs"]
    server.answering.set()
    await until(lambda: not watchdog.is_hanging)
    async with watchdog.guarded():
        pass
    assert server.told == ["hangs", "answers"]
    assert server.most_at_once == 1
    await watchdog.close()


async def test_a_slow_transaction_is_left_in_peace() -> None:
    """As long as the database answers probes."""
    server = Server()
    server.answering.set()
    watchdog = server.watched()
    async with watchdog.guarded():
        await until(lambda: server.most_at_once)
    assert server.told == []
    await watchdog.close()


async def test_an_answer_to_another_transaction_is_an_answer() -> None:
    """The probe alone may have been lost."""
    server = Server()
    watchdog = server.watched()
    slow = asyncio.create_task(wait_for_ever(watchdog))
    await until(lambda: server.most_at_once)
    while server.probes:
        async with watchdog.guarded():
            await asyncio.sleep(0.01)
    assert server.told == []
    slow.cancel()
    await asyncio.wait({slow})
    await watchdog.close()


async def test_a_hang_leaves_no_task_and_no_broken_connection(postgresql: PostgreSQL) -> None:
    """In the middle of transactions, of connecting, and of a commit."""
    async with Database(postgresql.new_database()) as database:
        await database.upgrade()
        before = asyncio.all_tasks()

        async def write(number: int) -> None:
            async with database.writing() as connection:
                await connection.execute(update(order_counter).values(last_id=number))

        await asyncio.gather(*map(write, range(10)))
        with postgresql.suspended():
            ended = await asyncio.gather(*map(write, range(40)), return_exceptions=True)
        assert {type(each) for each in ended} == {StoreUnavailable}
        await until(lambda: not any(figure[2] for figure in database.metrics_samples()))
        await asyncio.gather(*map(write, range(40)))
        await until(lambda: asyncio.all_tasks() <= before)
