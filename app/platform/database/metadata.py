"""What tables consist of, and the statements that the two databases write differently."""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from itertools import chain
from typing import cast

import sqlalchemy as sa
from sqlalchemy import cast as sql_cast
from sqlalchemy.dialects import sqlite
from sqlalchemy.types import TypeDecorator

from app.platform.database import SchemaMismatch

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""All tables of the service; FEATURE names the modules that define those of a feature.

An index of a part of the rows names its condition for SQLite only, as SQLAlchemy would import the
dialect of PostgreSQL for the other one; `create` makes it the condition of both.
"""


def begin_with(table: sa.Table, *rows: Mapping[str, object]) -> None:
    """Insert the first rows of a table when it is created; its migration does it by itself."""

    def insert(_: sa.Table, connection: sa.Connection, **_options: object) -> None:
        connection.execute(table.insert(), rows)

    sa.event.listen(table, "after_create", insert)


UPGRADE_FIRST = "Install release 1.0.0, run its `majlis db upgrade`, then install this version."
TABLE = "alembic_version"
"""The table of the revision, which is that of alembic."""
SELECT = "SELECT version_num FROM alembic_version"


def current(connection: sa.Connection) -> str | None:
    """Return the revision of a database, None if it is empty."""
    if not sa.inspect(connection).has_table(TABLE):
        return None
    revision: str | None = connection.scalar(sa.text(SELECT))
    return revision


REVISIONS = ("0023", "0024", "0025", "0026")
"""The schemas of this version: that of release 1.0, with which migrations begin, to the newest."""
NEWEST = REVISIONS[-1]
"""The schema revision that the service requires."""


def create(connection: sa.Connection, tables: sa.MetaData) -> None:
    """Create the tables of the newest revision in an empty database."""
    if connection.dialect.name == "postgresql":
        for index in chain.from_iterable(table.indexes for table in tables.tables.values()):
            condition = index.dialect_options["sqlite"]["where"]
            index.dialect_options["postgresql"]["where"] = condition
    tables.create_all(connection, checkfirst=False)
    connection.execute(
        sa.text(
            f"CREATE TABLE {TABLE} (version_num VARCHAR(32) NOT NULL,"
            " CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
        )
    )
    connection.execute(sa.text(f"INSERT INTO {TABLE} VALUES ('{NEWEST}')"))  # noqa: S608  # constants


def require_newest(revision: str | None) -> None:
    """Raise SchemaMismatch unless the revision is the newest."""
    if revision is not None:
        require_known(revision)
    if revision != NEWEST:
        raise SchemaMismatch(
            "The schema of the database does not match this version of majlis. "
            "Run `majlis db upgrade`, then start again."
        )


def is_known(revision: str) -> bool:
    """Return whether this version has a revision, or can upgrade it."""
    return revision in REVISIONS


def require_known(revision: str) -> None:
    """Raise SchemaMismatch unless this version has a revision, or can upgrade it."""
    if revision > NEWEST:
        raise SchemaMismatch(
            f"The database has schema {revision}, which a newer version of majlis created. "
            "Install that version."
        )
    if not is_known(revision):
        raise SchemaMismatch(
            f"The database has schema {revision}, which is older than release 1.0. {UPGRADE_FIRST}"
        )


class UtcDateTime(TypeDecorator[datetime]):
    """A date-time in UTC; SQLite itself does not store the time zone."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        """Convert to UTC; raises ValueError without a time zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a date-time needs a time zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        """Add the time zone that SQLite has not stored."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def insert_of(table: sa.Table, *, is_postgresql: bool) -> sqlite.Insert:
    """Return an INSERT of the database's dialect; that of PostgreSQL has the same methods."""
    if is_postgresql:
        # The dialect takes 30 ms to import, which SQLite does not need.
        from sqlalchemy.dialects import postgresql  # noqa: PLC0415

        return cast("sqlite.Insert", postgresql.insert(table))
    return sqlite.insert(table)


def advisory_lock_id(digest: str) -> int:
    """Return a hexadecimal digest as the 64-bit number that names an advisory lock."""
    return int.from_bytes(bytes.fromhex(digest[:16]), signed=True)


def lock_digests(connection: sa.Connection, digests: Collection[str]) -> None:
    """Lock digests until the transaction ends; always in one order, so that none deadlock."""
    lock = _numbers(digests)
    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(lock)))


def try_to_lock_digests(connection: sa.Connection, digests: Collection[str]) -> frozenset[str]:
    """Lock digests until the transaction ends; return those that another one has locked."""
    lock = _numbers(digests)
    rows = connection.execute(sa.select(lock, sa.func.pg_try_advisory_xact_lock(lock)))
    refused = {number for number, is_locked in rows if not is_locked}
    return frozenset(each for each in digests if advisory_lock_id(each) in refused)


def _numbers(digests: Collection[str]) -> sa.ColumnElement[int]:
    numbers = sorted(map(advisory_lock_id, digests))
    return sa.func.unnest(sql_cast(numbers, sa.ARRAY(sa.BigInteger))).column_valued("number")
