"""The database for commands: its errors end the command with a message."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from typing import TypeVar

import click

from app.console import command_settings
from app.platform.database import BackupError, SchemaMismatch, StoreUnavailable
from app.platform.database.database import Database
from app.tables import all_tables

Result = TypeVar("Result")


def or_fail(work: Callable[[], Result]) -> Result:
    """Call a function, and end the command with the message of its error."""
    try:
        return work()
    except (BackupError, OSError, sqlite3.Error) as error:
        raise click.ClickException(str(error)) from None


def with_database(work: Callable[[Database], Awaitable[Result]]) -> Result:
    """Call a function with the database of the settings; a database error ends the command."""
    url = command_settings().database_url

    async def run() -> Result:
        async with Database(url, tables=all_tables) as database:
            return await work(database)

    try:
        return asyncio.run(run())
    except StoreUnavailable as error:
        message = f"DATABASE_URL: the database is unavailable. {error.__cause__}"
        raise click.ClickException(message) from None
    except SchemaMismatch as error:
        raise click.ClickException(str(error)) from None
