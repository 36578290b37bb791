"""The looks of a theme in a real browser: in English on a desk, in Arabic on a dark phone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from live.checkers import accessibility_faults
from live.chromium import DESKTOP, PHONE, open_tab
from live.fixtures import SAMPLE, made_of_sample
from live.geometry import enlarge_text, set_width
from live.server import Server
from live.test_controls import DEAD
from playwright.sync_api import Browser

from knowledge.fields.looks import looks

pytestmark = pytest.mark.slow

PATHS = ("", "/modules/point-of-sale", "/products", "/pricing", "/blog")
WIDE = "document.documentElement.scrollWidth > innerWidth"


@pytest.mark.parametrize("look", ["plain", "editorial", "shop", "clinic", "public", "night"])
def test_each_look_can_be_read_and_used(look: str, browser: Browser, tmp_path: Path) -> None:
    """Axe finds nothing, each control takes the click, no page is too wide, nor at 200 %."""
    assert look in looks()
    content = tmp_path / "content"
    shutil.copytree(SAMPLE, content)
    (content / "site" / "theme.md").write_text(f"---\nlook: {look}\n---\n")
    wrong: list[object] = []
    with Server(content, tmp_path, **made_of_sample()) as server:
        for language, size in (("en", DESKTOP), ("ar", PHONE)):
            tab = open_tab(browser.new_context(**size, bypass_csp=True), server.url)
            for path in (f"/ae/{language}{page}" for page in PATHS):
                set_width(tab.page, size["viewport"]["width"])
                assert tab.open(path) == 200
                faults = accessibility_faults(tab.page)
                found = tab.page.evaluate(DEAD)
                wide = tab.page.evaluate(WIDE)
                if faults or found["dead"] or wide:
                    wrong.append((path, size["viewport"]["width"], faults, found["dead"], wide))
                enlarge_text(tab.page)
                set_width(tab.page, 320)
                if tab.page.evaluate(WIDE):
                    wrong.append((path, "200 % at 320"))
            tab.page.context.close()
    assert wrong == []
