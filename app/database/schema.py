"""The schema: which revision a database has, and the way to the newest."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext, MigrationStep
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from app.database.errors import SchemaMismatch

_MIGRATIONS = Path(__file__).parent / "migrations"


@cache
def _scripts() -> ScriptDirectory:
    return ScriptDirectory(str(_MIGRATIONS))


def newest() -> str:
    """The revision that this version of the service works with."""
    return _scripts().get_current_head() or ""


def known() -> frozenset[str]:
    """Every revision that this version can bring to the newest."""
    return frozenset(each.revision for each in _scripts().walk_revisions())


def current(connection: Connection) -> str | None:
    """The revision that a database has, None where it is empty."""
    return MigrationContext.configure(connection).get_current_revision()


def upgrade(connection: Connection) -> None:
    """Bring a database to the newest revision, in the transaction that the connection is in."""

    def steps(_revision: object, _context: object) -> Iterable[MigrationStep]:
        return _steps(current(connection))

    context = MigrationContext.configure(connection, opts={"fn": steps})
    with Operations.context(context):
        context.run_migrations()


def _steps(revision: str | None) -> list[MigrationStep]:
    """The steps from a revision up; raises SchemaMismatch where it is none of ours."""
    scripts = _scripts()
    if revision is not None and revision not in known():
        raise SchemaMismatch(
            f"The database has schema {revision}, which a newer version of majlis made. "
            "Install that version."
        )
    missing = list(scripts.iterate_revisions("heads", revision or "base"))
    return [
        MigrationStep.upgrade_from_script(scripts.revision_map, each) for each in reversed(missing)
    ]
