"""The published state: what is recorded of each page, shared by all processes of a database.

A process records a difference on the revision that it has read. If another one was faster,
nothing is stored, and the process reads what has been recorded meanwhile.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Update, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from app.features.changes.log import changes, published_pages, published_state
from app.features.changes.model import Change
from app.platform.database.database import Database
from app.platform.database.metadata import insert_of


@dataclass(frozen=True, slots=True)
class PublishedState:
    """The pages as recorded: a text for each, by its path below a locale; at first none.

    What is scheduled is recorded up to `checked_at`, for the locales and cities that `site` names.
    """

    log: str
    revision: int
    last_change: int
    checked_at: datetime | None = None
    site: str = ""
    records: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Difference:
    """What is to be recorded: changes, and the records of pages that differ, `""` for none."""

    changes: Sequence[Change]
    records: Mapping[str, str]
    checked_at: datetime | None
    site: str


class PublishedStates:
    """The published state in a database; every method may raise StoreUnavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load(self) -> PublishedState:
        """Return the whole recorded state."""
        async with self._database.reading() as connection:
            head = await _head(connection)
            return replace(head, records=await _records(connection))

    async def refreshed(self, state: PublishedState) -> PublishedState | None:
        """Return a state with what was recorded since; None if the database was replaced."""
        async with self._database.reading() as connection:
            head = await _head(connection)
            if head.log != state.log or head.revision < state.revision:
                return None
            if head.revision == state.revision:
                return state
            return replace(head, records=_merged(state.records, await _records(connection, state)))

    async def record(
        self, state: PublishedState, difference: Difference, now: datetime
    ) -> PublishedState | None:
        """Record a difference as the next revision of a state; None if it is not the newest."""
        following = PublishedState(
            state.log,
            state.revision + 1,
            state.last_change + len(difference.changes),
            difference.checked_at,
            difference.site,
            _merged(state.records, difference.records),
        )
        # Clocks of machines differ, but this time must never decrease: clients poll by it.
        seen_at = max(now, state.checked_at or now)
        async with self._database.writing() as connection:
            # PostgreSQL locks the row until the commit, so that numbers increase with commits.
            if not (await connection.execute(_claim(state, following))).rowcount:
                return None
            rows = list(_change_rows(state, difference.changes, now))
            if rows:
                await connection.execute(insert(changes), rows)
            await self._store(connection, difference.records, following.revision, seen_at)
        return following

    async def _store(
        self,
        connection: AsyncConnection,
        records: Mapping[str, str],
        revision: int,
        seen_at: datetime,
    ) -> None:
        if not records:
            return
        upsert = insert_of(published_pages, is_postgresql=self._database.is_postgresql)
        new = {name: upsert.excluded[name] for name in ("record", "revision", "seen_at")}
        await connection.execute(
            upsert.on_conflict_do_update(index_elements=["path"], set_=new),
            [
                {"path": path, "record": text, "revision": revision, "seen_at": seen_at}
                for path, text in records.items()
            ],
        )


async def _head(connection: AsyncConnection) -> PublishedState:
    """Return the state without its records."""
    row = (await connection.execute(select(published_state))).one()
    return PublishedState(row.log, row.revision, row.last_change, row.checked_at, row.site)


async def _records(
    connection: AsyncConnection, since: PublishedState | None = None
) -> Mapping[str, str]:
    """Return the records of pages; those of pages that are gone only with `since`."""
    pages = published_pages.c
    condition = pages.revision > since.revision if since else pages.record != ""
    rows = await connection.execute(select(pages.path, pages.record).where(condition))
    return {row.path: row.record for row in rows}


def _claim(state: PublishedState, following: PublishedState) -> Update:
    """Return the statement that replaces a state by the next, if it is the newest."""
    newest = published_state.c.log == state.log, published_state.c.revision == state.revision
    return (
        update(published_state)
        .where(*newest)
        .values(
            revision=following.revision,
            last_change=following.last_change,
            checked_at=following.checked_at,
            site=following.site,
        )
    )


def _merged(records: Mapping[str, str], newer: Mapping[str, str]) -> Mapping[str, str]:
    merged = {**records, **newer}
    for path, record in newer.items():
        if not record:
            del merged[path]
    return merged


def _change_rows(
    state: PublishedState, recorded: Sequence[Change], now: datetime
) -> Iterator[dict[str, Any]]:
    """Yield the rows of changes, numbered in their order."""
    for number, change in enumerate(recorded, start=state.last_change + 1):
        yield {
            **asdict(change),
            "change": str(change.change),
            "country": str(change.country) if change.country else None,
            "language": str(change.language),
            "id": number,
            "revision": state.revision + 1,
            "recorded_at": now,
        }
