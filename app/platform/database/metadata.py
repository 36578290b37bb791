"""The metadata of all tables: naming convention for constraints, and the date-time type."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from sqlalchemy import Connection, DateTime, Dialect, MetaData, Table, event
from sqlalchemy.types import TypeDecorator

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""All tables of the service. Each package defines its own in a module `tables`.

An index of a part of the rows has its condition for SQLite only: for another one, SQLAlchemy would
import the dialect of PostgreSQL. The migrations have both.
"""


def begin_with(table: Table, *rows: Mapping[str, object]) -> None:
    """Insert the first rows of a table when it is created; its migration does it by itself."""

    def insert(_: Table, connection: Connection, **_options: object) -> None:
        connection.execute(table.insert(), rows)

    event.listen(table, "after_create", insert)


class UtcDateTime(TypeDecorator[datetime]):
    """A date-time in UTC; SQLite itself does not store the time zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert to UTC; raises ValueError without a time zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a date-time needs a time zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Add the time zone that SQLite has not stored."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
