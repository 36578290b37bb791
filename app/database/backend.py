"""What SQLite and PostgreSQL do differently, behind one face."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from sqlalchemy.ext.asyncio import AsyncEngine


class Backend(Protocol):
    """One database: its engine, and what is to be looked after around a transaction."""

    @property
    def engine(self) -> AsyncEngine:
        """Gives connections, once the backend is open."""
        ...

    @property
    def is_current(self) -> bool:
        """Whether the connections lead to the database that the URL names."""
        ...

    async def open(self) -> None:
        """Get ready for connections, again if `is_current` no longer holds."""
        ...

    def check(self) -> None:
        """Raise DatabaseFileChanged unless `is_current`."""
        ...

    def guarded(self) -> AbstractAsyncContextManager[None]:
        """Run an operation in the block; ends it with a TimeoutError if the database hangs."""
        ...

    def schema_lock(self) -> AbstractAsyncContextManager[None]:
        """Let no other process change the schema meanwhile."""
        ...

    async def close(self) -> None:
        """Close every connection; does not wait for a server that hangs."""
        ...
