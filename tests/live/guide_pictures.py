"""The pictures of guides with pages of a site, in the languages of the guide.

`make pictures` makes them anew, with the commands and samples of the guides.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from live.chromium import chromium
from live.documents import ROOT, blocks
from live.server import Server
from live.terminal import opened_terminal
from PIL import Image
from playwright.sync_api import ViewportSize

from knowledge.fields.looks import looks

PICTURES = ROOT / "docs" / "pictures"
_WINDOW: ViewportSize = {"width": 800, "height": 620}
_PAGES: Mapping[str, str] = {
    "start-home": "",
    "start-prices": "/prices",
    "write-sections": "/contract",
}
"""The page in each picture."""

SUFFIXES = {"en": "", "ar": ".ar"}
_OF_SITES: Mapping[str, tuple[str, str]] = {
    "kinds-doctors": ("docs/examples/clinic", "/doctors"),
    "forms-booking": ("docs/examples/clinic", "/booking"),
    "search-page": ("knowledge/content", "/search?q=VAT"),
    "agents-menu": ("knowledge/content", "/blog/vat-across-the-gulf"),
}
"""The site and the page in each picture of a site that is there."""

FILES = [
    f"{name}{suffix}.webp"
    for name in (*_PAGES, *_OF_SITES, "branding-looks")
    for suffix in SUFFIXES.values()
    if (ROOT / "docs" / f"{name.partition('-')[0]}{suffix}.md").exists()
]
_DESK: ViewportSize = {"width": 1280, "height": 960}
_TILE = 426, 320
_GAP = 8


def _make_pictures() -> None:
    with TemporaryDirectory() as folder, opened_terminal(Path(folder)) as terminal:
        steps = blocks("docs/start.md", "sh")
        for step in steps[: next(n for n, step in enumerate(steps) if "aiosmtpd" in step)]:
            terminal.run(step)
        for suffix in SUFFIXES.values():
            guide = blocks(f"docs/write{suffix}.md", "markdown")
            (contract,) = (text for text in guide if ":::{steps}" in text)
            (Path(folder) / "my-site" / "pages" / f"contract{suffix}.md").write_text(
                contract, "utf-8"
            )
        with chromium() as browser:
            page = browser.new_page(viewport=_WINDOW)
            for language, suffix in SUFFIXES.items():
                for name, path in _PAGES.items():
                    page.goto(f"{terminal.url}/sa/{language}{path}", wait_until="networkidle")
                    is_text = name == "write-sections"  # without the header
                    shown = page.locator("main").screenshot() if is_text else page.screenshot()
                    file = PICTURES / f"{name}{suffix}.webp"
                    Image.open(BytesIO(shown)).save(file, quality=60, method=6)


def _make_sheets() -> None:
    """Make the sheets of the home page of the sample in each look, three in a row."""
    (width, height), names = _TILE, [*looks()]
    size = 3 * width + 2 * _GAP, 2 * height + _GAP
    sheets = {language: Image.new("RGB", size, "#8a8a8a") for language in SUFFIXES}
    with TemporaryDirectory() as folder, chromium() as browser:
        page = browser.new_page(viewport=_DESK)
        for number, look in enumerate(names):
            content = Path(folder) / look
            shutil.copytree(ROOT / "knowledge" / "content", content)
            theme = content / "site" / "theme.md"
            own = re.sub(r"hero:\n.*\n", f"look: {look}\n", theme.read_text("utf-8"))
            theme.write_text(own, "utf-8")
            row, column = divmod(number, 3)
            with Server(content, Path(folder)) as server:
                for language, sheet in sheets.items():
                    page.goto(f"{server.url}/sa/{language}", wait_until="networkidle")
                    shown = Image.open(BytesIO(page.screenshot())).resize(_TILE)
                    sheet.paste(shown, (column * (width + _GAP), row * (height + _GAP)))
    for language, suffix in SUFFIXES.items():
        sheets[language].save(PICTURES / f"branding-looks{suffix}.webp", quality=42, method=6)


def _make_pictures_of_sites() -> None:
    with chromium() as browser:
        page = browser.new_page(viewport=_WINDOW)
        for name, (site, path) in _OF_SITES.items():
            with TemporaryDirectory() as folder, Server(ROOT / site, Path(folder)) as server:
                for language, suffix in SUFFIXES.items():
                    if f"{name}{suffix}.webp" not in FILES:
                        continue
                    page.goto(f"{server.url}/sa/{language}{path}", wait_until="networkidle")
                    if name == "agents-menu":
                        page.locator(".page-menu > button").click()
                    else:  # without the header
                        page.locator("h1").evaluate("each => each.scrollIntoView()")
                    file = PICTURES / f"{name}{suffix}.webp"
                    Image.open(BytesIO(page.screenshot())).save(file, quality=60, method=6)


if __name__ == "__main__":
    _make_pictures()
    _make_pictures_of_sites()
    _make_sheets()
