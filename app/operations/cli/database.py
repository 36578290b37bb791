"""`majlis backup`, `majlis restore` and `majlis db`: the state of the service, and its database."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from app.console import command_settings
from app.console.database import or_fail, with_database
from app.feature import key_files, key_files_in, key_variable
from app.operations.backup.archive import CONTENT, DATABASE, KEYS, Manifest
from app.operations.backup.backup import (
    RestorePlaces,
    State,
    make_backup,
    read_manifest,
    restore_backup,
)
from app.platform.clock import utc_now
from app.platform.database import BackupError
from app.platform.database.backup import back_up
from app.platform.database.backup import restore as restore_file
from app.platform.database.database import WAIT_SECONDS, Database
from app.platform.database.metadata import NEWEST
from app.platform.database.seen_clock import believe
from app.platform.database.url import SQLITE, checked_url, sqlite_file
from app.platform.keys import accept
from app.tables import shared_keys

_FILE = click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
_FORCE = click.option("--force", is_flag=True, help="Replace an existing file.")


@click.command()
@_FILE
@click.option("--with-content", is_flag=True, help="Include the files of CONTENT_DIR.")
@_FORCE
def backup(file: Path, with_content: bool, force: bool) -> None:
    """Write database and keys, and content if wanted, to FILE. The service may run.

    PostgreSQL needs pg_dump. Only the owner of FILE can read it; it contains personal data.
    """
    settings = command_settings()
    state = State(
        settings.database_url,
        _revision(settings.database_url),
        key_files(settings),
        settings.content_dir if with_content else None,
    )
    result = or_fail(lambda: make_backup(state, file, utc_now(), WAIT_SECONDS, overwrite=force))
    click.echo(f"Wrote {file}: {_parts(result.manifest)}.")
    for path in result.skipped:
        click.echo(f"Left out: {path!r} is a link, or its name is not allowed.", err=True)


def _revision(url: str) -> str:
    """Return the schema of a PostgreSQL database; ends the command if it has none."""
    if sqlite_file(url):
        return ""
    revision = with_database(Database.revision)
    if revision is None:
        raise click.ClickException("The database is empty. There is nothing to back up.")
    return revision


def _parts(manifest: Manifest) -> str:
    """Return what a backup holds, in words."""
    keys, files = (len(manifest.names(folder)) for folder in (KEYS, CONTENT))
    size = manifest.members[DATABASE].size
    return (
        f"the database (schema {manifest.schema_revision}, {size:,} bytes), "
        f"{keys} {'key' if keys == 1 else 'keys'}, "
        f"{files or 'no'} {'file' if files == 1 else 'files'} of content"
    )


@click.command()
@_FILE
@click.option(
    "--into", "places", multiple=True, help="Folder or URL of a database; may be repeated."
)
@click.option("--no-content", is_flag=True, help="Restore no files of content.")
@_FORCE
def restore(file: Path, places: Sequence[str], no_content: bool, force: bool) -> None:
    """Restore the backup FILE. Stop the service first.

    Without --into everything returns to where the settings say. Into a folder, the database
    becomes majlis.db, and keys and content stand beside it. Into a URL, only the database is
    restored; with a URL and a folder, the rest goes into the folder.
    """
    target = or_fail(lambda: _places(file, places))
    if no_content:
        target = replace(target, content=None)
    manifest = or_fail(lambda: restore_backup(file, target, overwrite=force))
    made = f"{manifest.created_at:%Y-%m-%d %H:%M} UTC by majlis {manifest.majlis}"
    click.echo(f"Restored {file}, made {made}: {_parts(_restored(manifest, target))}.")
    for line in _next_steps(manifest, target, is_elsewhere=bool(places)):
        click.echo(line, err=True)


def _places(file: Path, into: Sequence[str]) -> RestorePlaces:
    """Return where the parts are restored to; raises BackupError and OSError."""
    if not into:
        settings = command_settings()
        return RestorePlaces(settings.database_url, key_files(settings), settings.content_dir)
    urls = [_checked(place) for place in into if "://" in place]
    folders = [Path(place).absolute() for place in into if "://" not in place]
    if max(len(urls), len(folders)) > 1:
        raise click.UsageError("Use --into for one folder and one URL at most.")
    url = urls[0] if urls else _url_in(folders[0], read_manifest(file))
    if not folders:
        return RestorePlaces(url, {}, None)
    return RestorePlaces(url, key_files_in(folders[0]), folders[0] / "content")


def _checked(url: str) -> str:
    try:
        return checked_url(url)
    except ValueError as error:
        raise click.BadParameter(f"{error}", param_hint="--into") from None


def _url_in(folder: Path, manifest: Manifest) -> str:
    """Return the URL of the database in a folder; raises BackupError if it is of PostgreSQL."""
    if manifest.database == "postgresql":
        raise BackupError(
            "The backup holds a database of PostgreSQL. "
            "Add --into postgresql://user:password@host/database."
        )
    return f"{SQLITE}{folder}/majlis.db"


def _restored(manifest: Manifest, places: RestorePlaces) -> Manifest:
    """Return the manifest with the parts that had a place."""
    names = {DATABASE, *(KEYS + name for name in places.keys)}
    names |= set(manifest.names(CONTENT)) if places.content else set()
    members = {name: member for name, member in manifest.members.items() if name in names}
    return manifest.model_copy(update={"members": members})


def _next_steps(manifest: Manifest, places: RestorePlaces, *, is_elsewhere: bool) -> Iterator[str]:
    """Yield what is left to do."""
    left = set(manifest.names(KEYS)) - {KEYS + name for name in places.keys}
    if left:
        yield f"Not restored: {', '.join(sorted(left))}. Add --into FOLDER for them."
    if manifest.schema_revision != NEWEST:
        yield "The schema is older: run `majlis db upgrade` before the service starts."
    if is_elsewhere:
        yield "To use what was restored, set:"
        yield from (f"  {line}" for line in _variables(manifest, places))


def _variables(manifest: Manifest, places: RestorePlaces) -> Iterator[str]:
    """Yield the settings that name what was restored; the URL of a server may hold a password."""
    if sqlite_file(places.database_url):
        yield f"DATABASE_URL={places.database_url}"
    else:
        yield "DATABASE_URL with the URL after --into"
    for name, path in places.keys.items():
        if KEYS + name in manifest.members:
            yield f"{key_variable(name)}={path}"
    if places.content and manifest.names(CONTENT):
        yield f"CONTENT_DIR={places.content}"


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
    """Accept the keys of this machine as those of all machines, after one was replaced.

    A shared database has a fingerprint of each key, and a start with another key is refused. The
    fingerprint of a key without a file is deleted: the next key that is made then counts. Stop the
    service first, and copy the files to the other machines.
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


