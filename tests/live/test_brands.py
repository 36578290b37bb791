"""Three brands on the sample: each looks like a company of its own, and all texts can be read."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator

import pytest
from live.checkers import accessibility_faults
from live.chromium import DESKTOP
from live.fixtures import SAMPLE, made_of_sample
from live.geometry import contrast_faults, geometry_faults, set_width
from live.server import Server
from live.test_typography import fonts_of, wait_for_fonts
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

GOVERNMENT = "الهيئة العامة لتنظيم المدفوعات الرقمية وحماية المستهلك"
BRANDS = {
    "dark luxury": {
        "site/theme.md": """---
accent: "#c9a24b"
paper: "#12100e"
ink: "#efe8da"
radius: "0"
scale: large
header: stacked
footer: paper
fonts: {latin: {heading: "No Such Sans"}, arabic: {heading: "No Such Kufi"}}
hero: {style: plain, ground: paper}
---
"""
    },
    "yellow": {
        "site/theme.md": """---
accent: "#ffd60a"
radius: 1.25rem
density: compact
footer: accent
hero: {style: plain, ground: accent}
---
"""
    },
    "government": {
        "site/theme.md": """---
accent: "#1b5e3f"
radius: 0.25rem
density: compact
scale: small
header: stacked
footer: deep
hero: {style: plain, ground: paper}
---
""",
        "site/theme.ar.md": "---\n---\n",
        "site/settings.md": "---\nlang: en\nseo: {pageTitle: Digital Payments Authority}\n---\n",
        "site/settings.ar.md": f"---\nseo: {{pageTitle: {GOVERNMENT}}}\n---\n",
    },
}
PATHS = ("/ae/en", "/sa/ar", "/sa/ar/modules/point-of-sale", "/ae/en/blog/vat-across-the-gulf")
LOOK = """() => {
    const of = (selector, name) => getComputedStyle(document.querySelector(selector))[name];
    return [
        of("body", "color"), of(".hero", "backgroundColor"), of(".foot", "backgroundColor"),
        of(".hero .button", "borderRadius"), of("h1", "fontSize"), of(".bar", "display"),
    ];
}"""


@pytest.fixture(scope="module")
def branded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Server]]:
    """Starts the site of a brand, once."""
    running: dict[str, Server] = {}

    def started(brand: str) -> Server:
        if brand not in running:
            work = tmp_path_factory.mktemp("brand")
            shutil.copytree(SAMPLE, work / "content")
            for path, text in BRANDS[brand].items():
                (work / "content" / path).write_text(text, encoding="utf-8")
            running[brand] = Server(work / "content", work, **made_of_sample()).__enter__()
        return running[brand]

    yield started
    for server in running.values():
        server.__exit__(None, None, None)


@pytest.mark.parametrize("brand", BRANDS)
def test_a_brand_is_drawn_well(brand: str, desk: Page, branded: Callable[[str], Server]) -> None:
    """In both languages and colours, on phones and desks: nothing overflows, all can be read."""
    site = branded(brand)
    faults: dict[tuple[object, ...], list[str]] = {}
    for path in PATHS:
        desk.goto(site.url + path)
        for colours in ("light", "dark"):
            desk.emulate_media(color_scheme=colours)
            faults[path, colours] = accessibility_faults(desk)
            for width in (390, 1280):
                set_width(desk, width)
                faults[path, colours, width] = [*contrast_faults(desk), *geometry_faults(desk)]
    assert {drawing: found for drawing, found in faults.items() if found} == {}


def test_brands_look_like_different_companies(desk: Page, branded: Callable[[str], Server]) -> None:
    """No two have the same text, hero, footer, corners, sizes and header."""
    desk.emulate_media(color_scheme="light")
    set_width(desk, 1280)
    looks = []
    for brand in BRANDS:
        desk.goto(f"{branded(brand).url}/sa/ar")
        looks.append(desk.evaluate(LOOK))
    for index, look in enumerate(looks):
        for other in looks[:index]:
            alike = [own for own, theirs in zip(look, other, strict=True) if own == theirs]
            assert len(alike) <= 1, (look, other)
    assert desk.locator("header .logo").inner_text() == GOVERNMENT


def test_a_missing_heading_font_is_that_of_texts(
    browser: Browser, branded: Callable[[str], Server]
) -> None:
    """The family of the theme is on no device, so that headings have the fonts of Majlis."""
    page = browser.new_page(**DESKTOP)
    page.route("**/*.css*", wait_for_fonts)
    for path in ("/ae/en", "/sa/ar"):
        page.goto(branded("dark luxury").url + path)
        page.evaluate("document.fonts.ready")
        # A space may be that of the font that stands in with the same measures.
        page.locator("h1").evaluate("each => each.textContent = each.textContent.replace(/ /g, '')")
        assert fonts_of(page, "h1") == {"IBM Plex Sans Arabic"}  # which has Latin letters too
