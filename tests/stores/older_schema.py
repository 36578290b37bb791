"""Databases with the schema of an older version."""

from __future__ import annotations

from collections.abc import Iterable

from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext, MigrationStep
from sqlalchemy import Connection
from stores.release_1_0 import create_release

from app.platform.database import migrations
from app.platform.database.database import Database
from app.platform.database.metadata import REVISIONS
from app.tables import all_tables


async def create_at(url: str, revision: str) -> None:
    """Create the tables of a new database as they were at a revision."""
    async with Database(url, tables=all_tables) as database:
        await database._backend.open()
        async with database._writing_engine.begin() as connection:
            await connection.run_sync(_upgrade_to, revision)


def _upgrade_to(connection: Connection, revision: str) -> None:
    create_release_1_0(connection)
    scripts = migrations._scripts()

    def steps(_revision: object, _context: object) -> Iterable[MigrationStep]:
        for script in reversed([*scripts.iterate_revisions(revision, REVISIONS[0])]):
            yield MigrationStep.upgrade_from_script(scripts.revision_map, script)

    context = MigrationContext.configure(connection, opts={"fn": steps})
    with Operations.context(context):
        context.run_migrations()


def create_release_1_0(connection: Connection) -> None:
    """Create the tables of release 1.0 in an empty database."""
    context = MigrationContext.configure(connection)
    with Operations.context(context):
        create_release()
    context.stamp(migrations._scripts(), REVISIONS[0])
