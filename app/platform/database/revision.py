"""The revision of a database's schema, and the schema of an empty one, without alembic."""

from __future__ import annotations

from sqlalchemy import Connection, MetaData, inspect, text

from app.platform.database.errors import SchemaMismatch

NEWEST = "0018"
"""The schema revision that this version of the service requires: that of the last migration."""

TABLE = "alembic_version"
"""The table of the revision, which is that of alembic."""

SELECT = "SELECT version_num FROM alembic_version"


def current(connection: Connection) -> str | None:
    """Return the revision of a database, None if it is empty."""
    if not inspect(connection).has_table(TABLE):
        return None
    revision: str | None = connection.scalar(text(SELECT))
    return revision


def create(connection: Connection, tables: MetaData) -> None:
    """Create the tables of the newest revision in an empty database, with their first rows.

    The migrations, which are for databases that exist, take several times as long.
    """
    tables.create_all(connection, checkfirst=False)
    connection.execute(
        text(
            f"CREATE TABLE {TABLE} (version_num VARCHAR(32) NOT NULL,"
            " CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
        )
    )
    connection.execute(text(f"INSERT INTO {TABLE} VALUES ('{NEWEST}')"))  # noqa: S608  # constants


def require_newest(revision: str | None) -> None:
    """Raise SchemaMismatch unless the revision is the newest."""
    if revision != NEWEST:
        raise SchemaMismatch(
            "The schema of the database does not match this version of majlis. "
            "Run `majlis db upgrade`, then start again."
        )
