"""Image maintenance: deletes pictures that no longer belong to the content, in the background."""

from __future__ import annotations

import asyncio
from functools import partial

from app.features.images.drawings import Drawings
from app.features.images.variants import ImageVariants
from app.platform.concurrency.executors import BoundedExecutor
from app.platform.concurrency.wait_or_stop import wait_or_stop
from app.publishing.content.store import ContentStore

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
