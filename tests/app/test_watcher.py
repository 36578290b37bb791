"""The watcher."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from pathlib import Path

from conftest import Content

from app.edition import Editions
from app.executors import BoundedExecutor
from app.watcher import watch
from knowledge.names import Kind


class ToldEditions(Editions):
    """Editions that tell when they were read."""

    def __init__(self, content_dir: Path) -> None:
        super().__init__(content_dir)
        self.read = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def reload(self, changed: Collection[str] | None = None) -> None:
        """Read, and say so."""
        super().reload(changed)
        self._loop.call_soon_threadsafe(self.read.set)


async def test_what_changed_just_before_the_watch_is_read(content: Content) -> None:
    """Between the first reading and the watch nobody looked."""
    editions = ToldEditions(content({"pages/a.md": "x"}))
    stop = asyncio.Event()
    watching = asyncio.create_task(
        watch(editions, BoundedExecutor("edits", threads=1, queue=1), stop)
    )
    await asyncio.wait_for(editions.read.wait(), 60)
    stop.set()
    await watching
    assert editions.current.snapshot.entry(Kind.PAGE, "a") is not None
