"""Addresses from the time when combining marks separated the words of a slug."""

from __future__ import annotations

from urllib.parse import quote, unquote

import pytest
from cases import cases
from conftest import Visit

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
    site = visit({"posts/a.md": post, "posts/café.md": post}, countries=False)
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
    decomposed = site.get("/en/blog/cafe%CC%81")
    assert (decomposed.status, decomposed.headers["location"]) == (308, "/en/blog/caf%C3%A9")


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
