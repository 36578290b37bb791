"""The languages of a site are those of its texts; the main one may be Arabic."""

from __future__ import annotations

import re

import pytest
from conftest import NOW, Content, ViewOf, Visit
from contract.visitor import BASE_URL, Visitor

from app.services import services_of
from knowledge.checks.content_linter import check_content
from knowledge.locales.locale import Language
from knowledge.snapshot.loading import load_content

API = "/api/public/v1"
BROWSER = {"Accept": "text/html"}
ARABIC = {
    "posts/hello.md": "---\ntitle: مرحبًا بكم\ndate: 2026-05-01\n---\nهذا أول مقال في المدونة.\n",
    "pages/about.md": "---\ntitle: عن الموقع\n---\nنكتب عن التجارة.\n\n```\ncode\n```\n",
}
ENGLISH = {
    "posts/hello.md": "---\ntitle: Hello\ndate: 2026-05-01\n---\nThe first post.\n",
    "pages/about.md": "---\ntitle: About\n---\nOn trade.\n",
}
ONE = [
    pytest.param(ARABIC, "ar", "en", id="Arabic"),
    pytest.param(ENGLISH, "en", "ar", id="English"),
]


@pytest.mark.parametrize(("files", "own", "other"), ONE)
def test_a_site_of_one_language_has_no_other(
    visit: Visit, files: dict[str, str], own: str, other: str
) -> None:
    """No switch, no addresses and no hreflang of another one."""
    visitor = visit(files, countries=False)
    assert visitor.get("/").headers["Location"] == f"/{own}"
    assert visitor.get("/", {"Accept-Language": other}).headers["Location"] == f"/{own}"
    for path in ("", "/about", "/blog", "/blog/hello"):
        reply = visitor.get(f"/{own}{path}", BROWSER)
        assert reply.status == 200
        assert reply.headers["Content-Language"] == own
        assert "hreflang" not in reply.text + reply.links
        assert 'nav class="languages"' not in reply.text
        assert f'"/{other}' not in reply.text
        assert visitor.get(f"/{other}{path}").status == 404
        assert visitor.get(f"/{other}{path}.md").status == 404
    for path in ("/sitemap.xml", "/robots.txt", "/llms.txt", f"/{own}/llms.txt"):
        text = visitor.get(path).text
        assert "hreflang" not in text
        assert f"/{other}/" not in text
        assert f"/{other}<" not in text


@pytest.mark.parametrize(("files", "own", "other"), ONE)
def test_the_api_of_one_language_ignores_lang(
    visit: Visit, files: dict[str, str], own: str, other: str
) -> None:
    """It returns the site's only language, and names no other."""
    visitor = visit(files, countries=False)
    for query in ("", f"?lang={own}", f"?lang={other}"):
        reply = visitor.get(f"{API}/blog/posts{query}")
        assert [post["slug"] for post in reply.json["items"]] == ["hello"]
        assert reply.headers["Content-Language"] == own
    document = visitor.get("/openapi.json").json
    assert document["components"]["schemas"]["Language"]["enum"] == [own]
    parameters = document["paths"][f"{API}/blog/posts"]["get"]["parameters"]
    assert "lang" not in [parameter.get("name") for parameter in parameters]


def test_the_language_of_countries_without_a_second_one(visit: Visit) -> None:
    """Each country has one locale; their variants are alternates."""
    visitor = visit(ENGLISH | {"countries/sa.md": "", "countries/eg.md": ""}, countries=False)
    page = visitor.get("/sa/en/about", BROWSER).text
    tags = set(re.findall(r'<link rel="alternate" hreflang="([^"]+)"', page))
    assert tags == {"en-EG", "en-SA", "en", "x-default"}
    assert visitor.get("/sa/ar/about").status == 404


@pytest.mark.parametrize(
    ("files", "language", "told"),
    [
        pytest.param(ARABIC, Language.AR, True, id="found"),
        pytest.param(
            ARABIC | {"site/settings.md": "---\nlang: ar\n---\n"}, Language.AR, False, id="stated"
        ),
        pytest.param(
            ENGLISH | {"site/settings.md": "---\nlang: ar\n---\n"}, Language.EN, False, id="wrong"
        ),
        pytest.param(ENGLISH, Language.EN, False, id="English is the default"),
    ],
)
def test_the_language_of_a_folder(
    content: Content, files: dict[str, str], language: Language, told: bool
) -> None:
    """That of the texts, which is told; `lang` of the settings is for those that do not tell."""
    loaded = load_content(content(files, countries=False))
    document = loaded.snapshot.by_path["pages/about.md"][1]
    assert document.language is language
    messages = [str(each) for each in check_content(loaded, NOW)]
    assert any("Add lang: ar" in message for message in messages) == told
    assert not any("has no" in message for message in messages)


def test_a_text_may_state_another_language_than_the_folder(view_of: ViewOf) -> None:
    """By its ending, its folder or `lang`."""
    files = ARABIC | {
        "pages/about.en.md": "---\ntitle: About\n---\nOn trade.\n",
        "pages/terms.md": "---\ntitle: Terms\nlang: en\n---\nOur terms.\n",
    }
    snapshot = view_of(files, "ar", countries=False).snapshot
    assert snapshot.locales.languages == (Language.AR, Language.EN)
    assert snapshot.by_path["pages/terms.md"][1].language is Language.EN
    assert snapshot.by_path["pages/about.md"][1].fields.title == {"ar": "عن الموقع"}


def test_the_languages_follow_the_texts_while_the_site_runs(visit: Visit) -> None:
    """A first Arabic text adds the language; the last one takes it away."""
    visitor = visit(ENGLISH, countries=False)
    store = services_of(visitor.quart).content_store
    path = store.content_dir / "pages/about.ar.md"
    assert visitor.get("/ar/about").status == 404
    path.write_text(ARABIC["pages/about.md"])
    store.reload({"pages/about.ar.md"})
    assert "نكتب عن التجارة" in visitor.get("/ar/about", BROWSER).text
    assert f'hreflang="ar" href="{BASE_URL}/ar/about"' in visitor.get("/en/about", BROWSER).text
    path.unlink()
    store.reload({"pages/about.ar.md"})
    assert visitor.get("/ar/about").status == 404
    assert visitor.get("/en/about").status == 200


def test_a_changed_language_reads_the_texts_anew(visit: Visit) -> None:
    """Without a restart."""
    short = {"pages/about.md": "---\ntitle: عن\n---\nنص.\n"}
    visitor: Visitor = visit(short, countries=False)
    assert visitor.get("/ar/about", BROWSER).headers["Content-Language"] == "ar"
    store = services_of(visitor.quart).content_store
    (store.content_dir / "site").mkdir()
    (store.content_dir / "site/settings.md").write_text("---\nlang: en\n---\n")
    store.reload({"site/settings.md"})
    assert visitor.get("/en/about", BROWSER).headers["Content-Language"] == "en"
