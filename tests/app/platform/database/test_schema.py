"""The schema that an empty database gets is that of the migrations, of the newest revision."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from live.server import majlis
from sqlalchemy import Connection, create_engine, text
from stores.older_schema import create_at, create_release_1_0
from stores.postgresql import PostgreSQL

from app.platform.database import SchemaMismatch, migrations
from app.platform.database.database import Database
from app.platform.database.metadata import NEWEST, REVISIONS, SELECT, create, require_newest
from app.tables import all_tables

START = """
import asyncio, sys
from app.platform.database.database import Database
from app.tables import all_tables

async def prepare():
    async with Database(sys.argv[1], tables=all_tables) as database:
        await database.prepare()

asyncio.run(prepare())
print("alembic" in sys.modules)
"""


def statements_of(file: Path) -> set[str]:
    """Return the statements that would create a database again.

    Their spaces and the order of columns are those of whoever wrote them, and the name of the log
    of changes is random.
    """
    with closing(sqlite3.connect(file)) as connection:
        return {_without_order(each) for each in connection.iterdump()}


def _without_order(statement: str) -> str:
    named = re.sub(r"'[0-9a-f]{8}'", "?", statement)
    return ",".join(sorted("".join(named.removesuffix(");").split()).split(",")))


def made(file: Path, make: Callable[[Connection], None]) -> set[str]:
    """Make the schema of an empty database, and return its statements."""
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        make(connection)
    engine.dispose()
    return statements_of(file)


ADDING = {"create_table", "create_index", "add_column", "bulk_insert", "execute"}


def test_the_steps_leave_what_an_old_version_uses() -> None:
    """Its workers go on while the database is upgraded, as docs/upgrading.md says."""
    for file in Path(migrations.__file__).with_name("versions").glob("*.py"):
        source = file.read_text(encoding="utf-8")
        revision = re.search(r'^revision = "(\d+)"', source, re.MULTILINE)
        if revision and revision[1] != REVISIONS[0]:
            assert set(re.findall(r"\bop\.(\w+)", source)) <= ADDING, file.name
            assert not re.search(r"add_column\(.*nullable=False", source), file.name


def test_the_revisions_are_those_of_the_migrations() -> None:
    """A new migration needs its own there too."""
    assert (REVISIONS[0], *migrations.missing(REVISIONS[0])) == REVISIONS


def test_an_empty_database_gets_at_once_what_the_migrations_make(tmp_path: Path) -> None:
    """The modules `tables` and the migrations say the same, but for the order of columns."""

    def migrate(connection: Connection) -> None:
        create_release_1_0(connection)
        migrations.upgrade(connection)

    migrated = made(tmp_path / "migrated.db", migrate)
    assert made(tmp_path / "created.db", _create) == migrated


CATALOG = """
SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION SELECT concat_ws(' ', table_name, column_name, data_type, character_maximum_length,
    is_nullable, column_default) FROM information_schema.columns WHERE table_schema = 'public'
UNION SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
"""


async def test_postgresql_gets_at_once_what_the_migrations_make(postgresql: PostgreSQL) -> None:
    """Columns, keys and indexes, with the conditions of those of a part of the rows."""
    new, old = postgresql.new_database(), postgresql.new_database()
    await create_at(old, REVISIONS[0])
    catalogs = []
    for url in (new, old):
        async with Database(url, tables=all_tables) as database:
            await database.upgrade()
            assert await database.revision() == NEWEST
            async with database.reading() as connection:
                catalogs.append({*(await connection.execute(text(CATALOG))).scalars()})
    assert catalogs[0] == catalogs[1]
    assert any(each.endswith("WHERE (NOT quarantined)") for each in catalogs[0])


@pytest.mark.parametrize("command", ["db upgrade", "leads stats"])
def test_the_first_command_makes_all_tables(tmp_path: Path, command: str) -> None:
    """Also those of features that it has nothing to do with."""
    file = tmp_path / "majlis.db"
    variables = {"DATABASE_URL": f"sqlite:///{file}"}
    majlis(*command.split(), folder=tmp_path, variables=variables)
    assert statements_of(file) == made(tmp_path / "all.db", _create)


def _create(connection: Connection) -> None:
    create(connection, all_tables())


def test_the_first_start_needs_no_alembic(tmp_path: Path) -> None:
    """Its import takes longer than to create the schema."""
    command = [sys.executable, "-c", START, f"sqlite:///{tmp_path}/majlis.db"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]
    with closing(sqlite3.connect(tmp_path / "majlis.db")) as connection:
        assert connection.execute(SELECT).fetchall() == [(NEWEST,)]


def test_an_older_schema_than_the_release_is_left_as_it_is(tmp_path: Path) -> None:
    """Its migrations are those of the release."""
    file = tmp_path / "old.db"
    made(file, _create)
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0022'"))
    before = statements_of(file)
    with engine.connect() as connection, pytest.raises(SchemaMismatch, match=re.escape("1.0.0")):
        migrations.upgrade(connection)
    engine.dispose()
    assert statements_of(file) == before


@pytest.mark.parametrize(
    ("revision", "remedy"),
    [
        (None, "Run `majlis db upgrade`"),
        (REVISIONS[0], "Run `majlis db upgrade`"),
        ("0022", "older than release 1.0. Install release 1.0.0, run its `majlis db upgrade`"),
        ("9999", "Install that version"),
    ],
)
def test_another_schema_is_refused_with_its_remedy(revision: str | None, remedy: str) -> None:
    """An upgrade would not help a version that is older than the schema."""
    with pytest.raises(SchemaMismatch, match=remedy):
        require_newest(revision)
