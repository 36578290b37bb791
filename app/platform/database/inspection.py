"""Inspection of a database from outside: it creates nothing, upgrades nothing and locks nothing."""

import asyncio
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from app.platform.clock import Clock, utc_now
from app.platform.concurrency.guards import result_within
from app.platform.database.metadata import SELECT, TABLE
from app.platform.database.url import connect_seconds, sqlite_file


@dataclass(frozen=True, slots=True)
class DatabaseState:
    """What is known of a database; `problem` says why it cannot be read."""

    exists: bool = True
    problem: str | None = None
    revision: str | None = None
    damage: str | None = None
    is_checked: bool = True
    is_read_only: bool = False
    connections: int | None = None
    """How many the server allows to all its clients."""
    is_pooled: bool = False
    """Whether a pooler is between, whose connections those are."""
    ahead_seconds: float | None = None
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    """Those of the keys that all instances on a server share, by variable."""


async def inspect(url: str, wait_seconds: float, clock: Clock = utc_now) -> DatabaseState:
    """Return the state of the database of a URL."""
    file = sqlite_file(url)
    if file is not None:
        return await asyncio.to_thread(_inspect_file, file.absolute(), wait_seconds)
    import asyncpg  # noqa: PLC0415  # of an extra

    try:
        return await result_within(_inspect_server(url, wait_seconds, clock), 2 * wait_seconds)
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        return DatabaseState(problem=_reason(error))
    except ValueError:  # its message may have a part of the URL
        return DatabaseState(problem="The URL is malformed.")


def _inspect_file(file: Path, wait_seconds: float) -> DatabaseState:
    if not file.exists():
        return DatabaseState(exists=False)
    # Without a -wal no process has it open, and a reader would create one.
    mode = "mode=ro" if Path(f"{file}-wal").exists() else "mode=ro&immutable=1"
    try:
        with closing(
            sqlite3.connect(f"{file.as_uri()}?{mode}", uri=True, timeout=wait_seconds)
        ) as connection:
            revision = _file_revision(connection)
            damage, is_checked = _damage(connection)
    except sqlite3.Error as error:
        return DatabaseState(problem=_reason(error))
    return DatabaseState(revision=revision, damage=damage, is_checked=is_checked)


def _file_revision(connection: sqlite3.Connection) -> str | None:
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema")}
    if TABLE not in tables:
        return None
    row = connection.execute(SELECT).fetchone()
    return str(row[0]) if row else None


CHECK_SECONDS = 5.0
"""How long the check of a file may take; a larger one is checked in part."""
_CONNECTIONS = """
SELECT current_setting('max_connections')::int
    - current_setting('superuser_reserved_connections')::int, pg_backend_pid()
"""
_SELECT_KEYS = "SELECT variable, fingerprint FROM shared_keys"
_STEPS = 10_000
"""Instructions of SQLite between two looks at the time."""


def _damage(connection: sqlite3.Connection) -> tuple[str | None, bool]:
    """Return the first damage of a file, and whether all of it was checked."""
    until = monotonic() + CHECK_SECONDS
    connection.set_progress_handler(lambda: monotonic() > until, _STEPS)
    try:
        found = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError:
        if monotonic() > until:
            return None, False
        raise
    return (None if found == ("ok",) else str(found[0])), True


async def _inspect_server(url: str, wait_seconds: float, clock: Clock) -> DatabaseState:
    from app.platform.database.postgresql import POOLED, Servers  # noqa: PLC0415

    servers = Servers(url, connect_seconds(url, wait_seconds))
    connection = await servers.connect(command_timeout=wait_seconds, **POOLED)
    try:
        before = clock()
        now: datetime = await connection.fetchval("SELECT clock_timestamp()")
        middle = before + (clock() - before) / 2
        has_schema = await connection.fetchval("SELECT to_regclass($1) IS NOT NULL", TABLE)
        revision = await connection.fetchval(SELECT) if has_schema else None
        has_keys = await connection.fetchval("SELECT to_regclass($1) IS NOT NULL", "shared_keys")
        keys = await connection.fetch(_SELECT_KEYS) if has_keys else []
        read_only = await connection.fetchval("SHOW transaction_read_only")
        allowed, process = await connection.fetchrow(_CONNECTIONS)
        is_pooled = process != connection.get_server_pid()
    finally:
        connection.terminate()
    return DatabaseState(
        revision=revision,
        is_read_only=read_only == "on",
        fingerprints=dict(keys),
        connections=allowed,
        is_pooled=is_pooled,
        ahead_seconds=(now.astimezone(UTC) - middle).total_seconds(),
    )


def _reason(error: Exception) -> str:
    """Return the type and the message of an error; asyncpg's have no password."""
    return f"{type(error).__name__}: {error}".rstrip(": ")
