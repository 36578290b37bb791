"""The sites in `docs/examples/` in a real browser: every control, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
from examples import SITES
from live.chromium import DESKTOP, open_tab
from live.geometry import enlarge_text, set_width
from live.server import Server
from live.test_controls import DEAD, WIDTHS
from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

PATH = re.compile(r"<loc>https?://[^/]+(/[^<]*)</loc>")
EACH_SITE = pytest.mark.parametrize("folder", [pytest.param(site, id=site.name) for site in SITES])


PICTURED = """() => {
  const picture = document.querySelector(".offer > .shot")
  if (!picture) return null
  const box = each => each.getBoundingClientRect()
  const [beside, words] = [picture, picture.nextElementSibling].map(box)
  return beside.right <= words.left || words.right <= beside.left
}"""
"""Whether the words of a page stand beside its picture; null without a picture."""


def paths(url: str) -> list[str]:
    """Return the paths of the first country's pages, in both languages, and some others."""
    found = PATH.findall(httpx.get(f"{url}/sitemap.xml").text)
    country = next(path for path in found if path.endswith("/en")).split("/")[1]
    own = [path for path in found if path.startswith(f"/{country}/")]
    assert len(own) > 30
    return [*own, f"/{country}/en/search?q=water", f"/{country}/ar/nothing"]


@EACH_SITE
def test_each_page_is_whole(folder: Path, browser: Browser, tmp_path: Path) -> None:
    """Each control takes the click at its middle, on a desk and on a phone; no page is too wide.

    Nor is one with text of 200 %. On wide screens, words stand beside the picture of a document.

    The browser complains neither of a missing file nor of its policy, and asks no other site.
    """
    statuses, pictured = {}, []
    wrong: list[object] = []
    with Server(folder, tmp_path) as server:
        context = browser.new_context(**DESKTOP)
        tab = open_tab(context, server.url)
        for path in paths(server.url):
            statuses[path] = tab.open(path)
            for width in WIDTHS:
                set_width(tab.page, width)
                found = tab.page.evaluate(DEAD)
                wide = tab.page.evaluate("document.documentElement.scrollWidth > innerWidth")
                if found["dead"] or found["count"] <= 10 or wide:
                    wrong.append((path, width, found, wide))
            set_width(tab.page, 900)
            pictured.append(tab.page.evaluate(PICTURED))
            enlarge_text(tab.page)
            for width in (320, *WIDTHS):
                set_width(tab.page, width)
                if tab.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                    wrong.append((path, width, "200 %"))
        context.close()
    assert wrong == []
    assert False not in pictured
    assert True in pictured
    missing = {path: status for path, status in statuses.items() if status != 200}
    assert {status for path, status in missing.items() if "/nothing" in path} == {404}
    assert len(missing) == 1
    assert [each for each in tab.complaints if "404" not in each] == []
