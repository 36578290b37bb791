"""The sites that `majlis init` writes in a browser: every page, in both languages and schemes."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import httpx
import pytest
from live.checkers import accessibility_faults, html_faults
from live.chromium import DESKTOP, PHONE, open_tab
from live.server import Server
from playwright.sync_api import Browser

from app.operations.starters import write_starter
from knowledge.locales.locale import Language

pytestmark = pytest.mark.slow

LANGUAGES = (Language.EN, Language.AR)
PATH = re.compile(r"<loc>https?://[^/]+(/[^<]*)</loc>")
WIDE = "document.documentElement.scrollWidth > innerWidth"
GROUNDS = """() => [...document.querySelectorAll(".card img")]
    .map(each => getComputedStyle(each).backgroundColor)"""


@pytest.mark.parametrize("kind", ["company", "blog"])
def test_every_page_can_be_shown(kind: str, browser: Browser, tmp_path: Path) -> None:
    """Axe and the Nu Html Checker find nothing, no page is too wide, drawings have the accent."""
    content = tmp_path / "content"
    write_starter(content, kind, "Sanad", LANGUAGES, (), date(2026, 1, 1))
    (content / "site" / "theme.md").write_text('---\naccent: "#7a1f4b"\n---\n')
    pages = tmp_path / "pages"
    pages.mkdir()
    with Server(content, tmp_path) as server:
        paths = PATH.findall(httpx.get(f"{server.url}/sitemap.xml").text)
        assert len(paths) > 12
        for size in (DESKTOP, PHONE):
            tab = open_tab(browser.new_context(**size, bypass_csp=True), server.url)
            for number, path in enumerate([*paths, "/ar/nothing"]):
                assert tab.open(path) == (404 if path == "/ar/nothing" else 200)
                assert (path, accessibility_faults(tab.page)) == (path, [])
                assert not tab.page.evaluate(WIDE)
                html = httpx.get(server.url + path, headers={"Accept": "text/html"}).text
                (pages / f"{number}.html").write_text(html, encoding="utf-8")
            tab.open("/en")
            grounds = set(tab.page.evaluate(GROUNDS))
            assert len(grounds) == 1
            assert "rgba(0, 0, 0, 0)" not in grounds
            tab.page.context.close()
    assert html_faults(pages) == []
