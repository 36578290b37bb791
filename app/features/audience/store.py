"""The audience store: a number for each key and day, added to those of other processes."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from app.features.audience.model import AnyKey, Batch
from app.platform.database.database import Database
from app.platform.database.metadata import insert_of, metadata


def _counts(name: str, *columns: sa.Column[Any]) -> sa.Table:
    """Return a table with a number for each day and combination of some columns."""
    day, number = (
        sa.Column("day", sa.Date, primary_key=True),
        sa.Column("number", sa.BigInteger, nullable=False),
    )
    return sa.Table(name, metadata, day, *columns, number)


def _text(name: str, length: int) -> sa.Column[Any]:
    return sa.Column(name, sa.String(length), primary_key=True)


def _integer(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Integer, primary_key=True, autoincrement=False)


audience_pages = _counts(
    "audience_pages", _text("page", 200), _text("form", 16), _integer("status"), _text("reader", 16)
)
audience_agents = _counts(
    "audience_agents", _text("agent", 64), _text("reader", 16), _text("form", 16)
)
audience_missed = _counts(
    "audience_missed", _text("path", 200), _text("origin", 200), _text("reader", 16)
)
audience_searches = _counts(
    "audience_searches", _text("channel", 16), _text("query", 200), _integer("hits")
)
audience_signatures = _counts(
    "audience_signatures", _text("signer", 200), _text("agent", 64), _text("reader", 16)
)
TABLES = (audience_pages, audience_agents, audience_missed, audience_searches, audience_signatures)

DAILY_LIMITS: Mapping[sa.Table, int] = {
    audience_pages: 20_000,
    audience_agents: 1_000,
    audience_missed: 2_000,
    audience_searches: 2_000,
    audience_signatures: 500,
}
"""How many keys of a day are stored in a table; all others count together. Processes that write
at the same time may store a few more."""

_ROWS = 500
"""Rows of one statement; between them the event loop serves requests."""


class AudienceStore:
    """Counts by day on SQLite or PostgreSQL. Every method may raise StoreUnavailable."""

    def __init__(self, database: Database, limits: Mapping[sa.Table, int] = DAILY_LIMITS) -> None:
        self._database = database
        self._limits = limits

    async def add(self, batch: Batch) -> None:
        """Add the counts of a batch, all in one transaction."""
        async with self._database.writing() as connection:
            await self._add(connection, audience_pages, batch.pages)
            await self._add(connection, audience_agents, batch.agents)
            await self._add(connection, audience_missed, batch.missed)
            await self._add(connection, audience_searches, batch.searches)
            await self._add(connection, audience_signatures, batch.signatures)

    async def totals(
        self, columns: Sequence[sa.Column[Any]], since: date, *conditions: sa.ColumnElement[bool]
    ) -> Sequence[tuple[Any, ...]]:
        """Return rows of some columns, last day and sum since a day, the largest sum first."""
        table = columns[0].table
        number = sa.func.sum(table.c.number)
        query = (
            sa.select(*columns, sa.func.max(table.c.day), number)
            .where(table.c.day >= since, *conditions)
            .group_by(*columns)
            .order_by(number.desc(), *columns)
        )
        async with self._database.reading() as connection:
            return [tuple(row) for row in await connection.execute(query)]

    async def oldest(self) -> date | None:
        """Return the first day of which there are counts, or None."""
        query = sa.select(sa.func.min(audience_agents.c.day))
        async with self._database.reading() as connection:
            return cast("date | None", (await connection.execute(query)).scalar_one())

    async def forget(self, until: date) -> int:
        """Delete the counts of all days up to one; return how many."""
        async with self._database.writing() as connection:
            statements = [sa.delete(table).where(table.c.day <= until) for table in TABLES]
            return sum([(await connection.execute(each)).rowcount for each in statements])

    async def _add(
        self, connection: AsyncConnection, table: sa.Table, numbers: Mapping[AnyKey, int]
    ) -> None:
        """Add to the rows of a table, always in the same order, so that no two writers block."""
        if not numbers:
            return
        statement = self._upsert(table)
        bounded = await self._bounded(connection, table, numbers)
        rows = [{**key._asdict(), "number": bounded[key]} for key in sorted(bounded)]
        for first in range(0, len(rows), _ROWS):
            await connection.execute(statement, rows[first : first + _ROWS])

    def _upsert(self, table: sa.Table) -> sqlite.Insert:
        keys = [column.name for column in table.primary_key]
        inserted = insert_of(table, is_postgresql=self._database.is_postgresql)
        number = table.c.number + inserted.excluded.number
        return inserted.on_conflict_do_update(index_elements=keys, set_={"number": number})

    async def _bounded(
        self, connection: AsyncConnection, table: sa.Table, numbers: Mapping[AnyKey, int]
    ) -> Mapping[AnyKey, int]:
        """Return the numbers with those merged that would exceed the limit of their day."""
        result: Counter[AnyKey] = Counter()
        for day in {key.day for key in numbers}:
            free, stored = await self._room(connection, table, day, len(numbers))
            for key in (each for each in numbers if each.day == day):
                is_new = stored is not None and tuple(key) not in stored
                free -= is_new
                result[key.merged() if is_new and free < 0 else key] += numbers[key]
        return result

    async def _room(
        self, connection: AsyncConnection, table: sa.Table, day: date, wanted: int
    ) -> tuple[int, Collection[tuple[object, ...]] | None]:
        """Return how many keys fit in a day, and those stored; None if all that come fit."""
        of_day = table.c.day == day
        count = await connection.execute(
            sa.select(sa.func.count()).select_from(table).where(of_day)
        )
        free = self._limits[table] - count.scalar_one()
        if free >= wanted:
            return free, None
        stored = await connection.execute(sa.select(*table.primary_key).where(of_day))
        return free, {tuple(row) for row in stored}
