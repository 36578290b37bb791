"""The backend of a database: what differs between SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol, TypeVar

from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncEngine

Result = TypeVar("Result")


class Backend(Protocol):
    """An open database."""

    @property
    def engine(self) -> AsyncEngine:
        """The engine of single transactions."""

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """The driver's errors of a database that cannot answer."""

    @property
    def is_current(self) -> bool:
        """Whether the open database is the one that the URL names."""

    def check(self) -> None:
        """Raise DatabaseFileChanged if it is not."""

    async def open(self) -> None:
        """Open the database, unless that is done by each connection."""

    async def read_group(self, work: Callable[[Connection], Result], /) -> Result:
        """Run a transaction of many reads."""

    async def write_group(self, work: Callable[[Connection], Result], /) -> Result:
        """Run a transaction of many writes, on a connection that nothing else uses."""

    def guarded(self) -> AbstractAsyncContextManager[None]:
        """Guard the operation in the block: raises TimeoutError if the database hangs."""

    def schema_lock(self) -> AbstractAsyncContextManager[None]:
        """Hold the lock of changes of the schema."""

    async def close(self) -> None:
        """Close every connection."""
