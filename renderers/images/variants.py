"""Image variants: the smaller copies of a picture, their names, and how they are encoded."""

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from io import BufferedReader, BytesIO
from math import ceil
from typing import IO, Any, NamedTuple, Self, cast

import PIL.Image
from PIL import ImageCms
from PIL.Image import Resampling, Transpose

from knowledge.documents.images import ORIENTATION, QUARTER_TURNS, Image, open_picture

SOCIAL_WIDTH = 1200
"""The width of a picture that social networks show beside a link."""


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


WIDTHS = (480, 960, 1600)
"""The widths of variants for pages; only those below the width of the picture are made."""

MAX_WIDTH = 2000
"""A wider file is never sent: its largest variant is sent instead."""


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


MAX_SECONDS = 10.0
"""How long the decoding of one file may take; it ends at the next piece that is read."""

_SAVED: Mapping[str, tuple[str, dict[str, Any]]] = {
    WEBP: ("WEBP", {"quality": 80, "method": 4}),
    JPEG: ("JPEG", {"quality": 82, "optimize": True, "progressive": True}),
    PNG: ("PNG", {"optimize": True}),
}
_TURNS: Mapping[int, Transpose] = {
    2: Transpose.FLIP_LEFT_RIGHT,
    3: Transpose.ROTATE_180,
    4: Transpose.FLIP_TOP_BOTTOM,
    5: Transpose.TRANSPOSE,
    6: Transpose.ROTATE_270,
    7: Transpose.TRANSVERSE,
    8: Transpose.ROTATE_90,
}
_REDUCING_GAP = 2.0
"""Decodes and shrinks in steps; at twice the size the result looks the same."""


class PictureBroken(Exception):
    """The file is damaged, or takes too long to decode."""


def encode(file: BufferedReader, width: int, form: str) -> bytes:
    """Return a picture at this width, turned as its camera says; raises PictureBroken."""
    try:
        return _saved(_shrunk(file, width), form)
    except Exception as error:  # decoders raise more than they document
        raise PictureBroken(type(error).__name__) from error


def check_decoding(file: BufferedReader) -> None:
    """Decode a picture as far as needed to see whether it is whole; raises PictureBroken."""
    try:
        _shrunk(file, 1)
    except Exception as error:  # as above
        raise PictureBroken(type(error).__name__) from error


class _TimedFile:
    """A file that refuses to be read after a deadline.

    A small file may take minutes: a progressive JPEG can have thousands of scans.
    """

    def __init__(self, file: BufferedReader) -> None:
        self._file = file
        self._deadline = time.monotonic() + MAX_SECONDS

    def read(self, size: int = -1) -> bytes:
        if time.monotonic() > self._deadline:
            raise TimeoutError
        return self._file.read(size)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()


def _shrunk(file: BufferedReader, width: int) -> PIL.Image.Image:
    with open_picture(cast(IO[bytes], _TimedFile(file))) as picture:
        orientation = picture.getexif().get(ORIENTATION, 1)
        shown = picture.height if orientation in QUARTER_TURNS else picture.width
        scale = min(1.0, width / shown)
        size = max(1, ceil(picture.width * scale)), max(1, ceil(picture.height * scale))
        doubled = tuple(ceil(side * _REDUCING_GAP) for side in size)
        picture.draft(None, (doubled[0], doubled[1]))  # a JPEG can be decoded at 1/2, 1/4 or 1/8
        profile = picture.info.get("icc_profile")
        whole = _with_plain_mode(picture)
        small = whole.resize(size, Resampling.LANCZOS, reducing_gap=_REDUCING_GAP)
    small = _in_srgb(small, profile)
    return small.transpose(_TURNS[orientation]) if orientation in _TURNS else small


def _with_plain_mode(picture: PIL.Image.Image) -> PIL.Image.Image:
    """Return a picture as grey, RGB or RGBA, of 8 bits each."""
    if picture.mode.startswith("I"):  # 16 bits of grey, which `convert` would cut off at 255
        return picture.point(lambda value: value / 256).convert("L")
    wanted = "RGBA" if picture.has_transparency_data else "RGB"
    if picture.mode in (wanted, "L"):
        picture.load()
        return picture  # `convert` would copy it
    return picture.convert(wanted)


def _in_srgb(picture: PIL.Image.Image, profile: bytes | None) -> PIL.Image.Image:
    """Return a picture with the colours of screens, as variants have no colour profile."""
    if profile and picture.mode in ("RGB", "RGBA"):
        with suppress(ImageCms.PyCMSError, OSError):  # a profile that cannot be read
            converted = ImageCms.profileToProfile(
                picture, BytesIO(profile), ImageCms.createProfile("sRGB")
            )
            return converted or picture
    return picture


def _saved(picture: PIL.Image.Image, form: str) -> bytes:
    if form == JPEG and picture.mode == "RGBA":
        paper = PIL.Image.new("RGB", picture.size, "white")
        paper.paste(picture, mask=picture)
        picture = paper
    picture.info.clear()  # comments, profiles and places where it was taken
    saved = BytesIO()
    name, options = _SAVED[form]
    picture.save(saved, name, **options)
    return saved.getvalue()
