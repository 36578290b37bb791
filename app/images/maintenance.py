"""Image maintenance: deletes pictures that no longer belong to the content, in the background."""

from __future__ import annotations

import asyncio
from functools import partial

from app.concurrency.executors import BoundedExecutor
from app.concurrency.wait_or_stop import wait_or_stop
from app.content.store import ContentStore
from app.images.drawings import Drawings
from app.images.variants import ImageVariants

_SECONDS = 3_600
"""How often; pages that were cached before an edit still find the pictures they name."""


async def prune_images(
    variants: ImageVariants,
    drawings: Drawings,
    content_store: ContentStore,
    executor: BoundedExecutor,
    stop: asyncio.Event,
) -> None:
    """Prune the folder at the start and then every hour, until `stop` is set."""
    while not stop.is_set():
        if content_store.loaded:
            images = content_store.current.snapshot.images
            await executor.run(partial(variants.prune, images))
            await executor.run(drawings.prune)
        await wait_or_stop(stop, _SECONDS)
