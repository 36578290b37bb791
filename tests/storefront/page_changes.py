"""A change log to follow, and what is recorded in it."""

from __future__ import annotations

from contract.visitor import NOW

from app.features.changes.model import Change, ChangeType
from app.features.changes.published import Difference, PublishedStates
from app.platform.database.database import Database
from knowledge.locales.locale import Country, Language


def changed(
    slug: str, change: ChangeType = ChangeType.CHANGED, moved_to: str | None = None
) -> Change:
    """Return a change of a page of the Emirates."""
    path = f"/ae/en/{slug}"
    return Change(change, path, "page", Country("AE"), Language.EN, NOW, moved_to)


async def record(database: Database, *changes: Change) -> None:
    """Record changes as the next revision."""
    states = PublishedStates(database)
    assert await states.record(await states.load(), Difference(changes, {}, NOW, "site"), NOW)
