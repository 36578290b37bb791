"""The watcher: an edited file is live within a second."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from watchfiles import awatch

from app.edition import Editions

log = logging.getLogger(__name__)

# Editors write in bursts; waiting longer than this would break the promise of a second.
_DEBOUNCE_MS = 200
_STEP_MS = 50
_RETRY_SECONDS = 1.0


async def watch(editions: Editions, stop: asyncio.Event) -> None:
    """Reload the editions on each change below the content folder, until `stop` is set.

    A folder that is missing or goes away is looked for again each second.
    """
    while not stop.is_set():
        try:
            async for _ in awatch(
                editions.content_dir,
                debounce=_DEBOUNCE_MS,
                step=_STEP_MS,
                stop_event=stop,
                ignore_permission_denied=True,
            ):
                await asyncio.to_thread(editions.reload)
                if not editions.content_dir.is_dir():
                    break
        except OSError as error:
            log.debug("The content folder cannot be watched: %s", error)
        if not stop.is_set():
            await _wait(stop)
            await asyncio.to_thread(editions.reload)


async def _wait(stop: asyncio.Event) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), _RETRY_SECONDS)
