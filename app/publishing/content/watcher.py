"""Background work on the content: reloads within a second of an edit, and compaction of indexes."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from functools import partial
from itertools import count
from pathlib import Path
from time import monotonic, sleep

from watchfiles import watch as watch_files

from app.platform import memory
from app.platform.concurrency.background import wait_or_stop
from app.platform.concurrency.executors import BoundedExecutor
from app.publishing.content.folder import Identity, identity_of
from app.publishing.content.store import ContentStore

log = logging.getLogger(__name__)

_RETRY_SECONDS = 0.5
_INCOMPLETE_SECONDS = 1.0
"""How often the folder is scanned while documents are missing or unreadable."""

_MAX_CHANGED_PATHS = 500
"""With more changes at once, as in a deployment, a scan of the whole folder is faster."""


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


_FULL_SCAN_SECONDS = 60.0
"""Events may get lost if the kernel's queue overflows. After the first change after this time the
whole folder is scanned beside the watch, which finds what was missed."""


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


# Editors write in bursts. With a longer debounce an edit would not be live within a second.
_DEBOUNCE_MS = 200
_STEP_MS = 200
"""How often watchfiles looks for events; each look takes the GIL, also while nothing changes.

An edit is seen after one to two steps. With 100 ms an idle service used 0.33 % of a core, not 0.20.
"""

_IDLE_MS = 800
"""How often the caller gets to see whether the folder was replaced, which causes no event."""


async def folder_changes(folder: Path, stop: asyncio.Event) -> AsyncGenerator[frozenset[str], None]:
    """Yield the paths that changed; none after 800 ms without a change. Raises OSError.

    It ends as soon as `stop` is set. The thread of watchfiles, which looks for that once a step,
    ends by itself.
    """
    changes = watch_files(
        folder,
        debounce=_DEBOUNCE_MS,
        step=_STEP_MS,
        rust_timeout=_IDLE_MS,
        yield_on_timeout=True,
        stop_event=stop,
        ignore_permission_denied=True,
    )
    thread = ThreadPoolExecutor(1, "majlis-watch")
    stopped = asyncio.ensure_future(stop.wait())
    try:
        while not stop.is_set():
            change = asyncio.wrap_future(thread.submit(next, changes, None))
            try:
                await asyncio.wait((change, stopped), return_when=asyncio.FIRST_COMPLETED)
            finally:
                is_told = not change.cancel()  # what is told after a stop is nobody's
            if is_told:
                yield frozenset(path for _, path in change.result() or ())
    finally:
        stopped.cancel()
        thread.submit(changes.close)
        thread.shutdown(wait=False)


_CHECK_SECONDS = 0.5
_YIELD_SECONDS = 0.0005
_YIELDS_PER_FREEZE = 16
"""The first index creates the most objects; freezing them in steps keeps collections short."""


class Cancelled(Exception):
    """The service stops before the index is complete."""


async def compact(content_store: ContentStore, edits: BoundedExecutor, stop: asyncio.Event) -> None:
    """Compact the search index whenever it needs it, until `stop` is set.

    Raises what the index raises; without compaction searches are slower but still correct.
    """
    yields = count(1)
    is_first = True

    def yield_to_requests() -> None:
        """Sleep briefly, so that requests of this process are served meanwhile."""
        if stop.is_set():
            raise Cancelled
        if is_first and next(yields) % _YIELDS_PER_FREEZE == 0:
            memory.freeze()
        sleep(_YIELD_SECONDS)

    while not stop.is_set():
        await wait_or_stop(stop, _CHECK_SECONDS)
        if not stop.is_set() and (is_first or not content_store.is_settled):
            try:
                await edits.run(partial(content_store.compact, yield_to_requests))
            except Cancelled:
                return
            if is_first:
                memory.freeze()
                is_first = False