@database_group.command("believe-clock")
def believe_clock() -> None:
    """Confirm that the clock of this machine is right, after it was far ahead of the last time.

    Until then nothing is deleted by its age, such as leads by LEAD_RETENTION_DAYS.
    """
    now = utc_now()

    async def confirm(database: Database) -> None:
        async with database.writing() as connection:
            await believe(connection, now, is_confirmed=True)

    with_database(confirm)
    click.echo(f"It is {now:%Y-%m-%d %H:%M} UTC. What is due is deleted within an hour.")


@database_group.command("backup")
@_FILE
@_FORCE
def back_up_database(file: Path, force: bool) -> None:
    """Back up an SQLite database to FILE. The service may run.

    The backup is checked, and only its owner can read it.
    """
    database = _sqlite_file("Use pg_dump to back it up: pg_dump -Fc -f FILE DATABASE")
    revision = or_fail(lambda: back_up(database, file, WAIT_SECONDS, overwrite=force))
    click.echo(f"Wrote {file}: schema {revision}, {file.stat().st_size:,} bytes.")


@database_group.command("restore")
@_FILE
@_FORCE
def restore_database(file: Path, force: bool) -> None:
    """Replace an SQLite database with the backup FILE. Stop the service first."""
    database = _sqlite_file("Use pg_restore to restore it.")
    revision = or_fail(lambda: restore_file(file, database, overwrite=force))
    click.echo(f"Restored {database} from {file}: schema {revision}.")


def _sqlite_file(postgresql_advice: str) -> Path:
    """Return the file of DATABASE_URL; ends the command if it names a PostgreSQL database."""
    file = sqlite_file(command_settings().database_url)
    if file is None:
        raise click.ClickException(f"DATABASE_URL names a PostgreSQL database. {postgresql_advice}")
    return file.absolute()
