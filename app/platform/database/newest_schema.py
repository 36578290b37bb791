"""The newest schema of SQLite, which an empty database gets without migrations, nor alembic.

The migrations are for the databases that exist, and for PostgreSQL. They take 0.1 s of CPU time,
with the import of alembic; these statements take a tenth.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection

_FILE = Path(__file__).with_suffix(".sql")
"""The statements that create the tables, with their indexes and first rows."""


def create(connection: Connection) -> None:
    """Create the tables in an empty database, in the connection's current transaction."""
    for statement in _FILE.read_text(encoding="utf-8").removesuffix(";\n").split(";\n"):
        connection.exec_driver_sql(statement)
