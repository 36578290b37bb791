"""Engines: connections that wait for one another, commit to the disk, and give up in time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import asyncpg
from sqlalchemy import URL, Connection, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from app.database.url import sqlite_file

WAIT_SECONDS = 3.0
"""How long to wait for a lock, a connection of the pool, or a server that does not answer."""
STATEMENT_SECONDS = 30
"""How long one statement may take on PostgreSQL."""

_BEGIN = "begin"
WRITING = {_BEGIN: "BEGIN IMMEDIATE"}
"""Execution options of a transaction that writes: on SQLite it takes the lock at its start, as
one that only then begins to write may find that it has read what is no longer so."""

_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # a commit is on the disk before it is acknowledged
    "PRAGMA foreign_keys = ON",
)


def open_engine(url: str, wait_seconds: float = WAIT_SECONDS) -> AsyncEngine:
    """An engine for DATABASE_URL; it connects when first used.

    Parameters of statements are personal data, and in no error message.
    """
    file = sqlite_file(url)
    return _postgresql(url, wait_seconds) if file is None else _sqlite(file, wait_seconds)


def _sqlite(file: Path, wait_seconds: float) -> AsyncEngine:
    engine = create_async_engine(
        URL.create("sqlite+aiosqlite", database=str(file)),
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


def _postgresql(url: str, wait_seconds: float) -> AsyncEngine:
    async def connect() -> Any:
        # asyncpg reads the URL itself, with all that PostgreSQL allows in it, such as sslmode.
        return await asyncpg.connect(
            url,
            timeout=wait_seconds,
            command_timeout=STATEMENT_SECONDS,
            server_settings={"application_name": "majlis"},
        )

    return create_async_engine(
        "postgresql+asyncpg://",
        async_creator=connect,
        pool_pre_ping=True,
        pool_timeout=wait_seconds,
        hide_parameters=True,
    )
