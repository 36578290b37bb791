"""The schema migrations, one module per revision, and the upgrade of a database to the newest."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext, MigrationStep
from alembic.script import Script, ScriptDirectory
from sqlalchemy import Connection

from app.platform.database.metadata import current, require_known


@cache
def _scripts() -> ScriptDirectory:
    return ScriptDirectory(str(Path(__file__).parent))


def upgrade(connection: Connection) -> None:
    """Upgrade a database to the newest revision, in the connection's current transaction."""

    def steps(_revision: object, _context: object) -> Iterable[MigrationStep]:
        revision_map = _scripts().revision_map
        missing_scripts = _missing_scripts(current(connection))
        return [MigrationStep.upgrade_from_script(revision_map, each) for each in missing_scripts]

    context = MigrationContext.configure(connection, opts={"fn": steps})
    with Operations.context(context):
        context.run_migrations()


def missing(revision: str | None) -> list[str]:
    """Return the revisions after one, oldest first; raises SchemaMismatch if it is unknown."""
    return [script.revision for script in _missing_scripts(revision)]


def _missing_scripts(revision: str | None) -> list[Script]:
    if revision is not None:
        require_known(revision)
    return [*_scripts().iterate_revisions("heads", revision or "base")][::-1]
