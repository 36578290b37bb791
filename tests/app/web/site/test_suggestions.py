"""What the scripts of all pages need: titles to suggest, and the choice of light or dark pages."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import Visitor

HTML = {"Accept": "text/html"}
SITE = {
    "pages/stock.md": "---\ntitle: { en: Stock taking, ar: جرد المخزون }\n---\nText.\n",
    "pages/stock.ar.md": "نص.\n",
    "pages/invoices.md": "---\ntitle: { en: How to take stock, ar: الفواتير }\n---\nText.\n",
    "pages/invoices.ar.md": "نص.\n",
    "pages/none.md": "---\ntitle: Stocktaking secrets\nseo: { noIndex: true }\n---\nText.\n",
    "pages/draft.md": "---\ntitle: Stock draft\nstatus: draft\n---\nText.\n",
}


@cases(
    ("language", "typed", "titles"),
    [
        pytest.param("en", "sto", ["Stock taking", "How to take stock"], id="first its beginning"),
        pytest.param("en", "STOCK tak", ["Stock taking", "How to take stock"], id="words"),
        pytest.param("en", "take s", ["How to take stock"], id="each word"),
        pytest.param("en", "tock", [], id="within a word"),
        pytest.param("en", "&?", [], id="signs"),
        pytest.param("en", "", [], id="nothing"),
        pytest.param("ar", "فوات", ["الفواتير"], id="without the article"),
        pytest.param("ar", "الفَوا", ["الفواتير"], id="with it, and vowels"),
    ],
)
def test_titles_are_found_by_the_beginnings_of_their_words(
    shared_visit: Visit, language: str, typed: str, titles: list[str]
) -> None:
    """Of listed pages alone, in the language of the path, as OpenSearch has suggestions."""
    reply = shared_visit(SITE).get(f"/ae/{language}/search/titles?q={quote(typed)}")
    assert reply.headers["Content-Type"] == "application/x-suggestions+json"
    assert reply.json == [typed, titles]
    assert reply.headers["Cache-Control"].startswith("public")


def test_there_are_at_most_eight(sample: Visitor) -> None:
    """However many begin so, and a text that is too long is refused."""
    path = "/ae/en/search/titles?q="
    assert len(sample.get(f"{path}e").json[1]) <= len(sample.get(f"{path}p").json[1]) == 8
    assert sample.get(path + "x" * 2_000).status == 400
    assert sample.get("/xx/en/search/titles?q=e").status == 404


@cases(
    ("theme", "has_choice"),
    [
        pytest.param("accent: '#b3122a'", True, id="dark pages derived"),
        pytest.param("look: night", False, id="always dark"),
        pytest.param("dark: { paper: '#fffaf0' }", False, id="always light"),
    ],
)
def test_a_site_of_one_scheme_has_no_choice(visit: Visit, theme: str, has_choice: bool) -> None:
    """Neither the control nor its script."""
    html = visit({**SITE, "site/theme.md": f"---\n{theme}\n---\n"}).get("/ae/en", HTML).text
    assert ('role="radiogroup"' in html) == ("prefers-color-scheme: ?" in html) == has_choice
