"""The common interface of the SQLite and PostgreSQL backends."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from sqlalchemy.ext.asyncio import AsyncEngine


class Backend(Protocol):
    """A database backend: its engine, and its checks and locks around a transaction."""

    @property
    def engine(self) -> AsyncEngine:
        """The engine, usable once the backend is open."""
        ...

    @property
    def is_current(self) -> bool:
        """Whether the connections use the database that the URL names."""
        ...

    async def open(self) -> None:
        """Prepare for connections; call it again when `is_current` is False."""
        ...

    def check(self) -> None:
        """Raise DatabaseFileChanged unless `is_current`."""
        ...

    def guarded(self) -> AbstractAsyncContextManager[None]:
        """Guard the operation in the block: raises TimeoutError if the database hangs."""
        ...

    def schema_lock(self) -> AbstractAsyncContextManager[None]:
        """Prevent other processes from changing the schema during the block."""
        ...

    async def close(self) -> None:
        """Close every connection without waiting for a server that hangs."""
        ...
