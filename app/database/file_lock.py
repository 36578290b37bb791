"""A lock between processes, held on a file by one of them at a time."""

from __future__ import annotations

import asyncio
import fcntl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import BinaryIO


@asynccontextmanager
async def locked(path: Path) -> AsyncIterator[None]:
    """Wait for the lock and hold it during the block; raises OSError, e.g. without a folder.

    The system releases the lock when the process ends for any reason.
    """
    handle = await asyncio.to_thread(acquire, path)
    try:
        yield
    finally:
        handle.close()


def acquire(path: Path) -> BinaryIO:
    """Wait for the lock and acquire it; closing the returned file releases it."""
    handle = path.open("ab")
    fcntl.flock(handle, fcntl.LOCK_EX)
    return handle
