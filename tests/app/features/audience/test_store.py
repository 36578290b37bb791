"""The audience store, its writer and its retention, on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from contract.visitor import NOW, FakeClock
from sqlalchemy import Table, text

from app.features.audience.counting import CountsWriter, delete_oldest
from app.features.audience.model import (
    Agent,
    AgentKey,
    Batch,
    Counts,
    MissedKey,
    PageKey,
    Reader,
    SearchKey,
    SignatureKey,
)
from app.features.audience.store import (
    DAILY_LIMITS,
    AudienceStore,
    audience_agents,
    audience_missed,
    audience_pages,
    audience_searches,
)
from app.platform.database.database import Database
from app.tables import all_tables
from app.web.pipeline.surfaces import OTHERS
from renderers.representation import MediaType

TODAY = NOW.date()
GPT = Agent("GPTBot", Reader.AI_TRAINING)
PAGE = PageKey(TODAY, "/ae/en/erp", "html", 200, "ai-training")
BATCH = Batch(
    pages={PAGE: 2},
    agents={AgentKey(TODAY, "GPTBot", "ai-training", "html"): 2},
    missed={MissedKey(TODAY, "/ae/en/nope", "", "ai-training"): 1},
    searches={SearchKey(TODAY, "site", "ضريبة", 0): 3},
    signatures={SignatureKey(TODAY, "openai.com", "GPTBot", "ai-training"): 2},
)
NOTHING = Batch({}, {}, {}, {})


async def stored(store: AudienceStore, table: Table) -> dict[tuple[object, ...], int]:
    """Return the numbers of a table by key, without the day."""
    columns = [column for column in table.primary_key if column.name != "day"]
    rows = await store.totals(columns, TODAY - timedelta(days=900))
    return {tuple(key): int(number) for *key, _, number in rows}


async def test_writers_add_up(database: Database, migrated_url: str) -> None:
    """Several workers write at the same time."""
    async with Database(migrated_url, tables=all_tables) as other:
        stores = AudienceStore(database), AudienceStore(other)
        await asyncio.gather(*(store.add(BATCH) for store in 3 * stores))
    store = AudienceStore(database)
    assert await stored(store, audience_pages) == {PAGE[1:]: 12}
    assert await stored(store, audience_agents) == {("GPTBot", "ai-training", "html"): 12}
    assert await stored(store, audience_missed) == {("/ae/en/nope", "", "ai-training"): 6}
    assert await stored(store, audience_searches) == {("site", "ضريبة", 0): 18}


async def test_a_day_has_a_bounded_number_of_rows(database: Database) -> None:
    """Above the limit all count together, and what is stored already goes on counting."""
    limits: Mapping[Table, int] = {**DAILY_LIMITS, audience_missed: 3}
    store = AudienceStore(database, limits)
    keys = [MissedKey(TODAY, f"/{number}", "a.example", "browser") for number in range(9)]
    for first in (0, 2, 4):
        await store.add(replace(NOTHING, missed=dict.fromkeys(keys[first : first + 4], 1)))
    numbers = await stored(store, audience_missed)
    assert numbers.pop((OTHERS, "", "browser")) == 12 - sum(numbers.values())
    assert {path: number for (path, *_), number in numbers.items()} == {"/0": 1, "/1": 1, "/2": 2}
    tomorrow = keys[8]._replace(day=TODAY + timedelta(days=1))
    await store.add(replace(NOTHING, missed={tomorrow: 1}))
    assert ("/8", "a.example", "browser") in await stored(store, audience_missed)


class StoreAtTheStop(AudienceStore):
    """A store during whose first write a reader comes, and then the stop."""

    def __init__(self, database: Database, counts: Counts, stop: asyncio.Event) -> None:
        super().__init__(database)
        self._counts, self._stop = counts, stop

    async def add(self, batch: Batch) -> None:
        """Store a batch, and let the others happen."""
        await super().add(batch)
        if not self._stop.is_set():
            self._counts.read(TODAY, "/a", MediaType.HTML.form, 200, GPT)
            self._stop.set()


async def test_counts_are_written_each_interval_and_at_the_stop(database: Database) -> None:
    """A stop writes what came since, also while a write was under way."""
    counts, stop = Counts(), asyncio.Event()
    counts.read(TODAY, "/a", MediaType.HTML.form, 200, GPT)
    store = StoreAtTheStop(database, counts, stop)
    async with asyncio.timeout(10):
        await CountsWriter(counts, store, 0.01).run(stop)
    assert await stored(store, audience_pages) == {("/a", "html", 200, "ai-training"): 2}


async def test_counts_wait_for_a_database_that_is_away(tmp_path: Path) -> None:
    """They are written later, all of them once."""
    url = f"sqlite:///{tmp_path}/majlis.db"
    async with (
        Database(url, wait_seconds=0.05, tables=all_tables) as database,
        Database(url, tables=all_tables) as busy,
    ):
        counts, store = Counts(), AudienceStore(database)
        writer = CountsWriter(counts, store, 60)
        counts.search(SearchKey(TODAY, "site", "vat", 0))
        async with busy.writing():
            await writer.write()
        assert not await stored(store, audience_searches)
        counts.search(SearchKey(TODAY, "site", "vat", 0))
        await writer.write()
        assert await stored(store, audience_searches) == {("site", "vat", 0): 2}


async def test_counts_that_cannot_be_written_at_the_stop_are_told(
    database: Database, migrated_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The operator learns how many are lost, here by a newer version that has migrated."""
    async with database.writing() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    counts, stop = Counts(), asyncio.Event()
    counts.read(TODAY, "/a", MediaType.HTML.form, 200, GPT)
    async with Database(migrated_url, tables=all_tables) as other:
        task = asyncio.create_task(CountsWriter(counts, AudienceStore(other), 60).run(stop))
        await asyncio.sleep(0)
        stop.set()
        await task
    assert "Cannot store the counts of readers" in caplog.text
    assert "1 counts of readers are lost" in caplog.text


@pytest.mark.parametrize(("age", "deleted"), [(30, 0), (31, 5)])
async def test_days_older_than_the_limit_are_deleted(
    database: Database, age: int, deleted: int
) -> None:
    """Younger ones are not, nor those exactly as old."""
    store, clock = AudienceStore(database), FakeClock()
    await store.add(BATCH)
    clock.move(timedelta(days=age))
    assert await delete_oldest(30, store, clock) == deleted


async def test_a_clock_that_jumps_ahead_deletes_one_day_at_a_time(database: Database) -> None:
    """The others are kept until the clock is right again."""
    store = AudienceStore(database)
    for day in range(3):
        key = PAGE._replace(day=TODAY + timedelta(days=day))
        agent = AgentKey(key.day, "GPTBot", "ai-training", "html")
        await store.add(replace(NOTHING, pages={key: 1}, agents={agent: 1}))
    ahead = datetime(2030, 1, 1, tzinfo=UTC)
    assert await delete_oldest(30, store, lambda: ahead) == 2
    assert await store.oldest() == TODAY + timedelta(days=1)
