"""The personal data of leads: what identifies a person is taken away, what is counted stays.

Of an anonymised lead there remain the day of its receipt, the paths of its pages, its countries,
language, topic and subject, and source, medium and name of its campaign. It gets a new ID, because
logs and other systems know the old one.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import (
    ColumnElement,
    bindparam,
    case,
    delete,
    func,
    null,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from app.features.leads.catch_ups import Work, begin_catch_up
from app.features.leads.lead import Lead
from app.features.leads.spam_history import forget
from app.features.leads.tables import lead_keys, leads
from app.platform.database.database import Database

_KEPT = frozenset({"topic", "subject", "country_code", "locale_country", "locale_lang"})
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
        return await begin_catch_up(self._database, Work.ANONYMISATION, now, interval)

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
    await connection.execute(delete(lead_keys).where(lead_keys.c.lead_id.in_(ids)))
    await forget(connection, ids)
    is_postgresql = connection.dialect.name == "postgresql"
    statement = update(leads).where(leads.c.id == bindparam("old_id"))
    values = {**_anonymous_values(is_postgresql), "id": bindparam("new_id")}
    new_ids = [{"old_id": old, "new_id": str(uuid.uuid4())} for old in ids]
    await connection.execute(statement.values(values), new_ids)


def _anonymous_values(is_postgresql: bool) -> Mapping[str, Any]:
    """Return the value of each column that changes; those of a new field are taken away."""
    find = func.strpos if is_postgresql else func.instr
    unknown = {*Lead.model_fields, "phone_e164"} - _KEPT
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
