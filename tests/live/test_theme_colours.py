"""Themes in a real browser: which texts stand on which grounds, and no colour of another brand."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from colour_pairs import TEXT_PAIRS
from live.fixtures import SAMPLE, made_of_sample
from live.server import Server
from PIL import Image
from playwright.sync_api import Page

from knowledge.fields.theme_fields import Colour
from knowledge.resources.palette import Brand, palette

pytestmark = pytest.mark.slow

PAGES = (
    "/ae/en",
    "/ae/en/pricing",
    "/ae/en/modules/point-of-sale",
    "/ae/en/contact",
    "/ae/en/products",
    "/ae/en/products/counter-pos-15",
    "/ae/en/blog/vat-across-the-gulf",
    "/ae/en/search?q=vat",
    "/ae/en/testimonials",
    "/ae/en/cities/dubai",
    "/developers",
    "/ae/en/pricings",
    "/sa/ar",
)
SCRIPT = Path(__file__).with_name("theme_pairs.js").read_text()
LISTED = {
    f"{text} on {ground}" for texts, grounds in TEXT_PAIRS for text in texts for ground in grounds
}
TEAL = 178, 210
"""The hues of the colours that pages have without a theme, in degrees."""


@pytest.mark.parametrize("path", PAGES)
def test_each_text_of_a_page_stands_on_a_ground_of_the_palette(
    path: str, desk: Page, site: Server
) -> None:
    """Each pair in use is among those for which themes guarantee the contrast."""
    desk.goto(site.url + path)
    red = Colour.parse("#b3122a")
    assert red is not None
    pairs = set(desk.evaluate(SCRIPT, list(palette(Brand(red), dark=False))))
    assert len(pairs) > 3
    assert pairs <= LISTED, "add the pair to knowledge/resources/palette.py"


@pytest.fixture
def red_site(tmp_path: Path) -> Iterator[Server]:
    """The sample with a red brand."""
    content = tmp_path / "content"
    shutil.copytree(SAMPLE, content)
    (content / "site" / "theme.md").write_text('---\naccent: "#b3122a"\n---\n')
    with Server(content, tmp_path, **made_of_sample()) as running:
        yield running


HIDE_PICTURES = """() => {
    for (const each of document.querySelectorAll("img, video")) each.style.visibility = "hidden"
}"""
"""Unlike a style that a screenshot adds, it is no matter of the security policy of the page."""


def test_a_red_brand_shows_no_teal(desk: Page, red_site: Server) -> None:
    """In light and in dark; pictures, which keep their own colours, are hidden."""
    for path in ("/ae/en", "/ae/en/pricing", "/sa/ar/contact"):
        for scheme in ("light", "dark"):
            desk.emulate_media(color_scheme=scheme)
            desk.goto(red_site.url + path)
            desk.evaluate(HIDE_PICTURES)
            picture = desk.screenshot(full_page=True)
            shown = Image.open(BytesIO(picture)).convert("RGB")
            channels = shown.quantize(64).getpalette() or []
            colours = [bytes(channels[at : at + 3]).hex() for at in range(0, len(channels), 3)]
            assert len(colours) > 8
            assert [colour for colour in colours if is_teal(colour)] == [], (path, scheme)


def is_teal(text: str) -> bool:
    """Return whether a colour has the hue of the colours without a theme."""
    colour = Colour.parse(text)
    assert colour is not None
    return colour.chroma > 0.03 and TEAL[0] < colour.hue % 360 < TEAL[1]
