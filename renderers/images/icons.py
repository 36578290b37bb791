"""Icons of the site for browsers and telephones, from its square mark or its initial letter."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from functools import cache
from hashlib import blake2b
from io import BytesIO

import PIL.Image
import resvg_py
from PIL import ImageDraw, ImageFont
from PIL.ImageFont import Layout

from renderers.images.social_card import FONT

FAVICON, TOUCH_ICON = "/favicon.ico", "/apple-touch-icon.png"
FAVICON_TYPE = "image/x-icon"
TOUCH_SIDE = 180
FAVICON_SIDES = (16, 32, 48)
MAX_SVG_BYTES = 256 * 1024
_FORBIDDEN = (b"<image", b"<!entity", b"<!doctype", b"<script")
"""What could read other files, or grow without bound."""

_VERSION = 1


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
    picture = PIL.Image.open(BytesIO(_rastered(mark, side) if _is_svg(mark) else mark))
    whole = picture.convert("RGBA")
    whole.thumbnail((side, side), PIL.Image.Resampling.LANCZOS)
    square = PIL.Image.new("RGBA", (side, side))
    square.paste(whole, ((side - whole.width) // 2, (side - whole.height) // 2))
    return square


def _is_svg(mark: bytes) -> bool:
    return b"<svg" in mark[:4096]


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
    font = _letter_font(round(large * 0.62))
    left, top, right, bottom = pen.textbbox((0, 0), icon.letter, font=font)
    corner = (large - left - right) / 2, (large - top - bottom) / 2
    pen.text(corner, icon.letter, font=font, fill=icon.ink)
    return picture.resize((side, side), PIL.Image.Resampling.LANCZOS)


@cache
def _letter_font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONT, size, layout_engine=Layout.RAQM)
