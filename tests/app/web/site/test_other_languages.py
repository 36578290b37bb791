"""Texts in a third language: shown as what they are, and never called English or a fallback."""

from __future__ import annotations

import re

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import Visitor
from openapi_spec_validator import validate

API = "/api/public/v1"
BROWSER = {"Accept": "text/html"}
FRENCH = "---\ntitle: Le four\n---\nIl chauffe lentement.\n"
FILES = {
    "pages/oven.md": "---\ntitle: The oven\n---\nIt heats slowly.\n",
    "pages/oven.fr.md": FRENCH,
    "pages/stated.md": "---\ntitle: Le pain\nlang: fr-CA\n---\nDu pain.\n",
    "fr/pages/folder.md": FRENCH,
    "pages/russian.md": "---\ntitle: Печь\n---\nОна греет медленно.\n",
    "pages/hebrew.md": "---\ntitle: תנור\n---\nהוא מתחמם לאט.\n",
    "pages/persian.md": "---\ntitle: تنور\nlang: fa\n---\nآرام گرم می‌شود.\n",
    "posts/brot.md": "---\ntitle: Das Brot\nlang: de\ndate: 2026-05-01\n---\nEs ist gut.\n",
}
TEXTS = [
    pytest.param("/oven-fr", "fr", "ltr", id="by the ending"),
    pytest.param("/stated", "fr-CA", "ltr", id="by front matter"),
    pytest.param("/folder-fr", "fr", "ltr", id="by the folder"),
    pytest.param("/russian", "und-Cyrl", "ltr", id="by the script"),
    pytest.param("/hebrew", "he", "rtl", id="by a script of one language"),
    pytest.param("/persian", "fa", "rtl", id="Arabic letters, by front matter"),
    pytest.param("/blog/brot", "de", "ltr", id="a post"),
]


@pytest.fixture
def visitor(shared_visit: Visit) -> Visitor:
    """A site in English with texts in other languages."""
    return shared_visit(FILES, countries=False)


@cases(("path", "language", "direction"), TEXTS)
def test_a_page_is_shown_in_its_own_language(
    visitor: Visitor, path: str, language: str, direction: str
) -> None:
    """In HTML, its metadata, markdown and headers."""
    reply = visitor.get(f"/en{path}", BROWSER)
    assert reply.headers["Content-Language"] == language
    assert f'lang="{language}" dir="{direction}"' in reply.text
    assert f'"inLanguage":"{language}"' in reply.text
    assert f'property="og:locale" content="{language.replace("-", "_")}"' in reply.text
    assert "not available in" not in reply.text
    assert "hreflang" not in reply.text
    markdown = visitor.get(f"/en{path}", {"Accept": "text/markdown"}).text
    assert f"\nlang: {language}\ndir: {direction}\n" in markdown
    seo = visitor.get(f"{API}/seo-page?path=/en{path}").json
    assert (seo["lang"], seo["dir"], seo["alternates"]) == (language, direction, [])


def test_a_page_in_english_stays_english(visitor: Visitor) -> None:
    """A translation into a third language is a page of its own."""
    page = visitor.get("/en/oven", BROWSER)
    assert page.headers["Content-Language"] == "en"
    assert "It heats slowly." in page.text
    assert "Il chauffe lentement." in visitor.get("/en/oven-fr", BROWSER).text


def test_it_is_no_fallback_for_readers_of_arabic(shared_visit: Visit) -> None:
    """On a site of both languages it is shown without the notice of a missing translation."""
    visitor = shared_visit({"pages/a.md": FRENCH.replace("---\nIl", "lang: fr\n---\nIl")})
    page = visitor.get("/sa/ar/a", BROWSER)
    assert page.headers["Content-Language"] == "fr"
    assert 'class="notice"' not in page.text
    entry = re.findall(r"<url>.*?</url>", visitor.get("/sitemap.xml").text, re.DOTALL)
    assert all("hreflang" not in each for each in entry if "/a</loc>" in each)


def test_the_feed_and_the_contract_know_the_language(visitor: Visitor) -> None:
    """The entry has it; the contract stays valid."""
    assert '<entry xml:lang="de">' in visitor.get("/en/blog/feed.xml").text
    validate(visitor.get("/openapi.json").json)
