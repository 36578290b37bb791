"""Pictures that the service makes: image variants, drawings, and their maintenance."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from app.features.images.diagrams import Diagrams
from app.features.images.settings import ImageSettings
from app.features.images.store import ImageStore
from app.platform.artefacts import open_source
from app.platform.concurrency.background import Component, Work, wait_or_stop, work_or_stop
from app.platform.concurrency.executors import BoundedExecutor
from app.publishing.content.store import ContentStore
from app.services import Services
from knowledge.diagnostics.diagnostic import ContentFileError
from knowledge.documents.images import DIAGRAM, Image, Images, open_image
from renderers.images.drawings import Icon, SocialCard, draw, favicon, render, touch_icon
from renderers.images.variants import PictureBroken, Variant, encode, variants

log = logging.getLogger(__name__)

_MAX_BROKEN = 1_024

CARD, ICON = "card-", "icon-"
"""How the names of files begin."""


class ImageVariants:
    """Makes the variants of the images of a folder, and remembers which cannot be made."""

    def __init__(self, folder: Callable[[], Path], store: ImageStore) -> None:
        self._folder = folder
        self._store = store
        self._broken: OrderedDict[str, None] = OrderedDict()

    def cached(self, variant: Variant) -> bytes | None:
        """Return a variant that has been made before, or None."""
        return self._store.read(variant.name)

    def make(self, image: Image, variant: Variant) -> bytes | None:
        """Return a variant, and make it if needed; None if its file is damaged. Blocks."""
        if variant not in variants(image) or variant.digest in self._broken:
            return None
        try:
            return self._store.get(variant.name, partial(self._encoded, image, variant))
        except (PictureBroken, ContentFileError, OSError) as error:
            log.warning("%s cannot be made smaller: %s", image.path, error)
            self._broken[variant.digest] = None
            if len(self._broken) > _MAX_BROKEN:
                self._broken.popitem(last=False)
            return None

    def prune(self, images: Images) -> int:
        """Delete the variants of files that the content no longer has; return how many."""
        known = images.by_digest

        def is_kept(name: str) -> bool:
            variant = Variant.parse(name)
            return variant.digest in known if variant else name.startswith((CARD, ICON, DIAGRAM))

        return self._store.prune(is_kept)

    def _encoded(self, image: Image, variant: Variant) -> bytes:
        with open_image(self._folder(), image.path) as file:
            return encode(file, variant.width, variant.format)


MAX_CARDS = 4_000
"""The cards that were made last are kept: they take about 20 kB each."""
_MAX_MARK_BYTES = 2 * 1024 * 1024
_MARK_SIDE = 144


class Drawings:
    """Draws cards and icons, each once; the mark of the site is a file of the content folder."""

    def __init__(self, folder: Callable[[], Path], store: ImageStore) -> None:
        self._folder = folder
        self._store = store

    def card(self, card: SocialCard, icon: Icon, mark: Image | None) -> bytes:
        """Return a card as PNG, with the mark if there is one. Blocks."""
        return self._store.get(f"{CARD}{card.digest}.png", partial(self._card, card, icon, mark))

    def favicon(self, icon: Icon, mark: Image | None) -> bytes:
        """Return the icon as ICO. Blocks."""
        icon = self._with_mark(icon, mark)
        return self._store.get(f"{ICON}{icon.digest}.ico", partial(favicon, icon))

    def touch_icon(self, icon: Icon, mark: Image | None) -> bytes:
        """Return the icon as PNG. Blocks."""
        icon = self._with_mark(icon, mark)
        return self._store.get(f"{ICON}{icon.digest}.png", partial(touch_icon, icon))

    def prune(self) -> int:
        """Delete the oldest cards if there are too many; return how many."""
        return self._store.prune_oldest((CARD, ICON), MAX_CARDS)

    def _card(self, card: SocialCard, icon: Icon, mark: Image | None) -> bytes:
        if mark is None:
            return render(card)
        return render(card, draw(self._with_mark(icon, mark), _MARK_SIDE))

    def _with_mark(self, icon: Icon, mark: Image | None) -> Icon:
        if mark is None:
            return icon
        try:
            with open_image(self._folder(), mark.path) as file:
                return replace(icon, mark=file.read(_MAX_MARK_BYTES))
        except (OSError, ContentFileError):
            return icon


_SECONDS = 3_600
"""How often; pages that were cached before an edit still find the pictures they name."""
_CHECK_SECONDS = 2.0
"""How often to look for diagrams that have been drawn, and for those that have not."""


@dataclass(frozen=True)
class Pictures(Component):
    """What makes pictures, and deletes those that no longer belong to the content."""

    variants: ImageVariants
    drawings: Drawings
    diagrams: Diagrams
    content_store: ContentStore
    executor: BoundedExecutor

    def tasks(self) -> Iterator[tuple[str, Work]]:
        """Yield the background tasks."""
        yield "images", self.prune
        yield "diagrams", self.show_diagrams

    def tasks_of_one_process(self) -> Iterator[tuple[str, Work]]:
        """Yield what one process draws for all."""
        yield "drawing", self.draw_diagrams

    async def prune(self, stop: asyncio.Event) -> None:
        """Prune the folder at the start and then every hour, until `stop` is set."""
        while not stop.is_set():
            if self.content_store.loaded:
                snapshot = self.content_store.current.snapshot
                await self.executor.run(partial(self.variants.prune, snapshot.images))
                await self.executor.run(self.drawings.prune)
                await self.executor.run(partial(self.diagrams.prune, snapshot))
            await wait_or_stop(stop, _SECONDS)

    async def show_diagrams(self, stop: asyncio.Event) -> None:
        """Show the diagrams that any process has drawn, until `stop` is set."""
        while not stop.is_set():
            await self.executor.run(self._show_drawn)
            await wait_or_stop(stop, _CHECK_SECONDS)

    async def draw_diagrams(self, stop: asyncio.Event) -> None:
        """Draw the diagrams of each edition, one after another, until `stop` is set."""
        entries: object = None
        while not stop.is_set():
            store = self.content_store
            if store.loaded and store.current.snapshot.entries is not entries:
                entries = (snapshot := store.current.snapshot).entries
                missing = await self.executor.run(partial(self.diagrams.missing, snapshot))
                await work_or_stop(stop, self.diagrams.draw_all(missing))
            await wait_or_stop(stop, _CHECK_SECONDS)

    def _show_drawn(self) -> None:
        self.content_store.show_diagrams(self.diagrams.drawn())


def open_parts(services: Services) -> Iterable[object]:
    """Return the pictures of an application."""
    settings = services.settings.of(ImageSettings)
    content = services.content_store
    store = ImageStore(settings.image_dir, open_source(settings.image_source))
    diagrams = Diagrams(store, settings.mermaid_program)
    content.show_diagrams(diagrams.drawn())
    yield Pictures(
        ImageVariants(lambda: content.content_dir, store),
        Drawings(lambda: content.content_dir, store),
        diagrams,
        content,
        services.executors.images,
    )
