"""The pictures of an application, and the maintenance of their folder in the background."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from app.features.images.drawings import Drawings
from app.features.images.settings import ImageSettings
from app.features.images.store import ImageStore
from app.features.images.variants import ImageVariants
from app.platform.component import Component
from app.platform.concurrency.background import Work, wait_or_stop
from app.platform.concurrency.executors import BoundedExecutor
from app.publishing.content.store import ContentStore
from app.services import Services

_SECONDS = 3_600
"""How often; pages that were cached before an edit still find the pictures they name."""


@dataclass(frozen=True)
class Images(Component):
    """What makes pictures, and deletes those that no longer belong to the content."""

    variants: ImageVariants
    drawings: Drawings
    content_store: ContentStore
    executor: BoundedExecutor

    def tasks(self) -> Iterator[tuple[str, Work]]:
        """Yield the background task."""
        yield "images", self.prune

    async def prune(self, stop: asyncio.Event) -> None:
        """Prune the folder at the start and then every hour, until `stop` is set."""
        while not stop.is_set():
            if self.content_store.loaded:
                images = self.content_store.current.snapshot.images
                await self.executor.run(partial(self.variants.prune, images))
                await self.executor.run(self.drawings.prune)
            await wait_or_stop(stop, _SECONDS)


def open_parts(services: Services) -> Iterable[object]:
    """Return the pictures of an application."""
    folder, store = (
        services.settings.content_dir,
        ImageStore(services.settings.of(ImageSettings).image_dir),
    )
    yield Images(
        ImageVariants(folder, store),
        Drawings(folder, store),
        services.content_store,
        services.executors.images,
    )
