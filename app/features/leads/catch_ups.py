"""Catching up with overdue leads: one process at a time, and not too often."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import IntEnum

from sqlalchemy import or_, update

from app.features.leads.tables import lead_retention
from app.platform.database.database import Database


class Work(IntEnum):
    """What is done to overdue leads; the id of its row."""

    DELETION = 1
    ANONYMISATION = 2


async def begin_catch_up(
    database: Database, work: Work, now: datetime, interval: timedelta
) -> bool:
    """Return whether the caller may catch up now; true once per interval for all processes.

    An instant in the future was recorded by a clock that has been set back since.
    """
    last = lead_retention.c.caught_up_at
    is_free = or_(last.is_(None), last <= now - interval, last > now)
    statement = update(lead_retention).where(lead_retention.c.id == work, is_free)
    async with database.writing() as connection:
        return (await connection.execute(statement.values(caught_up_at=now))).rowcount > 0
