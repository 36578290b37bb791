"""Addresses from the time when combining marks separated the words of a slug."""

from __future__ import annotations

from typing import Literal
from unicodedata import normalize
from urllib.parse import quote, unquote

import pytest
from cases import cases
from conftest import Visit
from pictures import picture

Form = Literal["NFC", "NFD"]

TREE = {
    "posts/المكوّنات.ar.md": "---\ntitle: المكوّنات\ncategory: ضريبيّة\n---\nنص.\n",
    "posts/رابط.ar.md": "---\ntitle: رابط\n---\n[هنا](/blog/المكو-نات#x)\n",
    "posts/مخفيّ-هنا.ar.md": "---\ntitle: سر\npublished: false\n---\nنص.\n",
    "categories/ضريبيّة.ar.md": "---\nname: ضريبيّة\n---\n",
    "pages/فورًا.md": "---\ntitle: {en: Now, ar: فورًا}\n---\nText.\n",
}


@cases(
    ("former", "current"),
    [
        pytest.param("/ae/ar/blog/المكو-نات", "/ae/ar/blog/المكوّنات", id="post"),
        pytest.param("/ae/ar/blog/المكو-نات.md", "/ae/ar/blog/المكوّنات.md", id="its markdown"),
        pytest.param("/ae/en/فور-ا?a=1", "/ae/en/فورًا?a=1", id="page"),
        pytest.param("/ae/ar/blog/category/ضريبي-ة", "/ae/ar/blog/category/ضريبيّة", id="category"),
        pytest.param(
            "/api/public/v1/blog/posts/المكو-نات?lang=ar",
            "/api/public/v1/blog/posts/المكوّنات?lang=ar",
            id="API",
        ),
    ],
)
def test_a_former_address_redirects(shared_visit: Visit, former: str, current: str) -> None:
    """The page is at the address with the marks, which the redirect names."""
    site = shared_visit(TREE)
    reply = site.get(quote(former, safe="/?=&"))
    assert reply.status == 308
    assert unquote(reply.headers["Location"]) == current
    assert site.get(reply.headers["Location"]).status == 200


def test_what_is_not_published_has_no_former_address(shared_visit: Visit) -> None:
    """A redirect would tell that it exists."""
    assert shared_visit(TREE).get(quote("/ae/ar/blog/مخفي-هنا")).status == 404


def test_links_and_filters_with_a_former_slug_work(shared_visit: Visit) -> None:
    """A link names the present address."""
    site = shared_visit(TREE)
    body = site.get(quote("/api/public/v1/blog/posts/رابط?lang=ar", safe="/?=")).json["post"][
        "body"
    ]
    assert body[0]["text"] == "[هنا](/ae/ar/blog/المكوّنات#x)"
    found = site.get(quote("/api/public/v1/blog/posts?lang=ar&category=ضريبي-ة", safe="/?=&")).json
    assert [item["title"] for item in found["items"]] == ["المكوّنات"]


def test_usual_addresses_of_other_generators_lead_to_lists_and_feeds(visit: Visit) -> None:
    """Those of tags, categories and authors that posts name, and of feeds."""
    post = "---\ntitle: A\ndate: 2026-01-01\ncategory: C++\ntags: [VAT]\nauthor: Sam\n---\nText.\n"
    site = visit({"posts/a.md": post}, countries=False)
    wanted = {
        "/tags/vat/": "/en/blog/tag/vat",
        "/tag/VAT": "/en/blog/tag/vat",
        "/categories/c++/": "/en/blog/category/c-plus-plus",
        "/authors/sam/index.html": "/en/blog/author/sam",
        **dict.fromkeys(("/feed.xml", "/index.xml", "/rss.xml", "/feed/"), "/en/blog/feed.xml"),
    }
    for former, present in wanted.items():
        assert site.get(former).headers.get("location") == present, former
    assert site.get("/tags/none/").status == 404


def test_categories_of_programming_languages_are_three(visit: Visit) -> None:
    """C, C++ and C#, in lists and at their addresses."""
    post = "---\ntitle: A\ndate: 2026-01-01\ncategory: {}\n---\nText.\n"
    names = {"c": "C", "c-plus-plus": "C++", "c-sharp": '"C#"'}
    files = {f"posts/{slug}.md": post.format(name) for slug, name in names.items()}
    files["categories/c++.md"] = "---\nname: C++\n---\n"
    site = visit(files, countries=False)
    items = site.get("/api/public/v1/blog/categories?lang=en").json["items"]
    assert sorted(item["slug"] for item in items) == sorted(names)
    for slug in names:
        found = site.get(f"/api/public/v1/blog/posts?lang=en&category={slug}").json["items"]
        assert [item["slug"] for item in found] == [slug]


