"""Pictures that the service makes: image variants, drawings, diagrams, and their maintenance.

A program draws the Mermaid code of diagrams in texts ahead, and pages show what has been drawn.

No request runs the program. One process draws for all; the others find the files in the folder.
The code may be hostile: it reaches the program by a pipe, and the program has neither the settings
of the service nor much time. The result is only shown as an image, in which no script runs.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from shutil import which
from time import time_ns

from app.features.images.settings import ImageSettings
from app.features.images.store import ImageStore
from app.platform.artefacts import open_source
from app.platform.concurrency.background import Component, Work, wait_or_stop, work_or_stop
from app.platform.concurrency.executors import BoundedExecutor
from app.platform.concurrency.programs import run_program, variables_named
from app.publishing.content.store import ContentStore
from app.services import Services
from knowledge.diagnostics.diagnostic import ContentFileError
from knowledge.documents.images import DIAGRAM, Image, Images, diagram_name, open_image, svg_size
from knowledge.markdown.inline import diagrams
from knowledge.snapshot.snapshot import Snapshot
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
            await self.executor.run(lambda: self.content_store.show_diagrams(self.diagrams.drawn()))
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


MAX_DIAGRAMS = 1_000
"""The diagrams of a site beyond this number are shown as code, and so are larger ones."""
MAX_CHARACTERS = 20_000
MAX_SVG_BYTES = 1024 * 1024
MAX_SECONDS = 30.0
_TICK_NS = 1_000_000_000
_ARGUMENTS = ("--quiet", "--input", "-", "--output", "-", "--outputFormat", "svg")
_VARIABLES = ("PATH", "HOME", "LANG", "TMPDIR", "PUPPETEER_")
"""How the names of the environment variables begin that the program gets."""

Sizes = Mapping[str, tuple[int, int]]


def wanted(snapshot: Snapshot) -> Mapping[str, str]:
    """Return the code of the diagrams of all texts, by the names of their files."""
    bodies = (document.body for _, document in snapshot.by_path.values())
    codes = (code for body in bodies for code in diagrams(body) if len(code) <= MAX_CHARACTERS)
    return dict(islice(((diagram_name(code), code) for code in codes), MAX_DIAGRAMS))


class Diagrams:
    """The diagrams in a folder, and the program that draws further ones."""

    def __init__(self, store: ImageStore, program: str) -> None:
        self._store = store
        self._program = which(program)
        self._sizes: Sizes = {}
        self._listed_ns: int | None = None
        self._failed: set[str] = set()

    def read(self, name: str) -> bytes | None:
        """Return a diagram that has been drawn, or None."""
        return self._store.read(name)

    def drawn(self) -> Sizes:
        """Return the sizes of the diagrams in the folder; a file is read once. Blocks.

        The folder may have many pictures, so it is listed only after a change.
        """
        changed_ns = self._store.changed_ns
        if changed_ns == self._listed_ns:
            return self._sizes
        # What is added in the same tick of the disk's clock does not change the time.
        self._listed_ns = changed_ns if time_ns() - changed_ns > _TICK_NS else None
        found = {
            name: self._sizes.get(name) or self._size(name) for name in self._store.names(DIAGRAM)
        }
        self._sizes = {name: size for name, size in found.items() if size}
        return self._sizes

    def missing(self, snapshot: Snapshot) -> Mapping[str, str]:
        """Return what can be drawn but has not been, as `wanted` does. Blocks."""
        if self._program is None:
            return {}
        known = self.drawn().keys() | self._failed
        return {name: code for name, code in wanted(snapshot).items() if name not in known}

    async def draw(self, name: str, code: str) -> bool:
        """Draw a diagram, once; return whether that succeeded."""
        try:
            svg = await _output(str(self._program), code)
            svg_size(svg)
        except Exception as error:  # the parser raises more than it documents
            reason = str(error) or type(error).__name__
            log.warning("%s cannot be drawn: %s\n%s", name, reason, code[:200])
            self._failed.add(name)
            return False
        await asyncio.to_thread(self._store.get, name, lambda: svg)
        return True

    async def draw_all(self, codes: Mapping[str, str]) -> int:
        """Draw diagrams one after another; return how many succeeded."""
        return sum([await self.draw(name, code) for name, code in codes.items()])

    def prune(self, snapshot: Snapshot) -> int:
        """Delete the diagrams that no text has any longer; return how many. Blocks."""
        if not self.drawn():
            return 0
        kept = wanted(snapshot)
        return self._store.prune(lambda name: not name.startswith(DIAGRAM) or name in kept)

    def _size(self, name: str) -> tuple[int, int] | None:
        with suppress(Exception):  # as above
            return svg_size(self._store.read(name) or b"")
        return None


async def _output(program: str, code: str) -> bytes:
    """Return what a program makes of a code; raises OSError, TimeoutError or ValueError."""
    ended = await run_program(
        program,
        *_ARGUMENTS,
        variables=variables_named(*_VARIABLES),
        seconds=MAX_SECONDS,
        most_bytes=MAX_SVG_BYTES,
        given=code.encode(),
    )
    if ended.status:
        raise ValueError(f"the program ended with status {ended.status}")
    return ended.output
