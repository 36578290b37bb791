"""llms-full.txt: all pages of a locale as one text, up to a size limit."""

from __future__ import annotations

import re

from cases import cases
from conftest import ViewOf
from contract.visitor import BASE_URL, Visitor
from gulf import all_locales

from knowledge.resources.site_map import site_map
from llms import llms_txt

PATHS = ["/llms-full.txt", *(f"{locale.path}/llms-full.txt" for locale in all_locales())]
PAGES = {f"pages/p-{number}.md": f"---\ntitle: P{number}\n---\nText.\n" for number in range(9)}


@cases("path", PATHS)
def test_the_full_text_is_markdown_in_the_locale_s_language(sample: Visitor, path: str) -> None:
    """It has a token estimate, is cacheable, and respects the limit."""
    response = sample.get(path)
    assert response.status == 200
    assert response.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert response.headers["Content-Language"] == ("ar" if "/ar/" in path else "en")
    assert int(response.headers["X-Markdown-Tokens"]) > 10_000
    assert response.headers["Cache-Control"].startswith("public")
    assert len(response.text) <= llms_txt.FULL_LIMIT


def test_it_contains_every_page_with_its_url_and_text(sample: Visitor) -> None:
    """All pages of the sample content fit; list pages are omitted."""
    text = sample.get("/sa/ar/llms-full.txt").text
    locations = re.findall("<loc>(.*?)</loc>", sample.get("/sitemap.xml").text)
    lists = re.compile("/sa/ar/(blog|products|blog/(category|tag)/[^/]+)$")
    expected = {
        url for url in locations if url.startswith(f"{BASE_URL}/sa/ar") and not lists.search(url)
    }
    assert set(re.findall(r"^<(https://[^>]+)>$", text, re.MULTILINE)) == expected
    about = sample.get("/sa/ar/about.md").text
    assert about.rstrip().rpartition("\n\n")[2] in text
    assert "](/" not in text


def test_it_is_cut_at_the_limit_with_a_note(view_of: ViewOf) -> None:
    """It contains complete pages only, and links to the list of the others."""
    view = view_of(PAGES)
    pages = site_map(view.snapshot, view.now)
    whole = llms_txt.render_full(view, pages).body.decode()
    assert "This text ends here" not in whole
    cut = llms_txt.render_full(view, pages, limit=1_700).body.decode()
    assert len(cut) <= 1_700
    assert "# P0\n" in cut
    assert "# P8\n" not in cut
    shown = len(re.findall(r"^<https://[^>]+>$", cut, re.MULTILINE))
    assert f"it holds {shown} of 10 pages" in cut
    assert cut.rstrip().endswith("https://wahat.test/ae/en/llms.txt")
