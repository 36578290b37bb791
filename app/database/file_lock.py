"""A lock between processes: a file that one of them holds at a time."""

from __future__ import annotations

import asyncio
import fcntl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import BinaryIO


@asynccontextmanager
async def locked(path: Path) -> AsyncIterator[None]:
    """Hold the lock, waiting for whoever has it. Raises OSError, as if there is no folder.

    The system lets go of it when the process ends, however it ends.
    """
    handle = await asyncio.to_thread(acquire, path)
    try:
        yield
    finally:
        handle.close()


def acquire(path: Path) -> BinaryIO:
    """Wait for the lock and take it; closing the file releases it."""
    handle = path.open("ab")
    fcntl.flock(handle, fcntl.LOCK_EX)
    return handle
