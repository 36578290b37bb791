"""Image variants: the smaller copies of a picture, each named by its content, width and format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, Self

from knowledge.documents.images import Image

WIDTHS = (480, 960, 1600)
"""The widths of variants for pages; only those below the width of the picture are made."""

SOCIAL_WIDTH = 1200
"""The width of a picture that social networks show beside a link."""

MAX_WIDTH = 2000
"""A wider file is never sent: its largest variant is sent instead."""

FOLDER = "/static/images/"
WEBP, JPEG, PNG = "webp", "jpg", "png"
MEDIA_TYPES = {WEBP: "image/webp", JPEG: "image/jpeg", PNG: "image/png"}
_NAME = re.compile(r"([0-9a-f]{24})-([0-9]{3,4})\.(webp|jpg|png)", re.ASCII)


class Variant(NamedTuple):
    """One variant: the hash of its original, its width and its format."""

    digest: str
    width: int
    format: str

    @classmethod
    def parse(cls, name: str) -> Self | None:
        """Return the variant of a file name, or None if it names none.

        >>> Variant.parse("0123456789abcdef01234567-480.webp").width
        480
        """
        match = _NAME.fullmatch(name)
        return cls(match[1], int(match[2]), match[3]) if match else None

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"{self.digest}-{self.width}.{self.format}"

    @property
    def url(self) -> str:
        """Its path on the site. Its content never changes, so clients may cache it forever."""
        return FOLDER + self.name

    @property
    def media_type(self) -> str:
        """Its media type."""
        return MEDIA_TYPES[self.format]


def variants(image: Image) -> tuple[Variant, ...]:
    """Return all variants of a picture that may be requested."""
    return tuple(_variants(image))


def largest_still(image: Image) -> Variant | None:
    """Return what is sent instead of a file that is too wide, in a format of any browser."""
    return _still(image, WIDTHS[-1]) if image.has_variants and image.width > MAX_WIDTH else None


def social_image(image: Image) -> Variant | None:
    """Return the variant that social networks show, or None if the picture is too small."""
    is_wide = image.has_variants and image.width > SOCIAL_WIDTH
    return _still(image, SOCIAL_WIDTH) if is_wide else None


def srcset(image: Image, source: str) -> str:
    """Return the candidates for browsers, or `""` if the file itself is small enough.

    The file is one of them unless a variant is nearly as wide.
    """
    candidates = [f"{each.url} {each.width}w" for each in _for_pages(image)]
    if candidates and image.width <= WIDTHS[-1]:
        candidates.append(f"{source} {image.width}w")
    return ", ".join(candidates)


def _variants(image: Image) -> Iterator[Variant]:
    yield from _for_pages(image)
    yield from filter(None, (social_image(image), largest_still(image)))


def _for_pages(image: Image) -> Iterator[Variant]:
    if image.has_variants:
        yield from (Variant(image.digest, each, WEBP) for each in WIDTHS if each < image.width)


def _still(image: Image, width: int) -> Variant:
    return Variant(image.digest, width, PNG if image.has_alpha else JPEG)
