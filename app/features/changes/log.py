"""The change log: reads the recorded changes in their order, and deletes old ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, func, select, update

from app.features.changes.change import Change, ChangePage, ChangeType, RecordedChange
from app.features.changes.tables import changes, published_pages, published_state
from app.platform.database.database import Database
from app.web.extensions import FirstSeen
from knowledge.locales.locale import Country, Language


@dataclass(frozen=True, slots=True)
class LogHead:
    """The name of a log, and the numbers of its newest change and of the newest deleted one."""

    log: str
    last: int
    purged: int


class ChangeLog(FirstSeen):
    """The changes in a database; every method may raise StoreUnavailable.

    Numbers increase in the order of commits: a reader that goes on after the last number it has
    seen misses nothing. `app.features.changes.published` writes them.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def head(self) -> LogHead:
        """Return where the log begins and ends."""
        state = published_state.c
        query = select(state.log, state.last_change, state.purged_change)
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).one()
        return LogHead(row.log, row.last_change, row.purged_change)

    async def after(
        self,
        cursor: int,
        limit: int,
        country: Country | None = None,
        language: Language | None = None,
    ) -> ChangePage:
        """Return up to `limit` changes with numbers above `cursor`, in order, of some locales."""
        conditions = (changes.c.id > cursor, *_conditions(country, language))
        query = select(changes).where(*conditions).order_by(changes.c.id).limit(limit + 1)
        async with self._database.reading() as connection:
            found = [_recorded(row) for row in await connection.execute(query)]
        items = found[:limit]
        return ChangePage(items, items[-1].number if items else cursor, len(found) > limit)

    async def newest(
        self, limit: int, country: Country | None = None, language: Language | None = None
    ) -> Sequence[RecordedChange]:
        """Return the newest changes of some locales, in order."""
        newest = select(changes).where(*_conditions(country, language))
        query = newest.order_by(changes.c.id.desc()).limit(limit)
        async with self._database.reading() as connection:
            found = [_recorded(row) for row in await connection.execute(query)]
        return found[::-1]

    async def seen_at(self, start: str) -> Mapping[str, datetime]:
        """Return when the present state of each page was first seen, by the rest of its path.

        The pages are those whose paths below a locale begin with `start`.
        """
        pages = published_pages.c
        query = select(pages.path, pages.seen_at).where(
            pages.path.startswith(start, autoescape=True), pages.seen_at.is_not(None)
        )
        async with self._database.reading() as connection:
            rows = await connection.execute(query)
        return {row.path.removeprefix(start): row.seen_at for row in rows}

    async def purge(self, before: datetime, at_most: int) -> int:
        """Delete at most so many changes recorded before an instant, oldest first; return how many.

        Pages that were gone by then are forgotten too.
        """
        old = select(changes.c.id, changes.c.revision).where(changes.c.recorded_at < before)
        async with self._database.writing() as connection:
            rows = (await connection.execute(old.order_by(changes.c.id).limit(at_most))).all()
            if not rows:
                return 0
            last = rows[-1]
            await connection.execute(delete(changes).where(changes.c.id <= last.id))
            gone = (published_pages.c.record == "", published_pages.c.revision <= last.revision)
            await connection.execute(delete(published_pages).where(*gone))
            await connection.execute(update(published_state).values(purged_change=last.id))
        return len(rows)

    async def count(self) -> int:
        """Return the number of changes."""
        async with self._database.reading() as connection:
            number = await connection.execute(select(func.count()).select_from(changes))
            return number.scalar_one()


def _conditions(
    country: Country | None, language: Language | None
) -> Iterator[ColumnElement[bool]]:
    if country is not None:
        yield changes.c.country == str(country)
    if language is not None:
        yield changes.c.language == str(language)


def _recorded(row: Row[Any]) -> RecordedChange:
    change = Change(
        change=ChangeType(row.change),
        path=row.path,
        kind=row.kind,
        country=Country(row.country) if row.country else None,
        language=Language(row.language),
        at=row.at,
        moved_to=row.moved_to,
    )
    return RecordedChange(row.id, change)
