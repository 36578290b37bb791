"""Drawings: the social card of a page, and the icons of the site, as PNG."""

from collections.abc import Iterator
from dataclasses import astuple, dataclass
from functools import cache
from hashlib import blake2b
from io import BytesIO
from pathlib import Path

import PIL.Image
import resvg_py
from PIL import ImageDraw, ImageFont
from PIL.ImageFont import FreeTypeFont, Layout

from renderers.l10n.bidi import Direction, isolated_runs

_VERSION = 1
"""Part of the digest; to be raised when cards look different."""


_PDI = "\u2069"
_INVISIBLE = frozenset("\u200b\u200c\u200d\u200e\u200f\u2066\u2067\u2069 \u00a0")


@dataclass(frozen=True, slots=True)
class SocialCard:
    """What a card shows; colours are `#rrggbb`. `mark` is a digest of the icon, `""` for none."""

    title: str
    brand: str
    direction: Direction
    ground: str
    ink: str
    accent: str
    mark: str = ""

    @property
    def digest(self) -> str:
        """Names the card: cards that look the same have the same digest."""
        colours = (self.ground, self.ink, self.accent)
        shown = repr((_VERSION, self.title, self.brand, self.direction, colours, self.mark))
        return blake2b(shown.encode(), digest_size=12).hexdigest()


WIDTH, HEIGHT = 1200, 630
MEDIA_TYPE = "image/png"
FONT = Path(__file__).parents[1] / "fonts" / "card-600.ttf"
"""IBM Plex Sans and IBM Plex Sans Arabic in one file, as a line may have letters of both."""

_MARGIN = 80
_LARGEST, _SMALLEST, _STEP = 92, 44, 6
_BRAND_SIZE = 40
_MARK_SIDE = 72
_MAX_LINES = 4
_TITLE_HEIGHT = 330
_MAX_CHARACTERS = 300
_ELLIPSIS = "…"
_ISOLATES = {"rtl": "\u2066", "ltr": "\u2067"}
"""What begins a run of the other direction, by the direction of the text; it ends with PDI."""


def render(card: SocialCard, mark: PIL.Image.Image | None = None) -> bytes:
    """Draw a card; the same one gives the same bytes."""
    picture = PIL.Image.new("RGB", (WIDTH, HEIGHT), card.ground)
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, HEIGHT - 16, WIDTH, HEIGHT), fill=card.accent)
    brand, title = _known(card.brand), _known(card.title)
    indent = 0
    if mark is not None:
        small = mark.convert("RGBA").resize((_MARK_SIDE, _MARK_SIDE), PIL.Image.Resampling.LANCZOS)
        left = WIDTH - _MARGIN - _MARK_SIDE if card.direction == "rtl" else _MARGIN
        picture.paste(small, (left, _MARGIN), small)
        indent = _MARK_SIDE + 24
    middle = _MARGIN + _MARK_SIDE // 2
    _write(pen, card, brand, middle, _font(_BRAND_SIZE), indent, "m")
    size, lines = _fitted(title or brand, card.direction)
    step = round(size * (1.45 if card.direction == "rtl" else 1.2))
    top = HEIGHT - _MARGIN - 24 - step * len(lines)
    for number, line in enumerate(lines):
        _write(pen, card, line, top + number * step, _font(size), 0, "a")
    saved = BytesIO()
    picture.quantize(128, dither=PIL.Image.Dither.NONE).save(saved, "PNG", optimize=True)
    return saved.getvalue()


def _write(
    pen: ImageDraw.ImageDraw,
    card: SocialCard,
    text: str,
    top: int,
    font: FreeTypeFont,
    indent: int,
    vertical: str,
) -> None:
    """Write a line at the side where readers begin."""
    if not text:
        return
    is_rtl = card.direction == "rtl"
    left = WIDTH - _MARGIN - indent if is_rtl else _MARGIN + indent
    pen.text(
        (left, top),
        _isolated(text, card.direction),
        font=font,
        fill=card.ink,
        anchor=("r" if is_rtl else "l") + vertical,
        direction=card.direction,
    )


def _isolated(text: str, direction: Direction) -> str:
    """Isolate what the text's direction would reorder, as pages do."""
    pieces, position = [], 0
    for start, end in isolated_runs(text, direction):
        pieces += [text[position:start], _ISOLATES[direction], text[start:end], _PDI]
        position = end
    return "".join([*pieces, text[position:]])


def _fitted(title: str, direction: Direction) -> tuple[int, list[str]]:
    """Return the largest size at which a title fits, and its lines; a long one is cut off."""
    words = title[:_MAX_CHARACTERS].split()
    for size in range(_LARGEST, _SMALLEST, -_STEP):
        lines = list(_lines(words, size, direction))
        height = len(lines) * size * 1.45
        if len(lines) <= _MAX_LINES and height <= _TITLE_HEIGHT and _fits(lines, size, direction):
            return size, lines
    lines = list(_lines(words, _SMALLEST, direction))
    kept = lines[:_MAX_LINES]
    if len(lines) > _MAX_LINES or len(title) > _MAX_CHARACTERS:
        kept[-1] += _ELLIPSIS
    return _SMALLEST, kept


