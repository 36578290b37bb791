"""Engines: connections that wait for one another, commit to the disk, and give up in time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

WAIT_SECONDS = 3.0
"""How long to wait for a lock, a connection of the pool, or a server that does not answer."""

_BEGIN = "begin"
WRITING = {_BEGIN: "BEGIN IMMEDIATE"}
"""Execution options of a transaction that writes: on SQLite it takes the lock at its start, as
one that only then begins to write may find that it has read what is no longer so."""

_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # a commit is on the disk before it is acknowledged
    "PRAGMA foreign_keys = ON",
)


def sqlite_engine(file: Path, wait_seconds: float) -> AsyncEngine:
    """An engine for a file that exists; it connects when first used.

    Parameters of statements are personal data, and in no error message.
    """
    engine = create_async_engine(
        # Without the mode, SQLite would make a file that is missing.
        URL.create("sqlite+aiosqlite", database=file.as_uri(), query={"mode": "rw", "uri": "true"}),
        connect_args={"timeout": wait_seconds},
        pool_timeout=wait_seconds,
        hide_parameters=True,
    )
    event.listen(engine.sync_engine, "connect", _configure)
    event.listen(engine.sync_engine, "begin", _begin)
    return engine


def _configure(connection: DBAPIConnection, _record: object) -> None:
    connection.isolation_level = None  # BEGIN is said by `_begin`, not by the driver
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN"))


def postgresql_engine(connect: Callable[[], Awaitable[Any]], wait_seconds: float) -> AsyncEngine:
    """An engine over connections of asyncpg; as for SQLite, no parameter is in a message."""
    return create_async_engine(
        "postgresql+asyncpg://",
        async_creator=connect,
        pool_pre_ping=True,
        pool_timeout=wait_seconds,
        hide_parameters=True,
    )
