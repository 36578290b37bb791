"""Databases that have the current schema from their first moment: copies of one that was migrated.

Most tests start an application of their own, and to create the schema takes longer than to copy a
file. Migrations themselves are tested in `tests/app/database`, the creation of the schema there and
with each real server. Databases of PostgreSQL are copied by `stores.postgresql`.
"""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from app.platform.database.database import Database
from app.tables import all_tables


@cache
def _migrated_file() -> bytes:
    with TemporaryDirectory(prefix="majlis-migrated-") as folder:
        file = Path(folder, "majlis.db")
        migrate(f"sqlite:///{file}")
        return file.read_bytes()


def migrate(url: str) -> None:
    """Give a database the current schema."""
    asyncio.run(_upgrade(url))


async def _upgrade(url: str) -> None:
    async with Database(url, tables=all_tables) as database:
        await database.upgrade()


def migrated_sqlite(file: Path) -> str:
    """Write a database without rows, and return its URL."""
    file.write_bytes(_migrated_file())
    return f"sqlite:///{file}"
