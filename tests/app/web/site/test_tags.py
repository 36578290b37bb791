"""Pages of tags and of categories that posts name, authors, series and dates."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from urllib.parse import quote
from zoneinfo import ZoneInfo

import pytest
from cases import cases
from conftest import Visit

from app.services import services_of

HTML, MARKDOWN = {"Accept": "text/html"}, {"Accept": "text/markdown"}
JSON = {"Accept": "application/json"}


def post(*lines: str) -> str:
    """Return a post with these lines of front matter."""
    return "\n".join(("---", *lines, "---", "Text."))


TREE: Mapping[str, str] = {
    "posts/a.md": post("title: A", "tags: [VAT, C++]", "categories: [News, Company News]"),
    "posts/b.md": post("title: B", "tags: [vat, C#]", "series: Taxes", "weight: 2"),
    "posts/c.md": post(
        "title: C",
        "tags: ['#vat']",
        "date: 2026-05-01T22:30:00Z",
        "series: Taxes",
        "weight: 1",
        "authors: [Ann, {name: Bob, url: 'https://bob.example', title: Editor}]",
    ),
    "posts/d.ar.md": post("title: د", "tags: [ضريبة]"),
    "posts/later.md": post("title: L", "tags: [secret]", "category: Plans", "date: 2027-05-01"),
    "tags/c-sharp.md": "---\nname: C♯\ndescription: A language.\n---\n",
}


@cases("accept", [HTML, MARKDOWN, JSON])
@cases(
    ("path", "status"),
    [
        pytest.param("/ae/en/blog/tag/vat", 200, id="tag"),
        pytest.param("/ae/en/blog/tag/c-plus-plus", 200, id="tag with signs"),
        pytest.param("/sa/ar/blog/tag/ضريبة", 200, id="Arabic tag"),
        pytest.param("/sa/en/blog/tag/ضريبة", 404, id="tag of the other language"),
        pytest.param("/ae/en/blog/tag/secret", 404, id="tag of a scheduled post"),
        pytest.param("/ae/en/blog/tag/none", 404, id="unknown tag"),
        pytest.param("/ae/en/blog/category/company-news", 200, id="category without a file"),
        pytest.param("/ae/en/blog/category/plans", 404, id="category of a scheduled post"),
    ],
)
def test_a_term_has_a_page(
    shared_visit: Visit, path: str, status: int, accept: dict[str, str]
) -> None:
    """If a published post of the locale names it."""
    assert shared_visit(TREE).get(quote(path), accept).status == status


def test_the_page_of_a_tag_lists_its_posts(shared_visit: Visit) -> None:
    """Newest first, in any letter case."""
    site = shared_visit(TREE)
    listed = site.get("/ae/en/blog/tag/vat", JSON).json
    assert [item["title"] for item in listed["items"]] == ["C", "A", "B"]
    page = site.get("/ae/en/blog/tag/c-sharp", HTML).text
    assert "C♯" in page
    assert "A language." in page


def test_search_engines_see_a_tag_from_three_posts_on(shared_visit: Visit) -> None:
    """In robots, sitemap and llms.txt."""
    site = shared_visit(TREE)
    assert 'content="index, follow"' in site.get("/ae/en/blog/tag/vat", HTML).text
    assert 'content="noindex, follow"' in site.get("/ae/en/blog/tag/c-sharp", HTML).text
    for path in ("/sitemap.xml", "/ae/en/llms.txt"):
        text = site.get(path).text
        assert "/ae/en/blog/tag/vat" in text
        assert "/tag/c-" not in text


def test_a_post_links_to_its_tags_and_categories(shared_visit: Visit) -> None:
    """All of them, in HTML and markdown."""
    site = shared_visit(TREE)
    page = site.get("/ae/en/blog/a", HTML).text
    markdown = site.get("/ae/en/blog/a", MARKDOWN).text
    for path in ("tag/vat", "tag/c-plus-plus", "category/news", "category/company-news"):
        assert f'href="/ae/en/blog/{path}"' in page
        assert f"](https://www.wahat.example/ae/en/blog/{path}.md)" in markdown


def test_all_categories_filter_and_are_listed(shared_visit: Visit) -> None:
    """A category exists by its name."""
    site = shared_visit(TREE)
    listed = site.get("/api/public/v1/blog/categories").json["items"]
    assert [each["name"] for each in listed] == ["Company News", "News"]
    for category in ("news", "company-news"):
        found = site.get(f"/api/public/v1/blog/posts?category={category}").json["items"]
        assert [item["title"] for item in found] == ["A"]
    (category, second) = site.get("/api/public/v1/blog/posts/a").json["post"]["categories"]
    assert (category["slug"], second["name"]) == ("news", "Company News")


NAMED = {
    **TREE,
    "posts/e.ar.md": post("title: هـ", "date: 2026-05-01", "tags: [vat, ضريبة, Peppol, 2026]"),
    "posts/e.md": post("title: E", "date: 2026-05-01", "tags: [vat, ضريبة, Peppol, 2026]"),
    "tags/vat.md": '---\nname: {en: "VAT", ar: "ضريبة القيمة المضافة"}\n---\n',
}


@cases(
    ("locale", "names"),
    [("ae/en", ["VAT", "Peppol", "2026"]), ("ae/ar", ["ضريبة القيمة المضافة", "ضريبة", "2026"])],
)
def test_a_tag_is_shown_by_its_name_in_the_language_of_the_page(
    shared_visit: Visit, locale: str, names: list[str]
) -> None:
    """One that has none, and is written in the other script, is not shown there; JSON has all."""
    site = shared_visit(NAMED)
    page = site.get(f"/{locale}/blog/e", HTML).text
    assert re.findall(r'<li class="tag"><a href="[^"]+"><bdi>([^<]+)', page) == names
    assert f'"keywords":{json.dumps(names, ensure_ascii=False, separators=(",", ":"))}' in page
    assert re.findall(r'property="article:tag" content="([^"]+)"', page) == names
    text = site.get(f"/{locale}/blog/e", MARKDOWN).text
    line = next(line for line in text.splitlines() if "/blog/tag/" in line)
    assert re.findall(r"\[([^]]+)\]", line) == names
    (item,) = (
        each
        for each in site.get(f"/{locale}/blog/feed.json").json["items"]
        if each["url"].endswith("/e")
    )
    assert item["tags"] == names
    country, lang = locale.split("/")
    raw = site.get(f"/api/public/v1/blog/posts/e?country={country}&lang={lang}").json["post"]
    assert raw["tags"] == ["vat", "ضريبة", "Peppol", "2026"]


def test_a_site_of_one_language_shows_all_tags(shared_visit: Visit) -> None:
    """No page has another name for them."""
    files = {"posts/a.ar.md": post("title: مقال", "tags: [Python]")}
    assert "<bdi>Python</bdi>" in shared_visit(files, countries=False).get("/ar/blog/a", HTML).text


def test_an_edit_changes_the_tags(visit: Visit, tmp_path: Path) -> None:
    """A tag that no post names any more is gone."""
    site = visit(TREE)
    (tmp_path / "content" / "posts" / "a.md").write_text(post("title: A", "tags: [new]"), "utf-8")
    services_of(site.quart).content_store.reload()
    assert site.get("/ae/en/blog/tag/c-plus-plus").status == 404
    assert site.get("/ae/en/blog/tag/new").status == 200


def test_authors_are_named_in_all_forms(shared_visit: Visit) -> None:
    """Page, markdown, JSON, feed and JSON-LD."""
    site = shared_visit(TREE)
    page = site.get("/ae/en/blog/c", HTML).text
    link = '<a rel="author" href="/ae/en/blog/author/bob"><bdi>Bob</bdi></a> (<bdi>Editor</bdi>)'
    assert link in page
    ann = "https://www.wahat.example/ae/en/blog/author/ann"
    assert f'"author":[{{"@type":"Person","name":"Ann","url":"{ann}"}},' in page
    assert '"sameAs":"https://bob.example","jobTitle":"Editor"' in page
    assert f"**By**: [Ann]({ann}.md), [Bob](" in site.get("/ae/en/blog/c", MARKDOWN).text
    assert site.get("/api/public/v1/blog/posts/c").json["post"]["authors"] == [
        {"name": "Ann", "slug": "ann"},
        {"name": "Bob", "slug": "bob", "url": "https://bob.example", "title": "Editor"},
    ]
    feed = site.get("/ae/en/blog/feed.xml").text
    assert f"<author><name>Ann</name><uri>{ann}</uri></author>" in feed
    assert "<author><name>Bob</name><uri>https://bob.example</uri></author>" in feed


def test_an_author_may_be_a_key_of_the_list(visit: Visit, tmp_path: Path) -> None:
    """A broken list leaves the key as the name."""
    listed = "ann:\n  name: {en: Ann Lee, ar: آن}\n  url: https://ann.example\nbad: 1\n"
    site = visit({"posts/a.md": post("authors: [ann, bob]"), "posts/authors.yml": listed})
    path = "/api/public/v1/blog/posts/a"
    assert site.get(path).json["post"]["authors"] == [
        {"name": "Ann Lee", "slug": "ann", "url": "https://ann.example"},
        {"name": "bob", "slug": "bob"},
    ]
    assert site.get("/ae/en/blog/author/ann", JSON).json["author"]["name"] == "Ann Lee"
    (tmp_path / "content" / "posts" / "authors.yml").write_text("- [", "utf-8")
    services_of(site.quart).content_store.reload()
    names = [author["name"] for author in site.get(path).json["post"]["authors"]]
    assert names == ["ann", "bob"]


def test_the_parts_of_a_series_link_to_each_other(shared_visit: Visit) -> None:
    """In the order of their weights."""
    site = shared_visit(TREE)
    series = site.get("/api/public/v1/blog/posts/b").json["series"]
    assert (series["name"], series["part"]) == ("Taxes", 2)
    assert [part["slug"] for part in series["parts"]] == ["c", "b"]
    page = site.get("/ae/en/blog/b", HTML).text
    assert "Part 2 of 2 of the series “<bdi>Taxes</bdi>”" in page
    assert '<li><a href="/ae/en/blog/c">C</a></li>' in page
    assert "## Series: Taxes\n\n1. [C]" in site.get("/ae/en/blog/b", MARKDOWN).text


@pytest.mark.parametrize("locale", ["ae/en", "sa/en"])
def test_an_instant_is_one_day_in_all_forms(shared_visit: Visit, locale: str) -> None:
    """That of the reader's country."""
    site = shared_visit(TREE)
    page = site.get(f"/{locale}/blog/c", HTML).text
    assert ">2 May 2026</time>" in page
    assert '<time datetime="2026-05-02T' in page
    assert '"datePublished":"2026-05-02T' in page
    text = site.get(f"/{locale}/blog/c", MARKDOWN).text
    assert "**Published**: 2026-05-02" in text
    assert "updated: 2026-05-02T" in text
    assert "(2026-05-02" in site.get(f"/{locale}/blog", MARKDOWN).text
    assert "<published>2026-05-02T" in site.get(f"/{locale}/blog/feed.xml").text


