"""Changes below a folder are told as sets of paths, until a stop."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from threading import Event

import pytest

from app.publishing.content import watcher
from app.publishing.content.watcher import folder_changes as changes_of


async def test_changed_paths_are_told(tmp_path: Path) -> None:
    """Nothing is told first, so that a caller can read what changed before."""
    told: set[str] = set()
    async with aclosing(changes_of(tmp_path, asyncio.Event())) as changes, asyncio.timeout(60):
        assert await anext(changes) == frozenset()
        (tmp_path / "a.md").write_text("x")
        async for change in changes:
            told |= change
            if str(tmp_path / "a.md") in told:
                return


async def test_a_stop_does_not_wait_for_the_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would make each stop of a service longer."""
    has_begun, may_end, stop = asyncio.Event(), Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def sleeping(*_: object, **__: object) -> Iterator[set[tuple[int, str]]]:
        loop.call_soon_threadsafe(has_begun.set)
        may_end.wait()
        yield set()

    monkeypatch.setattr(watcher, "watch_files", sleeping)

    async def listen() -> list[frozenset[str]]:
        return [change async for change in changes_of(tmp_path, stop)]

    listening = asyncio.create_task(listen())
    try:
        async with asyncio.timeout(60):
            await has_begun.wait()
            stop.set()
            assert await listening == []
    finally:
        may_end.set()
