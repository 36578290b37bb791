"""Changes below a folder, as the operating system reports them to watchfiles."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from watchfiles import watch

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
    changes = watch(
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