def test_a_category_of_a_language_leads_from_its_address_without_signs(visit: Visit) -> None:
    """With its feed, its formats, its API and links to it; C itself would own the address."""
    post = "---\ntitle: A\ndate: 2026-01-01\ncategory: {}\n---\n[x](/blog/category/c)\n"
    files = {"posts/a.md": post.format("C++"), "posts/b.md": post.format("R")}
    site = visit(files, countries=False)
    for path in ("/blog/category/c", "/blog/category/c/feed.xml", "/blog/category/c.md"):
        reply = site.get(f"/en{path}")
        renamed = path.replace("/c", "/c-plus-plus").replace("/c-plus-plusategory", "/category")
        assert (reply.status, reply.headers["location"]) == (308, f"/en{renamed}")
        assert site.get(reply.headers["location"]).status == 200
    found = site.get("/api/public/v1/blog/posts?lang=en&category=c").json["items"]
    assert [item["slug"] for item in found] == ["a"]
    assert 'href="/en/blog/category/c-plus-plus"' in site.get("/en/blog/b").text
    assert site.get("/en/blog/category/r-sharp").status == 404
    own = visit({**files, "posts/c.md": post.format("C")}, countries=False)
    assert own.get("/en/blog/category/c").status == 200


@pytest.mark.parametrize("on_disk", ["NFC", "NFD"])
def test_letters_may_be_composed_in_another_way(visit: Visit, on_disk: Form) -> None:
    """In the request and on the disk; a redirect names the one address, whichever it is."""
    text, image = "---\ntitle: A\n---\nText.\n", picture("PNG", 2, 2)
    paths = {
        "/images/{}.png": "images/{}.png",
        "/images/{}.0123456789abcdef01234567.png": "images/{}.png",
        "/posts/{}/plan.pdf": "posts/{}/plan.pdf",
        "/_static/{}.woff2": "_static/{}.woff2",
        "/en/blog/{}": "posts/{}.md",
        "/en/blog/{}.md": "posts/{}.md",
        "/en/{}": "pages/{}.md",
        "/en/blog/category/{}": "categories/{}.md",
        "/api/public/v1/blog/posts/{}?lang=en": "posts/{}.md",
        "/api/public/v1/pages/{}?lang=en": "pages/{}.md",
    }
    name = normalize(on_disk, "café-مآب")
    files: dict[str, str | bytes] = {
        file.format(name): text if file.endswith(".md") else image for file in paths.values()
    }
    site = visit({**files, "posts/z.md": text.replace("title", "category: Café مآب\ntitle")}, False)
    for path in paths:
        found = set()
        for asked in (normalize("NFC", name), normalize("NFD", name)):
            reply = site.get(quote(path.format(asked), safe="/?="))
            if reply.status == 308:
                found.add(reply.headers["location"])
                reply = site.get(reply.headers["location"])
            assert reply.status in (200, 302), (path, reply.status)
        assert len(found) == 1, (path, found)


def test_what_is_not_published_is_not_told_by_its_letters(visit: Visit) -> None:
    """A redirect would tell that it exists."""
    site = visit({"posts/café.md": "---\ntitle: A\npublished: false\n---\nx"}, countries=False)
    decomposed = quote(normalize("NFD", "café"))
    for path in ("/en/blog/{}", "/api/public/v1/blog/posts/{}"):
        assert site.get(path.format(decomposed)).status == 404


@pytest.mark.parametrize("on_disk", ["NFC", "NFD"])
def test_links_find_files_whatever_their_letters(visit: Visit, on_disk: Form) -> None:
    """The check and the page use one resolver: what the check accepts, the page leads to."""
    composed, decomposed = (normalize(form, "café") for form in ("NFC", "NFD"))
    names = f"![a](/images/{composed}.png) ![b](../images/{decomposed}.png) [c]({composed}.md)"
    name = normalize(on_disk, "café")
    files: dict[str, str | bytes] = {
        f"images/{name}.png": picture("PNG", 2, 2),
        f"posts/{name}.md": "---\ntitle: A\n---\nText.\n",
        "posts/z.md": f"---\ntitle: Z\n---\n{names} [d]({decomposed}.md)\n",
    }
    page = visit(files, countries=False).get("/en/blog/z").text
    assert page.count(f'src="/images/{quote(name)}.') == 2
    assert page.count(f'href="/en/blog/{quote(composed)}"') == 2
