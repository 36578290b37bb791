"""The schema migrations, one module per revision, and the upgrade of a database to the newest."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext, MigrationStep
from alembic.script import Script, ScriptDirectory
from sqlalchemy import Connection

from app.platform.database.metadata import NEWEST, REVISIONS, current, require_known


@cache
def _scripts() -> ScriptDirectory:
    return ScriptDirectory(str(Path(__file__).parent))


def upgrade(connection: Connection) -> None:
    """Upgrade a database to the newest revision, in the connection's current transaction."""

    def steps(_revision: object, _context: object) -> Iterable[MigrationStep]:
        scripts = _missing_scripts(current(connection) or REVISIONS[0])
        return [
            MigrationStep.upgrade_from_script(_scripts().revision_map, each) for each in scripts
        ]

    context = MigrationContext.configure(connection, opts={"fn": steps})
    with Operations.context(context):
        context.run_migrations()


def missing(revision: str | None) -> list[str]:
    """Return the revisions after one, oldest first; raises SchemaMismatch if it is unknown.

    An empty database gets the newest one at once.
    """
    return [each.revision for each in _missing_scripts(revision)] if revision else [NEWEST]


def _missing_scripts(revision: str) -> list[Script]:
    require_known(revision)
    return [*_scripts().iterate_revisions("heads", revision)][::-1]
