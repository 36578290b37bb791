"""Access to SQLite files without the service."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path


def copy_database(file: Path, target: Path) -> Path:
    """Copy a database consistently to a single file, and return its path."""
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
    return target


def stored_leads(file: Path) -> list[dict[str, str]]:
    """Check the integrity of a closed file, and return the address and id of each lead in it."""
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        rows = connection.execute("SELECT email, id FROM leads ORDER BY received_at").fetchall()
    return [{"email": email, "id": lead_id} for email, lead_id in rows]
