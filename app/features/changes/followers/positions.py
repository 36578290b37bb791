"""The positions of followers in the change log; all processes share them."""

from __future__ import annotations

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from app.features.changes.followers.tables import follower_positions
from app.platform.database.database import Database
from app.platform.database.statements import insert_of


class Positions:
    """Positions in a database; every method may raise StoreUnavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, follower: str, newest: int) -> int:
        """Return the position of a follower; a new one starts at the newest change."""
        insert = insert_of(follower_positions, is_postgresql=self._database.is_postgresql)
        new = insert.values(follower=follower, last_change=newest)
        known = select(follower_positions.c.last_change).where(
            follower_positions.c.follower == follower
        )
        async with self._database.reading() as connection:
            position: int | None = (await connection.execute(known)).scalar_one_or_none()
        if position is None:
            async with self._database.writing() as connection:
                await connection.execute(new.on_conflict_do_nothing())
                position = (await connection.execute(known)).scalar_one()
        return position

    async def advance(
        self, connection: AsyncConnection, follower: str, position: int, to: int
    ) -> bool:
        """Move a position, unless another process has moved it: then return False."""
        row = follower_positions.c
        moved = await connection.execute(
            update(follower_positions)
            .where(row.follower == follower, row.last_change == position)
            .values(last_change=to)
        )
        return bool(moved.rowcount)
