"""Index maintenance: compacts the search index in the background."""

from __future__ import annotations

import asyncio
from functools import partial
from itertools import count
from time import sleep

from app.platform import memory
from app.platform.concurrency.background import wait_or_stop
from app.platform.concurrency.executors import BoundedExecutor
from app.publishing.content.store import ContentStore

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