@cases(
    ("written", "day", "instant"),
    [
        ("2026-05-02T01:30:00+03:00", "2026-05-02", "2026-05-01T22:30:00Z"),
        ("2026-05-02 00:00:00 +0300", "2026-05-02", "2026-05-01T21:00:00Z"),
        ("2026-05-02 01:30 Asia/Riyadh", "2026-05-02", "2026-05-01T22:30:00Z"),
        ("2026-05-01T22:30:00-05:00", "2026-05-01", "2026-05-02T03:30:00Z"),
        ("2026-05-02T09:30:00+03:00", "2026-05-02", "2026-05-02T06:30:00Z"),
        ("2026-05-02", "2026-05-02", "2026-05-02T00:00:00Z"),
        ("2026-05-01T22:30:00Z", "2026-05-01", "2026-05-01T22:30:00Z"),
    ],
)
@pytest.mark.parametrize("has_countries", [False, True])
def test_the_day_of_an_instant_is_that_of_the_author_or_the_country(
    visit: Visit, written: str, day: str, instant: str, *, has_countries: bool
) -> None:
    """The author's where the site has no countries; JSON and the site map are in UTC."""
    files = {"posts/c.md": post("title: C", f"date: {written}", f"updated: {written}")}
    site = visit(files, countries=has_countries)
    locale = "sa/en" if has_countries else "en"
    if has_countries:
        is_day = instant.endswith("T00:00:00Z")
        moment = datetime.fromisoformat(instant)
        day = f"{moment if is_day else moment.astimezone(ZoneInfo('Asia/Riyadh')):%Y-%m-%d}"
    page = site.get(f"/{locale}/blog/c", HTML).text
    assert f">{int(day[-2:])} May 2026</time>" in page
    assert f'<time datetime="{day}T' in page
    assert f'"datePublished":"{day}T' in page
    assert f"**Published**: {day}" in site.get(f"/{locale}/blog/c", MARKDOWN).text
    assert f"<published>{day}T" in site.get(f"/{locale}/blog/feed.xml").text
    query = "?lang=en&country=sa" if has_countries else "?lang=en"
    found = site.get(f"/api/public/v1/blog/posts/c{query}").json["post"]
    assert found["publishedAt"] == instant
    item = site.get(f"/api/public/v1/blog/posts{query}").json["items"][0]
    assert item["publishedAt"] == instant
    assert f"<lastmod>{instant}</lastmod>" in site.get("/sitemap.xml").text
