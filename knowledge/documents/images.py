"""Images: the size and format of each picture of the content folder, read once from its file."""

from __future__ import annotations

import hashlib
import os
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from io import BufferedReader
from pathlib import Path
from typing import IO
from urllib.parse import unquote
from xml.parsers import expat

import PIL.Image

from knowledge.diagnostics.diagnostic import ContentFileError, Diagnostic, DiagnosticKind
from knowledge.diagnostics.messages import Text
from knowledge.documents.assets import MAX_ASSET_BYTES
from knowledge.documents.files import FileFingerprint
from knowledge.documents.opening import open_beneath
from knowledge.edits import ALL, note

ASSET = "asset"
"""The name of images and downloads among the keys of reads."""


_FORMATS: Mapping[str, str] = {
    ".avif": "AVIF",
    ".gif": "GIF",
    ".ico": "ICO",
    ".jpeg": "JPEG",
    ".jpg": "JPEG",
    ".png": "PNG",
    ".svg": "SVG",
    ".webp": "WEBP",
}
_DECODERS = ("AVIF", "GIF", "ICO", "JPEG", "PNG", "WEBP")
_RESIZED = frozenset(("AVIF", "JPEG", "PNG", "WEBP"))
ORIENTATION = 0x0112
"""The EXIF tag of how a picture is to be turned."""

DIAGRAM = "diagram-"
"""How the names of the files of diagrams begin, and their name among the keys of reads."""


_MAX_SIDE = 1_000_000


@dataclass(frozen=True, slots=True)
class Image:
    """A picture as it is shown: turned as its camera says. `digest` is a hash of its file.

    `is_themed` says that it is a drawing with colours of the theme, such as `var(--accent)`.
    """

    path: str
    width: int
    height: int
    format: str
    digest: str = ""
    has_alpha: bool = False
    is_animated: bool = False
    is_themed: bool = False

    @property
    def has_variants(self) -> bool:
        """Whether smaller variants of it can be made."""
        return self.format in _RESIZED and not self.is_animated


@dataclass(frozen=True, slots=True)
class LoadedImage:
    """The result of reading one version of a file; without an image it has a diagnostic."""

    fingerprint: FileFingerprint
    image: Image | None = None
    diagnostic: Diagnostic | None = None

    @property
    def is_refused(self) -> bool:
        """Whether a picture is never shown, because nothing should decode it."""
        kind = self.diagnostic.kind if self.diagnostic else None
        return self.image is None and kind is DiagnosticKind.TOO_MANY_PIXELS


@dataclass(frozen=True, eq=False)
class Images:
    """The pictures of one load of the content folder, by path."""

    files: Mapping[str, LoadedImage] = field(default_factory=dict)

    def at(self, path: str) -> Image | None:
        """Return the picture of a file, or None if it is not known."""
        file = self.file(path)
        return file.image if file else None

    def file(self, path: str) -> LoadedImage | None:
        """Return what is known of the file of a picture, or None."""
        note((ASSET, path))
        return self.files.get(path)

    def at_url(self, url: str) -> Image | None:
        """Return the picture at a path of the site, percent-encoded or not, or None."""
        return self.at(unquote(url.partition("?")[0]).removeprefix("/"))

    @property
    def by_digest(self) -> Mapping[str, Image]:
        """Return the pictures that have variants, by the hash of their file."""
        note((ASSET, ALL))
        return self._by_digest

    @cached_property
    def _by_digest(self) -> Mapping[str, Image]:
        images = (file.image for file in self.files.values())
        return {image.digest: image for image in images if image and image.has_variants}

    @property
    def diagnostics(self) -> Iterator[Diagnostic]:
        """Yield what is wrong with files."""
        return (file.diagnostic for file in self.files.values() if file.diagnostic)


NO_IMAGES = Images()


class TooManyPixels(Exception):
    """The picture is too large to be decoded; the message is its size."""


def load_images(
    root: Path, assets: Mapping[str, FileFingerprint], before: Images = NO_IMAGES
) -> Images:
    """Return the images of the assets; files that did not change are not read again."""
    files = {
        path: _loaded(root, path, fingerprint, before.files.get(path))
        for path, fingerprint in assets.items()
        if is_image(path)
    }
    return before if files == before.files else Images(files)


def is_image(path: str) -> bool:
    """Return whether a file is a picture, by its name."""
    return _suffix(path) in _FORMATS


def diagram_name(code: str) -> str:
    """Return the name of the file of a diagram, which changes with its code."""
    return f"{DIAGRAM}{hashlib.blake2b(code.encode(), digest_size=12).hexdigest()}.svg"


def open_image(root: Path, path: str) -> BufferedReader:
    """Open a file of the content folder; raises OSError and ContentFileError."""
    return os.fdopen(open_beneath(root, path), "rb")


MAX_PIXELS = 50_000_000
"""The largest picture that is decoded, as of a camera of 50 megapixels.

Meanwhile a JPEG takes 80 MB of memory, a PNG 450 MB, and a WebP 750 MB.
"""


def open_picture(file: IO[bytes]) -> PIL.Image.Image:
    """Read the head of a picture; raises TooManyPixels, and whatever its decoder raises."""
    _refuse_by_own_limit()
    picture = PIL.Image.open(file, formats=_DECODERS)
    width, height = picture.size
    if width * height > MAX_PIXELS:
        raise TooManyPixels(f"{width} × {height}")
    return picture


@cache
def _refuse_by_own_limit() -> None:
    """Turn off Pillow's limit, which warns before it refuses; `MAX_PIXELS` is lower."""
    PIL.Image.MAX_IMAGE_PIXELS = None


