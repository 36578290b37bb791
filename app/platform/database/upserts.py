"""Inserts that give way to rows of the same key: ON CONFLICT, which both databases have."""

from __future__ import annotations

from typing import cast

from sqlalchemy import Table
from sqlalchemy.dialects import sqlite


def insert_of(table: Table, *, is_postgresql: bool) -> sqlite.Insert:
    """Return an INSERT of the database's dialect; that of PostgreSQL has the same methods."""
    if is_postgresql:
        # The dialect takes 30 ms to import, which SQLite does not need.
        from sqlalchemy.dialects import postgresql  # noqa: PLC0415

        return cast("sqlite.Insert", postgresql.insert(table))
    return sqlite.insert(table)
