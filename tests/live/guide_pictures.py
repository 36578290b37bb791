"""The pictures of the guides Start and Write, in English and in Arabic.

`make pictures` makes them anew, with the commands and samples of the guides.
"""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from live.chromium import chromium
from live.documents import ROOT, blocks
from live.terminal import opened_terminal
from PIL import Image
from playwright.sync_api import ViewportSize

PICTURES = ROOT / "docs" / "pictures"
_WINDOW: ViewportSize = {"width": 800, "height": 620}
_PAGES: Mapping[str, str] = {
    "start-home": "",
    "start-prices": "/prices",
    "write-sections": "/contract",
}
"""The page in each picture."""

SUFFIXES = {"en": "", "ar": ".ar"}
FILES = [f"{name}{suffix}.webp" for name in _PAGES for suffix in SUFFIXES.values()]


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


if __name__ == "__main__":
    _make_pictures()
