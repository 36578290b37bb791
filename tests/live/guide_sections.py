"""The examples of section types in the author's guide, and the pictures of them beside it.

`make pictures` makes the pictures anew.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent

from live.chromium import chromium
from live.documents import ROOT
from live.server import Server
from PIL import Image
from playwright.sync_api import ViewportSize

PICTURES = ROOT / "docs" / "pictures"
_GUIDE = ROOT / "docs" / "authoring.md"
_EXAMPLE = re.compile(r"(?ms)^    :::\{(\w+)\}.*?^    :::$")
_WINDOW: ViewportSize = {"width": 900, "height": 900}


def examples() -> Mapping[str, str]:
    """Return the first example of each directive."""
    found: dict[str, str] = {}
    for match in _EXAMPLE.finditer(_GUIDE.read_text("utf-8")):
        found.setdefault(match[1], dedent(match[0]))
    return found


def write_pages(content: Path) -> None:
    """Write the sample content with a page of each example, and one of all in both languages."""
    shutil.copytree(ROOT / "knowledge" / "content", content)
    pages = {f"example-{name.lower()}.md": text for name, text in examples().items()}
    everything = "\n\n".join(examples().values())
    pages |= {"examples.md": everything, "examples.ar.md": everything}
    for name, text in pages.items():
        (content / "pages" / name).write_text(f"---\ntitle: Example\n---\n{text}\n", "utf-8")
    (content / "files").mkdir()
    (content / "files" / "sheet.pdf").write_bytes(b"x" * 123_000)


def _make_pictures() -> None:
    with TemporaryDirectory() as folder:
        content = Path(folder) / "content"
        write_pages(content)
        with Server(content, Path(folder)) as server, chromium() as browser:
            page = browser.new_page(viewport=_WINDOW)
            for name in examples():
                page.goto(f"{server.url}/ae/en/example-{name.lower()}", wait_until="networkidle")
                picture = page.locator(".body > *").first.screenshot()
                Image.open(BytesIO(picture)).save(PICTURES / f"{name}.webp", quality=70, method=6)


if __name__ == "__main__":
    _make_pictures()
