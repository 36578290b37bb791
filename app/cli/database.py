"""`majlis db`: the schema of the database, its backup and its restore."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import click

from app.cli.settings import command_settings
from app.database import schema
from app.database.backup import back_up
from app.database.backup import restore as restore_backup
from app.database.database import Database
from app.database.engine import WAIT_SECONDS
from app.database.errors import BackupError, SchemaMismatch, StoreUnavailable
from app.database.url import sqlite_file

Result = TypeVar("Result")

_FILE = click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
_FORCE = click.option("--force", is_flag=True, help="Replace a file that exists.")


@click.group("db")
def database_group() -> None:
    """Look after the database of DATABASE_URL."""


@database_group.command()
def upgrade() -> None:
    """Bring the schema to what this version works with; PostgreSQL needs it before a start."""
    with_database(Database.upgrade)
    click.echo(f"The schema is at {schema.newest()}.")


@database_group.command()
def current() -> None:
    """Print the revision that the database has, and the one that is needed."""
    revision = with_database(Database.revision)
    click.echo(f"{revision or 'none'} (this version works with {schema.newest()})")


@database_group.command()
@_FILE
@_FORCE
def backup(file: Path, force: bool) -> None:
    """Copy an SQLite database to FILE, checked and for its owner alone; the service may run."""
    database = _sqlite_file("Use pg_dump to back it up, such as: pg_dump -Fc -f FILE DATABASE")
    revision = _reported(lambda: back_up(database, file, WAIT_SECONDS, overwrite=force))
    click.echo(f"Wrote {file}: schema {revision}, {file.stat().st_size:,} bytes.")


@database_group.command()
@_FILE
@_FORCE
def restore(file: Path, force: bool) -> None:
    """Put FILE, an SQLite backup, in the place of the database; the service must be stopped."""
    database = _sqlite_file("Use pg_restore to restore it.")
    revision = _reported(lambda: restore_backup(file, database, overwrite=force))
    click.echo(f"Restored {database} from {file}: schema {revision}.")


def _sqlite_file(otherwise: str) -> Path:
    """The file of DATABASE_URL; ends the command if it names a PostgreSQL database."""
    file = sqlite_file(command_settings().database_url)
    if file is None:
        raise click.ClickException(f"DATABASE_URL names a PostgreSQL database. {otherwise}")
    return file.absolute()


def _reported(work: Callable[[], Result]) -> Result:
    """Do the work, or end the command with what is wrong."""
    try:
        return work()
    except (BackupError, OSError, sqlite3.Error) as error:
        raise click.ClickException(str(error)) from None


def with_database(work: Callable[[Database], Awaitable[Result]]) -> Result:
    """Do a command's work on the database of the settings, or end the command with a word."""
    url = command_settings().database_url

    async def run() -> Result:
        async with Database(url) as database:
            return await work(database)

    try:
        return asyncio.run(run())
    except StoreUnavailable as error:
        raise click.ClickException(f"DATABASE_URL: no answer. {error.__cause__}") from None
    except SchemaMismatch as error:
        raise click.ClickException(str(error)) from None
