"""The revision that the service requires is that of the migrations."""

from __future__ import annotations

from app.database import schema
from app.database.revision import NEWEST


def test_the_newest_revision_is_that_of_the_last_migration() -> None:
    """A new migration needs it too."""
    assert schema.missing(None)[-1] == NEWEST
