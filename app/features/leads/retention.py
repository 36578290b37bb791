"""Retention: deletes or anonymises leads that are older than the operator's limit.

A clock that jumps ahead makes leads look older than they are. One run therefore changes at most
the leads received within one day. If more is overdue, later runs change the rest day by day.

Of an anonymised lead there remain the day of its receipt, the paths of its pages, its countries,
language, topic and subject, and source, medium and name of its campaign. It gets a new ID, because
logs and other systems know the old one.
"""

import logging
import time
import uuid
from collections.abc import AsyncIterator, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol, cast

from sqlalchemy import ColumnElement, bindparam, case, delete, func, null, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from app.features.leads.model import Lead
from app.features.leads.spam_filter import forget
from app.features.leads.store import LeadWork, begin_catch_up
from app.features.leads.tables import lead_files, lead_keys, leads
from app.platform.clock import Clock, Ticks
from app.platform.database.database import Database

log = logging.getLogger(__name__)

BATCH = 500
"""Leads changed per transaction; small enough not to delay a lead that arrives meanwhile."""


class OverdueLeads(Protocol):
    """The leads in a database: `LeadStore` deletes them, `Identities` anonymises them."""

    async def oldest(self) -> datetime | None:
        """Return when the oldest lead was received, or None."""

    async def begin_catch_up(self, now: datetime, interval: timedelta) -> bool:
        """Return whether the caller may catch up now; true once per interval."""

    async def purge(self, before: datetime, at_most: int) -> int:
        """Delete or anonymise some leads received before an instant; return how many."""


@dataclass(frozen=True, slots=True)
class Words:
    """How the log names what is done to leads."""

    setting: str
    command: str
    verb: str
    done: str
    what: str


DELETION = Words("LEAD_RETENTION_DAYS", "purge", "delete", "deleted", "leads")
ANONYMISATION = Words(
    "LEAD_ANONYMISE_DAYS", "anonymise", "anonymise", "anonymised", "personal data of leads"
)


async def purge_in_batches(store: OverdueLeads, before: datetime) -> AsyncIterator[int]:
    """Change the leads received before an instant in batches; yield the size of each batch."""
    while number := await store.purge(before, BATCH):
        yield number


MAX_SPAN = timedelta(days=1)
"""One run changes leads that were received within a span of at most this length."""
CATCH_UP_EVERY = timedelta(hours=12)
"""Minimum time between two runs while more is overdue, so that the backlog shrinks."""


class Retention:
    """Deletes leads older than `days` days, or does what the store and its words are about.

    A row in the database ensures that one process at a time catches up, and the monotonic `ticks`
    that this one does so rarely even if the wall clock jumps repeatedly.
    """

    def __init__(
        self,
        days: int,
        store: OverdueLeads,
        clock: Clock,
        ticks: Ticks = time.monotonic,
        words: Words = DELETION,
    ) -> None:
        self._days = days
        self._store = store
        self._clock = clock
        self._ticks = ticks
        self._words = words
        self._last_catch_up_at = float("-inf")

    async def delete_due(self) -> int:
        """Change the leads due now, at most one MAX_SPAN of them; return how many."""
        now = self._clock()
        cutoff = now - timedelta(days=self._days)
        oldest = await self._store.oldest()
        if oldest is None or oldest >= cutoff:
            return 0
        if cutoff - oldest > MAX_SPAN:
            if not await self._may_catch_up(now):
                return 0
            log.warning(
                "Leads from %d days are older than %s=%d. The clock may have jumped ahead, so only"
                " one day is %s now, and another every %d hours. If the clock is right, %s all of"
                " them with `majlis leads %s --older-than %dd`.",
                (cutoff - oldest).days + 1,
                self._words.setting,
                self._days,
                self._words.done,
                CATCH_UP_EVERY.total_seconds() // 3_600,
                self._words.verb,
                self._words.command,
                self._days,
            )
        return await self._delete(min(cutoff, oldest + MAX_SPAN))

    async def _may_catch_up(self, now: datetime) -> bool:
        elapsed = self._ticks() - self._last_catch_up_at
        if elapsed < CATCH_UP_EVERY.total_seconds():
            return False
        if not await self._store.begin_catch_up(now, CATCH_UP_EVERY):
            return False
        self._last_catch_up_at = self._ticks()
        return True

    async def _delete(self, before: datetime) -> int:
        total = 0
        async for number in purge_in_batches(self._store, before):
            total += number
        done = self._words.done.capitalize()
        log.info("%s %d leads older than %d days", done, total, self._days)
        return total


