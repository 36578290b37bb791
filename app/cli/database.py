"""`majlis db`: the schema of the database."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import click

from app.cli.settings import command_settings
from app.database import schema
from app.database.database import Database
from app.database.errors import SchemaMismatch, StoreUnavailable

Result = TypeVar("Result")


@click.group("db")
def database_group() -> None:
    """Look after the schema of DATABASE_URL."""


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
