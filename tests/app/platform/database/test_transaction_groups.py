"""Transaction groups: what waits is committed together, and only what is wrong fails."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
import pytest_asyncio
from sqlalchemy import Column, Connection, Integer, MetaData, Table, func, insert, select
from sqlalchemy.exc import IntegrityError

from app.platform.concurrency.executors import Overloaded
from app.platform.database import StoreUnavailable
from app.platform.database.database import Database
from app.platform.database.transaction_groups import (
    GROUP_SIZE,
    MOST_WAITING,
    TransactionGroups,
    read_groups,
    write_groups,
)
from app.tables import all_tables

numbers = Table("numbers", MetaData(), Column("number", Integer, primary_key=True))


class Writer:
    """Inserts numbers in groups, and records the groups."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.groups = write_groups(database)
        self.tried: list[list[int]] = []

    async def insert(self, number: int) -> int:
        """Insert a number, and return it."""
        return await self.groups.run(self._insert, number)

    def _insert(self, connection: Connection, group: Sequence[int]) -> list[int | ValueError]:
        self.tried.append([*group])
        connection.execute(insert(numbers), [{"number": each} for each in group])
        return [ValueError("negative") if each < 0 else each for each in group]

    async def count(self) -> int:
        """Return how many numbers are stored."""
        async with self.database.reading() as connection:
            query = select(func.count()).select_from(numbers)
            return (await connection.execute(query)).scalar_one()


@pytest_asyncio.fixture
async def writer(database: Database) -> AsyncIterator[Writer]:
    """A writer on each kind of database."""
    async with database.writing() as connection:
        await connection.run_sync(numbers.create)
    yield Writer(database)


async def insert_all(writer: Writer, wanted: Sequence[int]) -> list[int | BaseException]:
    """Insert numbers at once; return each result or error."""
    return await asyncio.gather(*map(writer.insert, wanted), return_exceptions=True)


async def test_what_comes_at_once_is_one_transaction(writer: Writer) -> None:
    """In the order in which it came, up to the size of a group."""
    wanted = [*range(GROUP_SIZE + 5)]
    assert await insert_all(writer, wanted) == wanted
    assert writer.tried == [wanted[:GROUP_SIZE], wanted[GROUP_SIZE:]]
    assert await writer.count() == len(wanted)


async def test_only_the_cause_of_an_error_fails(writer: Writer) -> None:
    """The others are stored by a second try, each alone."""
    await writer.insert(2)
    first, second, third = await insert_all(writer, [1, 2, 3])
    assert (first, third) == (1, 3)
    assert isinstance(second, IntegrityError)
    assert await writer.count() == 3


async def test_an_error_that_is_returned_ends_no_transaction(writer: Writer) -> None:
    """It is raised for its caller alone."""
    first, second = await insert_all(writer, [1, -2])
    assert first == 1
    assert isinstance(second, ValueError)
    assert writer.tried == [[1, -2]]


async def test_what_a_caller_gave_up_before_its_turn_is_not_written(writer: Writer) -> None:
    """What was begun is written."""
    tasks = [asyncio.create_task(writer.insert(number)) for number in range(2)]
    await asyncio.sleep(0)
    tasks[0].cancel()
    await asyncio.wait(tasks)
    assert writer.tried == [[1]]
    assert await writer.count() == 1


async def test_leaving_the_block_waits_for_what_waits(writer: Writer) -> None:
    """A stop loses nothing that a caller still waits for."""
    async with writer.groups:
        tasks = [asyncio.create_task(writer.insert(number)) for number in range(3)]
        await asyncio.sleep(0)
    assert await writer.count() == 3
    assert await asyncio.gather(*tasks) == [0, 1, 2]


async def test_too_many_are_refused_at_once(database: Database) -> None:
    """Nobody waits behind a thousand others."""
    release = asyncio.Event()

    async def transact(work: object) -> list[int]:
        await release.wait()
        raise StoreUnavailable

    groups = TransactionGroups(transact, lambda: database.span("write"))
    wait = [asyncio.create_task(groups.run(_nothing, number)) for number in range(MOST_WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(Overloaded):
        await groups.run(_nothing, 0)
    release.set()
    ended = await asyncio.gather(*wait, return_exceptions=True)
    assert {type(each) for each in ended} == {StoreUnavailable}
    assert ended[0] is not ended[1]


def _nothing(_: Connection, group: Sequence[int]) -> list[int]:
    return [*group]


async def test_the_writer_waits_for_a_lock_that_others_do_not_wait_for(tmp_path: Path) -> None:
    """Ten times as long; then all that wait are refused, also those that came later."""
    file = tmp_path / "majlis.db"
    async with Database(f"sqlite:///{file}", wait_seconds=0.05, tables=all_tables) as database:
        async with database.writing() as connection:
            await connection.run_sync(numbers.create)
        writer = Writer(database)
        lock = sqlite3.connect(file, isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        waits = asyncio.create_task(writer.insert(1))
        with pytest.raises(StoreUnavailable):
            async with database.writing():
                pass
        assert not waits.done()
        lock.execute("ROLLBACK")
        assert await waits == 1
        lock.execute("BEGIN IMMEDIATE")
        refused = await insert_all(writer, range(2, GROUP_SIZE + 9))
        assert {type(each) for each in refused} == {StoreUnavailable}
        lock.close()
        assert await writer.insert(2) == 2


async def test_reads_share_a_transaction_too(writer: Writer) -> None:
    """Those that wait for a first one."""
    await writer.insert(1)
    tried: list[int] = []

    def read(connection: Connection, group: Sequence[int]) -> list[int]:
        tried.append(len(group))
        stored = connection.execute(select(func.max(numbers.c.number))).scalar_one()
        return [stored + each for each in group]

    groups = read_groups(writer.database)
    assert await asyncio.gather(*(groups.run(read, each) for each in range(4))) == [1, 2, 3, 4]
    assert tried == [4]
