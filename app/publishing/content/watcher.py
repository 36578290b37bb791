"""The watcher: reloads the content within a second of an edit."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import aclosing
from functools import partial
from pathlib import Path
from time import monotonic

from app.platform.concurrency.background import wait_or_stop
from app.platform.concurrency.executors import BoundedExecutor
from app.publishing.content.folder import Identity, identity_of
from app.publishing.content.folder_changes import folder_changes
from app.publishing.content.store import ContentStore

log = logging.getLogger(__name__)

_RETRY_SECONDS = 0.5
_INCOMPLETE_SECONDS = 1.0
"""How often the folder is scanned while documents are missing or unreadable."""

_MAX_CHANGED_PATHS = 500
"""With more changes at once, as in a deployment, a scan of the whole folder is faster."""

_FULL_SCAN_SECONDS = 60.0
"""Events may get lost if the kernel's queue overflows. After the first change after this time the
whole folder is scanned beside the watch, which finds what was missed."""


async def watch(
    content_store: ContentStore,
    edits: BoundedExecutor,
    stop: asyncio.Event,
    ticks: Callable[[], float] = monotonic,
) -> None:
    """Reload the content after each change below the content folder, until `stop` is set.

    A folder that disappears or is replaced, also by a switched symbolic link, is noticed within
    a second.
    """
    while not stop.is_set():
        folder = content_store.content_dir
        watched = await edits.run(partial(identity_of, folder))
        if watched is not None:
            await _watch_folder(content_store, edits, folder.resolve(), watched, stop, ticks)
        if not stop.is_set():
            await wait_or_stop(stop, _RETRY_SECONDS)
            await edits.run(content_store.reload)


async def _watch_folder(
    content_store: ContentStore,
    edits: BoundedExecutor,
    folder: Path,
    watched: Identity,
    stop: asyncio.Event,
    ticks: Callable[[], float],
) -> None:
    """Watch a folder until the content folder is another one.

    The first event, or timeout, scans the whole folder, for changes from before the watch was
    set up. When an incomplete folder is complete again the watch ends, as a new one is needed
    if another file system has been mounted.
    """
    next_scan: float | None = None
    last_reload = ticks()
    async with asyncio.TaskGroup() as scans, aclosing(folder_changes(folder, stop)) as changes:
        try:
            async for change in changes:
                was_incomplete = content_store.is_incomplete
                is_retry = was_incomplete and ticks() - last_reload >= _INCOMPLETE_SECONDS
                if change or is_retry or next_scan is None:
                    last_reload = ticks()
                    changed = _relative(folder, change)
                    paths = None if next_scan is None else paths_to_read(changed)
                    await edits.run(partial(content_store.reload, paths))
                    is_due = next_scan is not None and last_reload >= next_scan
                    if is_due and paths is not None:
                        scans.create_task(edits.run(content_store.rescan))
                    if is_due or paths is None:
                        next_scan = ticks() + _FULL_SCAN_SECONDS
                if was_incomplete and not content_store.is_incomplete:
                    return
                if await edits.run(partial(identity_of, content_store.content_dir)) != watched:
                    return
        except OSError as error:
            log.warning("Cannot watch the content folder: %s", error)


def paths_to_read(changed: frozenset[str]) -> frozenset[str] | None:
    """Return the paths to reload, or None if to scan the whole folder is faster.

    >>> sorted(paths_to_read(frozenset({"pages/a.md", "pages/b.md"})))
    ['pages/a.md', 'pages/b.md']
    """
    return changed if 0 < len(changed) <= _MAX_CHANGED_PATHS else None


def _relative(folder: Path, paths: Iterable[str]) -> frozenset[str]:
    """Return paths relative to the folder; the folder itself is left out."""
    root = f"{folder}/"
    return frozenset(path.removeprefix(root) for path in paths if path.startswith(root))
