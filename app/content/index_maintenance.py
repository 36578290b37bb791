"""Settling: the search index is made anew in the background while readers use the old one."""

from __future__ import annotations

import asyncio
from functools import partial
from itertools import count
from time import sleep

from app import garbage_collection
from app.concurrency.executors import BoundedExecutor
from app.concurrency.wait_or_stop import wait_or_stop
from app.content.store import ContentStore

_LOOK_AGAIN_SECONDS = 0.5
_BREATH_SECONDS = 0.0005
_BREATHS_A_ROUND = 16
"""What is made first is most: set apart bit by bit it makes no round of the collector long."""


class Cancelled(Exception):
    """The service stops before the index is made."""


async def compact(content_store: ContentStore, edits: BoundedExecutor, stop: asyncio.Event) -> None:
    """Keep most texts in the catalogues of the search index, until `stop` is set.

    An error ends it; readers then lose nothing but speed.
    """
    breaths = count(1)
    is_first = True

    def breathe() -> None:
        """Let the requests of this process have their turn."""
        if stop.is_set():
            raise Cancelled
        if is_first and next(breaths) % _BREATHS_A_ROUND == 0:
            garbage_collection.freeze()
        sleep(_BREATH_SECONDS)

    while not stop.is_set():
        await wait_or_stop(stop, _LOOK_AGAIN_SECONDS)
        if not stop.is_set():
            try:
                await edits.run(partial(content_store.compact, breathe))
            except Cancelled:
                return
            if is_first:
                garbage_collection.freeze()
                is_first = False
