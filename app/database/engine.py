"""SQLAlchemy engines with durable commits and limited waiting times."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

WAIT_SECONDS = 3.0
"""Maximum wait for a lock, for a pooled connection, or for a server that does not answer."""

_BEGIN = "begin"
WRITING = {_BEGIN: "BEGIN IMMEDIATE"}
"""Execution options of a write transaction. On SQLite it locks at its start: a transaction that
reads first and locks later may have read outdated rows, and SQLite would refuse its writes."""

_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # a commit is on disk before it returns
    "PRAGMA foreign_keys = ON",
)


def sqlite_engine(file: Path, wait_seconds: float) -> AsyncEngine:
    """Create an engine for an existing file; it connects on first use.

    Statement parameters are personal data, so error messages do not contain them.
    """
    engine = create_async_engine(
        # Without this mode, SQLite would create a missing file.
        URL.create("sqlite+aiosqlite", database=file.as_uri(), query={"mode": "rw", "uri": "true"}),
        connect_args={"timeout": wait_seconds},
        pool_timeout=wait_seconds,
        hide_parameters=True,
    )
    event.listen(engine.sync_engine, "connect", _configure)
    event.listen(engine.sync_engine, "begin", _begin)
    return engine


def _configure(connection: DBAPIConnection, _record: object) -> None:
    connection.isolation_level = None  # `_begin` sends BEGIN, not the driver
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN, "BEGIN"))


def postgresql_engine(connect: Callable[[], Awaitable[Any]], wait_seconds: float) -> AsyncEngine:
    """Create an engine on asyncpg connections; error messages contain no parameters."""
    return create_async_engine(
        "postgresql+asyncpg://",
        async_creator=connect,
        pool_pre_ping=True,
        pool_timeout=wait_seconds,
        hide_parameters=True,
    )
