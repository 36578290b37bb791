"""The watcher reloads changed paths, and scans the whole folder when needed."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from pathlib import Path

import pytest
from cases import cases
from conftest import Content

from app.platform.concurrency.executors import BoundedExecutor
from app.publishing.content.store import ContentStore
from app.publishing.content.watcher import paths_to_read, watch
from knowledge.fields.content_types import PAGE


class RecordingStore(ContentStore):
    """A content store that records its reloads."""

    def __init__(self, content_dir: Path) -> None:
        super().__init__(content_dir)
        self.reloaded = asyncio.Event()
        self.rescanned = asyncio.Event()
        self.reloads: list[Collection[str] | None] = []
        self._loop = asyncio.get_running_loop()

    def reload(self, changed: Collection[str] | None = None) -> None:
        """Reload and record the paths."""
        super().reload(changed)
        self.reloads.append(changed)
        self._loop.call_soon_threadsafe(self.reloaded.set)

    def rescan(self) -> None:
        """Scan the whole folder and record that."""
        super().rescan()
        self._loop.call_soon_threadsafe(self.rescanned.set)


async def test_what_changed_just_before_the_watch_is_read(content: Content) -> None:
    """Changes between the first load and the watch are found."""
    content_store = RecordingStore(content({"pages/a.md": "x"}))
    stop = asyncio.Event()
    watching = asyncio.create_task(
        watch(content_store, BoundedExecutor("edits", threads=1, queue=1), stop)
    )
    await asyncio.wait_for(content_store.reloaded.wait(), 60)
    stop.set()
    await watching
    assert content_store.current.snapshot.entry(PAGE, "a") is not None


async def test_the_whole_folder_is_scanned_every_minute(content: Content) -> None:
    """The first change after a minute starts a scan, as events may get lost.

    The change does not wait for it. Without a change there is no scan: an idle service does not
    read its folder.
    """
    now = 1000.0
    folder = content({"pages/a.md": "x"})
    content_store = RecordingStore(folder)
    stop = asyncio.Event()
    edits = BoundedExecutor("edits", threads=1, queue=1)
    watching = asyncio.create_task(watch(content_store, edits, stop, lambda: now))

    async def next_reload() -> Collection[str] | None:
        await asyncio.wait_for(content_store.reloaded.wait(), 60)
        content_store.reloaded.clear()
        return content_store.reloads[-1]

    assert await next_reload() is None  # the first scan
    for second in (0.0, 59.9):
        now = 1000.0 + second
        (folder / "pages" / "a.md").write_text(f"At {second}")
        assert await next_reload() == {"pages/a.md"}
    assert not content_store.rescanned.is_set()
    now = 1060.0
    (folder / "pages" / "a.md").write_text("After a minute")
    assert await next_reload() == {"pages/a.md"}
    await asyncio.wait_for(content_store.rescanned.wait(), 60)
    content_store.rescanned.clear()
    now += 59.9
    (folder / "pages" / "a.md").write_text("The minute starts again")
    assert await next_reload() == {"pages/a.md"}
    assert not content_store.rescanned.is_set()
    stop.set()
    await watching


def test_a_rescan_finds_what_no_event_told(content: Content) -> None:
    """What was edited, added and deleted without an event is served after it."""
    folder = content({"pages/a.md": "x", "pages/b.md": "x", "pages/c.md": "x", "a/x.pdf": b"x"})
    content_store = ContentStore(folder)
    content_store.reload()
    before = content_store.current
    content_store.rescan()
    assert content_store.current is before
    (folder / "pages" / "a.md").write_text("An edit")
    (folder / "pages" / "b.md").unlink()
    (folder / "pages" / "new.md").write_text("New")
    (folder / "a" / "x.pdf").unlink()
    content_store.rescan()
    snapshot = content_store.current.snapshot
    assert {"a", "c", "new"} == {entry.slug for entry in snapshot.all(PAGE)}
    edited = snapshot.entry(PAGE, "a")
    assert edited is not None
    assert "An edit" in edited.documents[0].body
    assert "a/x.pdf" not in snapshot.assets


@cases(
    ("count", "is_all"),
    [
        pytest.param(1, False, id="an edit"),
        pytest.param(500, False, id="many"),
        pytest.param(501, True, id="a deployment"),
        pytest.param(0, True, id="the folder itself"),
    ],
)
def test_the_paths_to_reload(count: int, is_all: bool) -> None:
    """Up to 500 paths are reloaded one by one; with more, a full scan is faster."""
    changed = frozenset(f"pages/{number}.md" for number in range(count))
    assert paths_to_read(changed) == (None if is_all else changed)
