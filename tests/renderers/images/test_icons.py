"""Icons: from the mark of the site, or from its first letter."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import PIL.Image
import pytest
from cases import cases
from pictures import picture, svg
from PIL.IcoImagePlugin import IcoImageFile

from renderers.images.drawings import Icon, draw, favicon, touch_icon

LETTER = Icon("و", "#0f5c5c", "#ffffff", "#ffeedd")
RED = svg('viewBox="0 0 9 9"').replace(b"/>", b'><rect width="9" height="9" fill="red"/></svg>')


def test_the_icon_of_browsers_has_three_sizes() -> None:
    """Each is drawn for itself, not made of a larger one."""
    icon = IcoImageFile(BytesIO(favicon(LETTER)))
    assert icon.format == "ICO"
    assert icon.info["sizes"] == {(16, 16), (32, 32), (48, 48)}
    for width, height in icon.info["sizes"]:
        icon.size = (width, height)
        assert icon.convert("RGBA").tobytes() == draw(LETTER, width).convert("RGBA").tobytes()


def test_the_icon_of_telephones_is_opaque() -> None:
    """Its corners have the colour of paper."""
    icon = PIL.Image.open(BytesIO(touch_icon(LETTER)))
    assert (icon.format, icon.mode, icon.size) == ("PNG", "RGB", (180, 180))
    assert icon.getpixel((0, 0)) == (255, 238, 221)
    assert icon.getpixel((20, 90)) == (15, 92, 92)


@pytest.mark.parametrize(
    "mark", [pytest.param(RED, id="SVG"), pytest.param(picture("PNG", 400, 400), id="PNG")]
)
def test_a_mark_is_drawn(mark: bytes) -> None:
    """It fills the icon."""
    pixel = draw(replace(LETTER, mark=mark), 32).getpixel((6, 16))
    assert isinstance(pixel, tuple)
    assert pixel[0] > 150 > pixel[1]


@cases(
    "mark",
    [
        pytest.param(b"nothing", id="no picture"),
        pytest.param(RED.replace(b"<rect", b'<image href="/etc/passwd"/><rect'), id="a file"),
        pytest.param(b'<!DOCTYPE svg [<!ENTITY a "b">]>' + RED, id="an entity"),
        pytest.param(RED + b" " * 300_000, id="too large"),
        pytest.param(picture("PNG", 40, 40)[:60], id="cut off"),
    ],
)
def test_a_mark_that_cannot_be_drawn_gives_the_letter(mark: bytes) -> None:
    """The icon is there in any case, and no other file is read."""
    assert draw(replace(LETTER, mark=mark), 32) == draw(LETTER, 32)
