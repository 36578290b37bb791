"""The picture of the README: one address as HTML, markdown and JSON, and the same page in Arabic.

`make pictures` makes it anew.
"""

from __future__ import annotations

import json
from base64 import b64encode
from html import escape
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
from live.chromium import chromium
from live.documents import ROOT
from live.server import Server
from PIL import Image
from playwright.sync_api import Browser, ViewportSize

PICTURE = ROOT / "docs" / "pictures" / "answers.webp"
_PAGE, _ARABIC = "/sa/en/erp", "/sa/ar/erp"
_WINDOW: ViewportSize = {"width": 1200, "height": 730}
_LINES = 21
_STYLE = """
body { margin: 0; padding: 20px; display: grid; grid-template-columns: 1fr 1fr; gap: 20px;
  background: #e9e4da; color: #1d1d1f; font: 15px/1.45 monospace }
figure { margin: 0; block-size: 400px; overflow: hidden; border-radius: 8px; background: #fff }
figcaption { padding: 8px 14px; background: #0f3434; color: #fff }
img { inline-size: 100% }
pre { margin: 0; padding: 12px 14px; font: inherit; font-size: 13px; white-space: pre-wrap }
"""


def _make_picture() -> None:
    with TemporaryDirectory() as folder, chromium() as browser:
        with Server(ROOT / "knowledge" / "content", Path(folder)) as server:
            page = server.url + _PAGE
            data = httpx.get(page, headers={"Accept": "application/json"}).json()
            text = httpx.get(page, headers={"Accept": "text/markdown"}).text
            _, fields, body = text.replace(server.url, "").split("---\n", 2)
            text = f"---\n{fields.partition('url:')[0]}…\n---\n{body}"
            panels = (
                (f"Accept: text/html            {_PAGE}", _shot(browser, page)),
                (f"Accept: text/markdown        {_PAGE}", _code(text)),
                (f"Accept: application/json     {_PAGE}", _code(_json(data))),
                (f"Accept: text/html            {_ARABIC}", _shot(browser, server.url + _ARABIC)),
            )
        figures = "".join(
            f"<figure><figcaption>{title.replace('  ', '&nbsp; ')}</figcaption>{panel}</figure>"
            for title, panel in panels
        )
        tab = browser.new_page(viewport={"width": 1240, "height": 860})
        tab.set_content(f"<!doctype html><style>{_STYLE}</style>{figures}")
        Image.open(BytesIO(tab.screenshot())).save(PICTURE, quality=60, method=6)


def _shot(browser: Browser, address: str) -> str:
    tab = browser.new_page(viewport=_WINDOW)
    tab.goto(address, wait_until="networkidle")
    return f'<img src="data:image/png;base64,{b64encode(tab.screenshot()).decode()}">'


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1)


def _code(text: str) -> str:
    return f"<pre>{escape(chr(10).join(text.splitlines()[:_LINES]))}</pre>"


if __name__ == "__main__":
    _make_picture()
