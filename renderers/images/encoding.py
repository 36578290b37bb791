"""Encoding of image variants: a picture at another width, without what its camera wrote into it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from io import BufferedReader, BytesIO
from math import ceil
from typing import IO, Any, cast

import PIL.Image
from PIL import ImageCms
from PIL.Image import Resampling, Transpose

from knowledge.documents.images import ORIENTATION, QUARTER_TURNS, open_picture
from renderers.images.variants import JPEG, PNG, WEBP

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
