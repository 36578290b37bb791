"""The examples of section types in the author's guide, and the pictures of them beside it.

`make pictures` makes the pictures anew.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from guide_sections import EXAMPLES
from live.chromium import chromium
from live.documents import ROOT, blocks
from live.server import Server
from PIL import Image
from playwright.sync_api import ViewportSize

PICTURES = ROOT / "docs" / "pictures"
_WINDOW: ViewportSize = {"width": 900, "height": 900}


def examples() -> Mapping[str, str]:
    """Return the first example of each directive."""
    return dict(reversed(EXAMPLES))


def write_pages(content: Path) -> None:
    """Write the sample content with a page of each example, and one of all in both languages."""
    shutil.copytree(ROOT / "knowledge" / "content", content)
    pages = {f"example-{name.lower()}.md": text for name, text in examples().items()}
    everything = "\n\n".join(examples().values())
    pages |= {"examples.md": everything, "examples.ar.md": everything}
    for name, text in pages.items():
        (content / "pages" / name).write_text(f"---\ntitle: Example\n---\n{text}\n", "utf-8")
    (content / "forms").mkdir(exist_ok=True)
    (content / "forms" / "booking.md").write_text(blocks("docs/forms.md", "markdown")[0], "utf-8")
    (content / "files").mkdir(exist_ok=True)
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