def _loaded(
    root: Path, path: str, fingerprint: FileFingerprint, before: LoadedImage | None
) -> LoadedImage:
    if before is not None and before.fingerprint == fingerprint:
        return before
    if fingerprint.size > MAX_ASSET_BYTES:  # reported where it is opened
        return LoadedImage(fingerprint)
    try:
        with open_image(root, path) as file:
            image = _read(path, file)
    except ContentFileError as broken:
        return LoadedImage(fingerprint, diagnostic=broken.diagnostics[0])
    except TooManyPixels as error:
        message = Text("The picture has {} pixels, so it is not shown.", error)
        suggestion = Text("Save it with at most {} million pixels.", MAX_PIXELS // 1000000)
        too_large = DiagnosticKind.TOO_MANY_PIXELS.warning(path, message, suggestion)
        return LoadedImage(fingerprint, diagnostic=too_large)
    except Exception as error:  # decoders raise more than they document
        message = Text("The file is not a picture that can be read: {}.", _reason(error))
        suggestion = Text("Save it again as AVIF, GIF, JPEG, PNG, SVG or WebP.")
        unreadable = DiagnosticKind.UNREADABLE_IMAGE.warning(path, message, suggestion)
        return LoadedImage(fingerprint, diagnostic=unreadable)
    return LoadedImage(fingerprint, image, _mislabelled(image))


def _reason(error: Exception) -> str:
    """Return a reason without the name of a temporary object, which Pillow's messages have."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return Text("its format is unknown or damaged")


def _mislabelled(image: Image) -> Diagnostic | None:
    named = _FORMATS[_suffix(image.path)]
    if image.format == named:
        return None
    message = Text("The file is {}, but its name says {}.", image.format, named)
    suggestion = Text("Rename it to .{}, or save it as {}.", image.format.lower(), named)
    return DiagnosticKind.MISLABELLED_IMAGE.warning(image.path, message, suggestion)


QUARTER_TURNS = (5, 6, 7, 8)
"""Its values that exchange width and height."""

_SVG_HEAD_BYTES = 64 * 1024
_VARIABLE = b"var(--"
_DEFAULT_SIZE = (300, 150)
"""The size of a picture that states none, by CSS."""


def _read(path: str, file: BufferedReader) -> Image:
    if _suffix(path) == ".svg":
        head = file.read(_SVG_HEAD_BYTES)
        width, height = svg_size(head)
        return Image(path, width, height, "SVG", _digest(file), is_themed=_VARIABLE in head)
    with open_picture(file) as picture:
        width, height = picture.size
        if picture.getexif().get(ORIENTATION) in QUARTER_TURNS:
            width, height = height, width
        name = "JPEG" if picture.format == "MPO" else str(picture.format)
        is_animated = name in _RESIZED and getattr(picture, "is_animated", False)
        has_alpha = picture.has_transparency_data
    return Image(path, width, height, name, _digest(file), has_alpha, is_animated)


def _digest(file: BufferedReader) -> str:
    file.seek(0)
    return hashlib.file_digest(file, partial(hashlib.blake2b, digest_size=12)).hexdigest()


def svg_size(head: bytes) -> tuple[int, int]:
    """Return the size of an SVG in CSS pixels, by its `width` and `height`, else its `viewBox`.

    Without any it is the one that browsers use. Raises ValueError, and what expat raises.
    """
    attributes = _root_attributes(head)
    width, height = map(_pixels, map(attributes.get, ("width", "height")))
    box = [float(number) for number in attributes.get("viewBox", "").replace(",", " ").split()]
    if len(box) == 4 and box[2] > 0 and box[3] > 0:
        ratio = box[2] / box[3]
        width = width or (height * ratio if height else box[2])
        height = height or width / ratio
    sides = (width or _DEFAULT_SIZE[0], height or _DEFAULT_SIZE[1])
    width, height = (max(1, round(min(_MAX_SIDE, side))) for side in sides)
    return width, height


_LENGTH = re.compile(
    r"\s*+((?:[0-9]++(?:\.[0-9]++)?|\.[0-9]++)(?:e[+-]?[0-9]++)?)"
    r"\s*+(?:(px|pt|pc|mm|cm|in)\s*+)?",
    re.IGNORECASE,
)
_PIXELS_PER_UNIT = {
    "": 1,
    "px": 1,
    "pt": 96 / 72,
    "pc": 16,
    "mm": 96 / 25.4,
    "cm": 96 / 2.54,
    "in": 96,
}


def _pixels(length: str | None) -> float | None:
    """Return a length in CSS pixels, or None if it depends on the page, as a percentage does."""
    match = _LENGTH.fullmatch(length or "")
    return float(match[1]) * _PIXELS_PER_UNIT[(match[2] or "").lower()] if match else None


class _RootFound(Exception):
    """Ends the parse at the start of the root element, which has the size."""


def _root_attributes(head: bytes) -> Mapping[str, str]:
    """Return the attributes of the root element, of which only the start is read."""
    attributes: dict[str, str] = {}

    def start(name: str, found: dict[str, str]) -> None:
        if name.rpartition(":")[2] != "svg":
            raise ValueError("no SVG")
        attributes.update(found)
        raise _RootFound

    def refuse(*_: object) -> None:
        raise ValueError("it declares entities")  # a few lines of them expand to gigabytes

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(head)
    except _RootFound:
        return attributes
    raise ValueError("no root element")


def _suffix(path: str) -> str:
    return posixpath.splitext(path)[1].lower()
