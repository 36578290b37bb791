"""Pictures that the service makes: image variants, drawings, and their maintenance."""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import re
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from threading import Lock

from app.features.images.settings import ImageSettings
from app.platform.concurrency.background import Component, Work, wait_or_stop
from app.platform.concurrency.executors import BoundedExecutor
from app.publishing.content.store import ContentStore
from app.services import Services
from knowledge.diagnostics.diagnostic import ContentFileError
from knowledge.documents.images import Image, Images, open_image
from renderers.images.drawings import Icon, SocialCard, draw, favicon, render, touch_icon
from renderers.images.variants import PictureBroken, Variant, encode, variants

log = logging.getLogger(__name__)

_MAX_BROKEN = 1_024


class ImageVariants:
    """Makes the variants of the images of a folder, and remembers which cannot be made."""

    def __init__(self, content_dir: Path, store: ImageStore) -> None:
        self._content_dir = content_dir
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
            return name.startswith((CARD, ICON)) if variant is None else variant.digest in known

        return self._store.prune(is_kept)

    def _encoded(self, image: Image, variant: Variant) -> bytes:
        with open_image(self._content_dir, image.path) as file:
            return encode(file, variant.width, variant.format)


CARD, ICON = "card-", "icon-"
"""How the names of files begin."""
MAX_CARDS = 4_000
"""The cards that were made last are kept: they take about 20 kB each."""
_MAX_MARK_BYTES = 2 * 1024 * 1024
_MARK_SIDE = 144


class Drawings:
    """Draws cards and icons, each once; the mark of the site is a file of the content folder."""

    def __init__(self, content_dir: Path, store: ImageStore) -> None:
        self._content_dir = content_dir
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
            with open_image(self._content_dir, mark.path) as file:
                return replace(icon, mark=file.read(_MAX_MARK_BYTES))
        except (OSError, ContentFileError):
            return icon


_SECONDS = 3_600
"""How often; pages that were cached before an edit still find the pictures they name."""


@dataclass(frozen=True)
class Pictures(Component):
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
    yield Pictures(
        ImageVariants(folder, store),
        Drawings(folder, store),
        services.content_store,
        services.executors.images,
    )


MEMORY_BYTES = 32 * 1024 * 1024
"""Most memory of pictures that cannot be written to the disk."""
_CHECKSUM_BYTES = 16
_LOCKS = 16
_OURS = re.compile(r"[a-z0-9]+-[a-z0-9]+\.[a-z]+|unfinished-.*")
_UNFINISHED = "unfinished-"

Make = Callable[[], bytes]


class ImageStore:
    """Keeps the pictures of one folder, by name.

    A file ends with a checksum, which programs ignore; one that is damaged or foreign is made anew.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._memory = _Memory()

    def read(self, name: str) -> bytes | None:
        """Return a picture that has been made, or None."""
        try:
            content = (self._folder / name).read_bytes()
        except OSError:
            return self._memory.get(name)
        picture, checksum = content[:-_CHECKSUM_BYTES], content[-_CHECKSUM_BYTES:]
        return picture if checksum == _checksum(name, picture) else None

    def get(self, name: str, make: Make) -> bytes:
        """Return a picture; of several processes one makes it. Raises what `make` raises."""
        with self._locked(name):
            picture = self.read(name)
            if picture is None:
                picture = make()
                self._write(name, picture)
            return picture

    def prune(self, is_kept: Callable[[str], bool]) -> int:
        """Delete the pictures that are kept no longer; return how many. Other files stay."""
        deleted = 0
        with suppress(OSError):  # no folder, or one that cannot be written
            for path in list(self._folder.iterdir()):
                if _OURS.fullmatch(path.name) and not is_kept(path.name):
                    path.unlink(missing_ok=True)
                    deleted += 1
        return deleted

    def prune_oldest(self, beginnings: tuple[str, ...], count: int) -> int:
        """Delete all but the `count` newest of the pictures whose names begin so."""
        with suppress(OSError):  # as above
            files = [path for path in self._folder.iterdir() if path.name.startswith(beginnings)]
            files.sort(key=lambda path: path.stat().st_mtime_ns, reverse=True)
            for path in files[count:]:
                path.unlink(missing_ok=True)
            return len(files[count:])
        return 0

    def _write(self, name: str, picture: bytes) -> None:
        try:
            self._write_file(name, picture + _checksum(name, picture))
        except OSError as error:
            if self._memory.put(name, picture):
                log.warning("Pictures are kept in memory: %s", error)

    def _write_file(self, name: str, content: bytes) -> None:
        descriptor, path = tempfile.mkstemp(prefix=_UNFINISHED, dir=self._folder)
        unfinished = Path(path)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            unfinished.replace(self._folder / name)
        except OSError:
            unfinished.unlink(missing_ok=True)
            raise

    @contextmanager
    def _locked(self, name: str) -> Iterator[None]:
        """Hold the lock of a name, also against other processes if the folder can be written."""
        number = int(blake2b(name.encode(), digest_size=2).hexdigest(), 16) % _LOCKS
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            handle = (self._folder / f".lock-{number}").open("w")
        except OSError:
            with self._memory.lock:
                yield
            return
        with handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield


class _Memory:
    """Pictures in memory; the one that was used longest ago goes first."""

    def __init__(self) -> None:
        self.lock = Lock()
        self._pictures: OrderedDict[str, bytes] = OrderedDict()
        self._used = 0

    def get(self, name: str) -> bytes | None:
        picture = self._pictures.get(name)
        if picture is not None:
            with suppress(KeyError):  # another thread has just removed it
                self._pictures.move_to_end(name)
        return picture

    def put(self, name: str, picture: bytes) -> bool:
        """Add a picture; return whether it is the first one."""
        is_first = not self._pictures
        self._pictures[name] = picture
        self._used += len(picture)
        while self._used > MEMORY_BYTES:
            _, oldest = self._pictures.popitem(last=False)
            self._used -= len(oldest)
        return is_first


def _checksum(name: str, picture: bytes) -> bytes:
    return blake2b(picture, key=name.encode()[:64], digest_size=_CHECKSUM_BYTES).digest()
