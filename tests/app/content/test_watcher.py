"""The watcher."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from pathlib import Path

import pytest
from conftest import Content

from app.concurrency.executors import BoundedExecutor
from app.content.store import ContentStore
from app.content.watcher import paths_to_read, watch
from knowledge.content_path import ContentType


class ToldEditions(ContentStore):
    """Editions that tell when they were read, and which paths of theirs."""

    def __init__(self, content_dir: Path) -> None:
        super().__init__(content_dir)
        self.read = asyncio.Event()
        self.asked: list[Collection[str] | None] = []
        self._loop = asyncio.get_running_loop()

    def reload(self, changed: Collection[str] | None = None) -> None:
        """Read, and say so."""
        super().reload(changed)
        self.asked.append(changed)
        self._loop.call_soon_threadsafe(self.read.set)


async def test_what_changed_just_before_the_watch_is_read(content: Content) -> None:
    """Between the first reading and the watch nobody looked."""
    content_store = ToldEditions(content({"pages/a.md": "x"}))
    stop = asyncio.Event()
    watching = asyncio.create_task(
        watch(content_store, BoundedExecutor("edits", threads=1, queue=1), stop)
    )
    await asyncio.wait_for(content_store.read.wait(), 60)
    stop.set()
    await watching
    assert content_store.current.snapshot.entry(ContentType.PAGE, "a") is not None


async def test_a_look_through_the_whole_folder_follows_every_minute(content: Content) -> None:
    """With the first change after it, as the system may lose an event; else the change is enough.

    Rounds without a change are no reason: an idle service does not read its folder.
    """
    now = 1000.0
    folder = content({"pages/a.md": "x"})
    content_store = ToldEditions(folder)
    stop = asyncio.Event()
    edits = BoundedExecutor("edits", threads=1, queue=1)
    watching = asyncio.create_task(watch(content_store, edits, stop, lambda: now))

    async def next_read() -> Collection[str] | None:
        await asyncio.wait_for(content_store.read.wait(), 60)
        content_store.read.clear()
        return content_store.asked[-1]

    assert await next_read() is None  # the first look
    for second, expected in ((0.0, {"pages/a.md"}), (59.9, {"pages/a.md"}), (60.0, None)):
        now = 1000.0 + second
        (folder / "pages" / "a.md").write_text(f"At {second}")
        assert await next_read() == expected
    now += 59.9
    (folder / "pages" / "a.md").write_text("The minute begins anew")
    assert await next_read() == {"pages/a.md"}
    stop.set()
    await watching


@pytest.mark.parametrize(
    ("count", "is_due", "is_all"),
    [
        pytest.param(1, False, False, id="an edit"),
        pytest.param(500, False, False, id="many"),
        pytest.param(501, False, True, id="a deployment"),
        pytest.param(1, True, True, id="a look-through is due"),
        pytest.param(0, False, True, id="the folder itself"),
    ],
)
def test_so_much_is_read_again(count: int, is_due: bool, is_all: bool) -> None:
    """Path by path up to 500 at once; above that the whole folder is faster."""
    changed = frozenset(f"pages/{number}.md" for number in range(count))
    assert paths_to_read(changed, is_due) == (None if is_all else changed)
