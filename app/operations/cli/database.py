"""`majlis db`: upgrades the schema of the database, and creates and restores backups."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from app.console.database import or_fail, with_database
from app.console.settings import command_settings
from app.platform.database.backup import back_up
from app.platform.database.backup import restore as restore_backup
from app.platform.database.database import WAIT_SECONDS, Database
from app.platform.database.metadata import NEWEST
from app.platform.database.url import sqlite_file
from app.platform.keys import accept
from app.tables import shared_keys

FILE = click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
FORCE = click.option("--force", is_flag=True, help="Replace an existing file.")


@click.group("db")
def database_group() -> None:
    """Manage the database of DATABASE_URL."""


@database_group.command()
def upgrade() -> None:
    """Upgrade the schema to this version. PostgreSQL requires it before the service starts."""
    with_database(Database.upgrade)
    click.echo(f"The schema is at revision {NEWEST}.")


@database_group.command()
def current() -> None:
    """Print the schema revision of the database and the required one."""
    revision = with_database(Database.revision)
    click.echo(f"{revision or 'none'} (this version requires {NEWEST})")


@database_group.command("accept-keys")
def accept_keys() -> None:
    """Let the keys of this machine be those of all instances, after one was replaced.

    A shared database has a fingerprint of each key, and a start with another key is refused. One
    whose file is deleted is forgotten: the next one that is made counts. Stop the service first,
    and copy the files to the other machines.
    """
    settings = command_settings()
    if sqlite_file(settings.database_url) is not None:
        raise click.ClickException("An SQLite database has no fingerprints: no machine shares it.")
    keys = shared_keys(settings)
    work = partial(accept, keys=keys)
    accepted = with_database(lambda database: database.write_group(work))
    for key in keys:
        told = accepted.get(key.variable)
        click.echo(f"{key.variable}: {told or 'none yet; the next one that is made counts'}")


@database_group.command()
@FILE
@FORCE
def backup(file: Path, force: bool) -> None:
    """Back up an SQLite database to FILE. The service may run.

    The backup is checked, and only its owner can read it.
    """
    database = _sqlite_file("Use pg_dump to back it up: pg_dump -Fc -f FILE DATABASE")
    revision = or_fail(lambda: back_up(database, file, WAIT_SECONDS, overwrite=force))
    click.echo(f"Wrote {file}: schema {revision}, {file.stat().st_size:,} bytes.")


@database_group.command()
@FILE
@FORCE
def restore(file: Path, force: bool) -> None:
    """Replace an SQLite database with the backup FILE. Stop the service first."""
    database = _sqlite_file("Use pg_restore to restore it.")
    revision = or_fail(lambda: restore_backup(file, database, overwrite=force))
    click.echo(f"Restored {database} from {file}: schema {revision}.")


def _sqlite_file(postgresql_advice: str) -> Path:
    """Return the file of DATABASE_URL; ends the command if it names a PostgreSQL database."""
    file = sqlite_file(command_settings().database_url)
    if file is None:
        raise click.ClickException(f"DATABASE_URL names a PostgreSQL database. {postgresql_advice}")
    return file.absolute()
