"""The watcher: an edited file is live within a second."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from time import monotonic

from watchfiles import awatch

from app.concurrency.executors import BoundedExecutor
from app.concurrency.wait_or_stop import wait_or_stop
from app.content.folder import Identity, identity_of
from app.content.store import ContentStore

log = logging.getLogger(__name__)

# Editors write in bursts; waiting longer than this would break the promise of a second.
_DEBOUNCE_MS = 200
_STEP_MS = 50
_LOOK_AGAIN_MS = 500
_RETRY_SECONDS = 0.5
_INCOMPLETE_SECONDS = 1.0
"""How often a folder is looked through while documents are missing, or cannot be read."""

_MANY_CHANGES = 500
"""So many at once, as a deployment makes them, are found faster by looking through everything."""

_LOOK_THROUGH_SECONDS = 60.0
"""An event may get lost where the system's queue overflows; the next change after this finds it."""


async def watch(
    content_store: ContentStore,
    edits: BoundedExecutor,
    stop: asyncio.Event,
    ticks: Callable[[], float] = monotonic,
) -> None:
    """Reload the editions on each change below the content folder, until `stop` is set.

    A folder that is missing or replaced (also by a symbolic link that turns to another
    release) is noticed within a second.
    """
    while not stop.is_set():
        folder = content_store.content_dir
        watched = await edits.run(partial(identity_of, folder))
        if watched is not None:
            await _watch_one(content_store, edits, folder.resolve(), watched, stop, ticks)
        if not stop.is_set():
            await wait_or_stop(stop, _RETRY_SECONDS)
            await edits.run(content_store.reload)


async def _watch_one(
    content_store: ContentStore,
    edits: BoundedExecutor,
    folder: Path,
    watched: Identity,
    stop: asyncio.Event,
    ticks: Callable[[], float],
) -> None:
    """Watch one folder as long as the content folder is that one.

    What changed before the watch was set up is read at its first sign of life. When a folder is
    complete again it needs a new watch, as what came back may be another file system.
    """
    changes = awatch(
        folder,
        debounce=_DEBOUNCE_MS,
        step=_STEP_MS,
        rust_timeout=_LOOK_AGAIN_MS,
        yield_on_timeout=True,
        stop_event=stop,
        ignore_permission_denied=True,
    )
    # The first look finds what changed before the watch was set up.
    next_look: float | None = None
    last_reload = ticks()
    try:
        async for change in changes:
            was_incomplete = content_store.is_incomplete
            is_retry = was_incomplete and ticks() - last_reload >= _INCOMPLETE_SECONDS
            if change or is_retry or next_look is None:
                last_reload = ticks()
                paths = _relative(folder, (path for _, path in change))
                is_due = next_look is None or last_reload >= next_look
                wanted = paths_to_read(paths, is_due)
                await edits.run(partial(content_store.reload, wanted))
                if wanted is None:
                    next_look = ticks() + _LOOK_THROUGH_SECONDS
            if was_incomplete and not content_store.is_incomplete:
                return
            if await edits.run(partial(identity_of, content_store.content_dir)) != watched:
                return
    except OSError as error:
        log.warning("The content folder cannot be watched: %s", error)


def paths_to_read(changed: frozenset[str], is_due: bool) -> frozenset[str] | None:
    """The paths to read again, or None for the whole folder: where that is due, or faster.

    >>> sorted(paths_to_read(frozenset({"pages/a.md", "pages/b.md"}), is_due=False))
    ['pages/a.md', 'pages/b.md']
    """
    return changed if 0 < len(changed) <= _MANY_CHANGES and not is_due else None


def _relative(folder: Path, paths: Iterable[str]) -> frozenset[str]:
    """Paths as the content folder knows them; the folder itself has none."""
    root = f"{folder}/"
    return frozenset(path.removeprefix(root) for path in paths if path.startswith(root))
