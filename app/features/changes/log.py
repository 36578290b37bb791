"""The change log and its tables: recorded changes, the cursors of its readers, its retention."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Any, Self

import sqlalchemy as sa

from app.features.changes.model import Change, ChangePage, ChangeType, RecordedChange
from app.platform.clock import Clock
from app.platform.database.database import Database
from app.platform.database.metadata import UtcDateTime, begin_with, metadata
from app.web.extensions import FirstSeen
from knowledge.locales.locale import Country, Language
from knowledge.resources.errors import MajlisError

published_state = sa.Table(
    "published_state",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column(  # a random name, which cursors hold
        "log", sa.String(16), nullable=False, default=lambda: token_hex(4)
    ),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("last_change", sa.BigInteger, nullable=False),
    sa.Column("purged_change", sa.BigInteger, nullable=False),
    sa.Column("checked_at", UtcDateTime),
    sa.Column("site", sa.Text, nullable=False),
)
begin_with(
    published_state, {"id": 1, "revision": 0, "last_change": 0, "purged_change": 0, "site": ""}
)
"""One row: the state of the log. Each writer increases `revision`, and so comes after the others.

`last_change` is the number of the newest change, and `purged_change` that of the newest one that
retention has deleted. What is scheduled has been recorded up to `checked_at`, for the locales and
cities of `site`.
"""


follower_positions = sa.Table(
    "follower_positions",
    metadata,
    sa.Column("follower", sa.String(64), primary_key=True),
    sa.Column("last_change", sa.BigInteger, nullable=False),
)
"""The number of the newest change of which each follower has a delivery."""


@dataclass(frozen=True, slots=True)
class LogHead:
    """The name of a log, and the numbers of its newest change and of the newest deleted one."""

    log: str
    last: int
    purged: int


published_pages = sa.Table(
    "published_pages",
    metadata,
    sa.Column("path", sa.Text, primary_key=True),
    sa.Column("record", sa.Text, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False, index=True),
    sa.Column("seen_at", UtcDateTime),
)
"""The recorded state of each page by its path below a locale, `""` without one, and since when."""

changes = sa.Table(
    "changes",
    metadata,
    sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("recorded_at", UtcDateTime, nullable=False, index=True),
    sa.Column("at", UtcDateTime, nullable=False),
    sa.Column("change", sa.String(16), nullable=False),
    sa.Column("path", sa.Text, nullable=False),
    sa.Column("moved_to", sa.Text),
    sa.Column("kind", sa.String(64), nullable=False),
    sa.Column("country", sa.String(2)),
    sa.Column("language", sa.String(2), nullable=False),
)


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
        query = sa.select(state.log, state.last_change, state.purged_change)
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
        query = sa.select(changes).where(*conditions).order_by(changes.c.id).limit(limit + 1)
        async with self._database.reading() as connection:
            found = [_recorded(row) for row in await connection.execute(query)]
        items = found[:limit]
        return ChangePage(items, items[-1].number if items else cursor, len(found) > limit)

    async def newest(
        self, limit: int, country: Country | None = None, language: Language | None = None
    ) -> Sequence[RecordedChange]:
        """Return the newest changes of some locales, in order."""
        newest = sa.select(changes).where(*_conditions(country, language))
        query = newest.order_by(changes.c.id.desc()).limit(limit)
        async with self._database.reading() as connection:
            found = [_recorded(row) for row in await connection.execute(query)]
        return found[::-1]

    async def seen_at(self, start: str) -> Mapping[str, datetime]:
        """Return when each page below a path was first seen as it is, by the rest of its path."""
        pages = published_pages.c
        query = sa.select(pages.path, pages.seen_at).where(
            pages.path.startswith(start, autoescape=True), pages.seen_at.is_not(None)
        )
        async with self._database.reading() as connection:
            rows = await connection.execute(query)
        return {row.path.removeprefix(start): row.seen_at for row in rows}

    async def purge(self, before: datetime, at_most: int) -> int:
        """Delete the oldest changes before an instant, with pages gone by then; return how many."""
        old = sa.select(changes.c.id, changes.c.revision).where(changes.c.recorded_at < before)
        async with self._database.writing() as connection:
            rows = (await connection.execute(old.order_by(changes.c.id).limit(at_most))).all()
            if not rows:
                return 0
            last = rows[-1]
            await connection.execute(sa.delete(changes).where(changes.c.id <= last.id))
            gone = (published_pages.c.record == "", published_pages.c.revision <= last.revision)
            await connection.execute(sa.delete(published_pages).where(*gone))
            await connection.execute(sa.update(published_state).values(purged_change=last.id))
        return len(rows)


def _conditions(
    country: Country | None, language: Language | None
) -> Iterator[sa.ColumnElement[bool]]:
    if country is not None:
        yield changes.c.country == str(country)
    if language is not None:
        yield changes.c.language == str(language)


def _recorded(row: sa.Row[Any]) -> RecordedChange:
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


PATTERN = "[0-9a-f]{8}-[0-9]{1,18}"


class CursorExpired(MajlisError):
    """The log does not have the changes after a cursor, or is not the one of the cursor."""

    status = 410

    def __init__(self, newest: Cursor) -> None:
        super().__init__(
            "This cursor is unknown, or older than the changes that are kept.",
            "Read all pages again, from /sitemap.xml, then what has changed meanwhile, with "
            f"since={newest}.",
        )


@dataclass(frozen=True, slots=True)
class Cursor:
    """The name of a log, and the number of the last change that a follower has read."""

    log: str
    number: int

    def __str__(self) -> str:
        """Return the text of the cursor.

        >>> str(Cursor("0a1b2c3d", 12))
        '0a1b2c3d-12'
        """
        return f"{self.log}-{self.number}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the cursor of a text; raises ValueError if it is none.

        >>> Cursor.parse("0a1b2c3d-12")
        Cursor(log='0a1b2c3d', number=12)
        """
        if not re.fullmatch(PATTERN, text):
            raise ValueError(f"“{text}” is no cursor")
        log, _, number = text.partition("-")
        return cls(log, int(number))

    def position(self, head: LogHead) -> int:
        """Return the number after which to read on; raises CursorExpired if the log is another."""
        if self.log != head.log or not head.purged <= self.number <= head.last:
            raise CursorExpired(Cursor(head.log, head.last))
        return self.number


BATCH = 1_000
"""Changes deleted per transaction."""
FIRST_SECONDS = 60.0
"""After the start, changes are recorded first."""


async def delete_due(days: int, log: ChangeLog, clock: Clock) -> int:
    """Delete changes that were recorded more than `days` days ago; return how many.

    If a clock jumps ahead and they go too early, followers are told to read all pages again.
    """
    before, total = clock() - timedelta(days=days), 0
    while number := await log.purge(before, BATCH):
        total += number
    return total
