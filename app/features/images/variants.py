"""Image variants: makes them from the files of the content folder, each file at most once."""

from __future__ import annotations

import logging
from collections import OrderedDict
from functools import partial
from pathlib import Path

from app.features.images.drawings import CARD, ICON
from app.features.images.store import ImageStore
from knowledge.diagnostics.diagnostic import ContentFileError
from knowledge.documents.images import Image, Images, open_image
from renderers.images.variants import PictureBroken, Variant, encode, variants

log = logging.getLogger(__name__)

_MAX_BROKEN = 1_024


class ImageVariants:
    """Makes the variants of the images of a folder, and remembers which cannot be made."""

    def __init__(self, content_dir: Path, store: ImageStore) -> None:
        self._content_dir = content_dir
        self._store = store
        self._broken: OrderedDict[str, None] = OrderedDict()

    def made(self, variant: Variant) -> bytes | None:
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