def _lines(words: list[str], size: int, direction: Direction) -> Iterator[str]:
    line = ""
    for word in words:
        longer = f"{line} {word}".lstrip()
        if line and not _fits([longer], size, direction):
            yield line
            longer = word
        line = longer
    if line:
        yield line


def _fits(lines: list[str], size: int, direction: Direction) -> bool:
    font = _font(size)
    widths = (font.getlength(_isolated(line, direction), direction=direction) for line in lines)
    return max(widths, default=0) <= WIDTH - 2 * _MARGIN


@cache
def _font(size: int) -> FreeTypeFont:
    return ImageFont.truetype(FONT, size, layout_engine=Layout.RAQM)


def _known(text: str) -> str:
    """Return a text of which all letters can be drawn, or `""` if some cannot."""
    text = " ".join(text.split())
    return text if all(map(_is_known, text)) else ""


@cache
def _is_known(letter: str) -> bool:
    if letter in _INVISIBLE:
        return True
    if not letter.isprintable():
        return False
    return bool(_font(_SMALLEST).getmask(letter).getbbox() != _unknown_box())


@cache
def _unknown_box() -> object:
    return _font(_SMALLEST).getmask("\ufffe").getbbox()


FAVICON, TOUCH_ICON = "/favicon.ico", "/apple-touch-icon.png"
FAVICON_TYPE = "image/x-icon"
TOUCH_SIDE = 180
FAVICON_SIDES = (16, 32, 48)
MAX_SVG_BYTES = 256 * 1024
_FORBIDDEN = (b"<image", b"<!entity", b"<!doctype", b"<script")
"""What could read other files, or grow without bound."""


@dataclass(frozen=True, slots=True)
class Icon:
    """What an icon shows: the bytes of a mark, SVG or a raster; or a letter in two colours."""

    letter: str
    ground: str
    ink: str
    paper: str
    mark: bytes = b""

    @property
    def digest(self) -> str:
        """Names the icon: icons that look the same have the same digest."""
        return blake2b(repr((_VERSION, *astuple(self))).encode(), digest_size=12).hexdigest()


def favicon(icon: Icon) -> bytes:
    """Return an ICO with an image of each usual size."""
    *smaller, largest = (draw(icon, side) for side in FAVICON_SIDES)
    saved = BytesIO()
    sizes = [(side, side) for side in FAVICON_SIDES]
    largest.save(saved, "ICO", sizes=sizes, append_images=smaller)
    return saved.getvalue()


def touch_icon(icon: Icon) -> bytes:
    """Return a PNG for the home screens of telephones, which show no transparency."""
    opaque = PIL.Image.new("RGB", (TOUCH_SIDE, TOUCH_SIDE), icon.paper)
    mark = draw(icon, TOUCH_SIDE)
    opaque.paste(mark, mask=mark)
    saved = BytesIO()
    opaque.save(saved, "PNG", optimize=True)
    return saved.getvalue()


def draw(icon: Icon, side: int) -> PIL.Image.Image:
    """Return an icon of this size; one whose mark cannot be drawn shows the letter."""
    try:
        return _marked(icon.mark, side) if icon.mark else _lettered(icon, side)
    except Exception:  # whatever is wrong with the mark: `majlis check` reports pictures
        return _lettered(icon, side)


def _marked(mark: bytes, side: int) -> PIL.Image.Image:
    picture = PIL.Image.open(BytesIO(_rastered(mark, side) if b"<svg" in mark[:4096] else mark))
    whole = picture.convert("RGBA")
    whole.thumbnail((side, side), PIL.Image.Resampling.LANCZOS)
    square = PIL.Image.new("RGBA", (side, side))
    square.paste(whole, ((side - whole.width) // 2, (side - whole.height) // 2))
    return square


def _rastered(svg: bytes, side: int) -> bytes:
    lower = svg.lower()
    if len(svg) > MAX_SVG_BYTES or any(tag in lower for tag in _FORBIDDEN):
        raise ValueError("not a simple SVG")
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg.decode(), width=side, skip_system_fonts=True, font_files=[str(FONT)]
        )
    )


def _lettered(icon: Icon, side: int) -> PIL.Image.Image:
    """Draw the letter four times as large, and shrink it to smooth its edges."""
    large = side * 4
    picture = PIL.Image.new("RGBA", (large, large))
    pen = ImageDraw.Draw(picture)
    pen.rounded_rectangle((0, 0, large - 1, large - 1), radius=large // 5, fill=icon.ground)
    font = _font(round(large * 0.62))
    left, top, right, bottom = pen.textbbox((0, 0), icon.letter, font=font)
    corner = (large - left - right) / 2, (large - top - bottom) / 2
    pen.text(corner, icon.letter, font=font, fill=icon.ink)
    return picture.resize((side, side), PIL.Image.Resampling.LANCZOS)