_RETAINED = frozenset({"topic", "subject", "form", "country_code", "locale_country", "locale_lang"})
"""The fields with few possible values, which identify nobody."""
_PATHS = ("page", "source_page")
_CAMPAIGN = ("source", "utm_source", "utm_medium", "utm_campaign")
_EMPTY = ("email", "email_folded", "digest")
"""The columns that must have a value. An empty digest equals that of no lead."""


class Identities:
    """The personal data in the lead store; every method may raise StoreUnavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def count(self, before: datetime) -> int:
        """Return the number of leads received before an instant that still have personal data."""
        query = select(func.count()).select_from(leads).where(*_identified(before))
        async with self._database.reading() as connection:
            return (await connection.execute(query)).scalar_one()

    async def oldest(self) -> datetime | None:
        """Return when the oldest lead with personal data was received, or None."""
        query = select(func.min(leads.c.received_at)).where(*_identified())
        async with self._database.reading() as connection:
            return cast("datetime | None", (await connection.execute(query)).scalar_one())

    async def begin_catch_up(self, now: datetime, interval: timedelta) -> bool:
        """Return whether the caller may catch up now; true once per interval for all processes."""
        return await begin_catch_up(self._database, LeadWork.ANONYMISATION, now, interval)

    async def purge(self, before: datetime, at_most: int) -> int:
        """Anonymise at most `at_most` leads received before an instant; return how many."""
        oldest = select(leads.c.id).where(*_identified(before)).limit(at_most).with_for_update()
        async with self._database.writing() as connection:
            ids = (await connection.execute(oldest)).scalars().all()
            if ids:
                await _anonymise(connection, ids)
        return len(ids)


def _identified(before: datetime | None = None) -> list[ColumnElement[bool]]:
    is_identified = leads.c.anonymised_at.is_(None)
    return [is_identified] if before is None else [is_identified, leads.c.received_at < before]


async def _anonymise(connection: AsyncConnection, ids: Collection[str]) -> None:
    for table in (lead_keys, lead_files):
        await connection.execute(delete(table).where(table.c.lead_id.in_(ids)))
    await forget(connection, ids)
    is_postgresql = connection.dialect.name == "postgresql"
    statement = update(leads).where(leads.c.id == bindparam("old_id"))
    values = {**_anonymous_values(is_postgresql), "id": bindparam("new_id")}
    new_ids = [{"old_id": old, "new_id": str(uuid.uuid4())} for old in ids]
    await connection.execute(statement.values(values), new_ids)


def _anonymous_values(is_postgresql: bool) -> Mapping[str, Any]:
    """Return the value of each column that changes; those of a new field are taken away."""
    find = func.strpos if is_postgresql else func.instr
    unknown = {*Lead.model_fields, "phone_e164", "notify", "copy_to"} - _RETAINED
    return {
        **dict.fromkeys(unknown, None),
        **dict.fromkeys(_EMPTY, ""),
        **{name: _without_address(leads.c[name], find) for name in _CAMPAIGN},
        **{name: _without_address(_path(leads.c[name], find), find) for name in _PATHS},
        "received_at": _day(is_postgresql),
        "notified": True,  # nobody is told of it if it leaves quarantine
        "anonymised_at": func.now(),
    }


def _path(column: ColumnElement[Any], find: Any) -> ColumnElement[Any]:
    """Return an address without its query and fragment, in which anything may stand."""
    for sign in "?#":
        position = find(column, sign)
        column = case((position > 0, func.substr(column, 1, position - 1)), else_=column)
    return column


def _without_address(column: ColumnElement[Any], find: Any) -> ColumnElement[Any]:
    """Return a text, or nothing if it may hold an e-mail address."""
    return case((find(column, "@") > 0, null()), else_=column)


def _day(is_postgresql: bool) -> ColumnElement[Any]:
    """Return midnight UTC of the day of receipt, in the format in which SQLite has date-times."""
    if is_postgresql:
        return func.date_trunc("day", leads.c.received_at, "UTC")
    return func.strftime("%Y-%m-%d 00:00:00.000000", leads.c.received_at)
