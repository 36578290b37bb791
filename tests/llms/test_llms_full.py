"""llms-full.txt: every page of a locale as one text, within its limit."""

from __future__ import annotations

import re

import pytest
from conftest import ViewOf
from contract.visitor import BASE_URL, Visitor

from knowledge.locale import all_locales
from knowledge.resources.site_map import site_map
from llms import llms_full

PATHS = ["/llms-full.txt", *(f"{locale.path}/llms-full.txt" for locale in all_locales())]
PAGES = {f"pages/p-{number}.md": f"---\ntitle: P{number}\n---\nText.\n" for number in range(9)}


@pytest.mark.parametrize("path", PATHS)
def test_the_full_text_of_a_locale_answers(sample: Visitor, path: str) -> None:
    """As markdown in the locale's language, with its weight."""
    reply = sample.get(path)
    assert reply.status == 200
    assert reply.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert reply.headers["Content-Language"] == ("ar" if "/ar/" in path else "en")
    assert int(reply.headers["X-Markdown-Tokens"]) > 10_000
    assert reply.headers["Cache-Control"].startswith("public")
    assert len(reply.text) <= llms_full.LIMIT


def test_it_holds_every_page_with_its_address_and_text(sample: Visitor) -> None:
    """All of the sample's fit; what a list page says stands in the pages that it lists."""
    text = sample.get("/sa/ar/llms-full.txt").text
    locations = re.findall("<loc>(.*?)</loc>", sample.get("/sitemap.xml").text)
    lists = re.compile("/sa/ar/(blog|products|blog/category/[^/]+)$")
    expected = {
        each
        for each in locations
        if each.startswith(f"{BASE_URL}/sa/ar") and not lists.search(each)
    }
    assert set(re.findall(r"^<(https://[^>]+)>$", text, re.MULTILINE)) == expected
    about = sample.get("/sa/ar/about.md").text
    assert about.rstrip().rpartition("\n\n")[2] in text
    assert "](/" not in text


def test_it_ends_at_its_limit_and_says_so(view_of: ViewOf) -> None:
    """Whole pages only, and where the others are listed."""
    view = view_of(PAGES)
    pages = site_map(view.snapshot, view.now)
    whole = llms_full.render(view, pages).body.decode()
    assert "This text ends here" not in whole
    cut = llms_full.render(view, pages, limit=1_700).body.decode()
    assert len(cut) <= 1_700
    assert "# P0\n" in cut
    assert "# P8\n" not in cut
    shown = len(re.findall(r"^<https://[^>]+>$", cut, re.MULTILINE))
    assert f"it holds {shown} of 11 pages" in cut
    assert cut.rstrip().endswith("https://wahat.test/ae/en/llms.txt")
