"""Small sites: a folder of posts or of pages alone is a good site that speaks of nothing else."""

from __future__ import annotations

import re
from typing import Any

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL, Visitor
from llms_txt import parse_llms_file
from openapi_spec_validator import validate

BROWSER = {"Accept": "text/html"}
SETTINGS = {"site/settings.md": "---\nseo: {pageTitle: Notes on bread}\n---\n"}
POSTS = {
    f"posts/loaf-{number}.md": f"---\ntitle: Loaf {number}\ndate: 2026-05-0{number}\n"
    "tags: [rye]\n---\nFlour and water.\n"
    for number in range(1, 6)
}
PAGES = {
    "pages/start.md": "---\ntitle: Getting started\nsortOrder: 1\n---\nMix.\n",
    "pages/ovens.md": "---\ntitle: Ovens\nsortOrder: 2\n---\nHeat.\n",
}
FOREIGN = re.compile(
    r"\b(product|cart|checkout|partner|testimonial|customer stor|countr|gulf|city|cities|module"
    r"|industr|erp|order)\w*",
    re.IGNORECASE,
)
"""Words of a company's site."""


@pytest.fixture
def blog(shared_visit: Visit) -> Visitor:
    """A folder of posts, with a name."""
    return shared_visit(POSTS | SETTINGS, countries=False)


@pytest.fixture
def manual(shared_visit: Visit) -> Visitor:
    """A folder of pages, with a name."""
    return shared_visit(PAGES | SETTINGS, countries=False)


def menu(page: str) -> list[str]:
    """Return the links of the main menu."""
    found = re.search(r'<nav class="wide".*?</nav>', page, re.DOTALL)
    return re.findall(r'href="([^"]+)"', found[0]) if found else []


def test_the_settings_name_the_site(blog: Visitor) -> None:
    """With nothing but a title; the host name is nowhere."""
    document = blog.get("/openapi.json").json
    assert document["info"]["title"] == "Notes on bread: public API"
    host = BASE_URL.removeprefix("https://")
    for path in ("/en", "/en/blog", "/en/blog/loaf-1", "/nothing", "/developers"):
        page = blog.get(path, BROWSER).text
        assert "Notes on bread" in re.search(r"<title>.*</title>", page)[0]  # type: ignore[index]
        assert f">{host}<" not in page
    assert "Notes on bread</a>" in re.sub(r"\s*(</?a)", r"\1", blog.get("/en", BROWSER).text)
    assert '"name":"Notes on bread"' in blog.get("/en", BROWSER).text
    assert blog.get("/llms.txt").text.startswith("# Notes on bread\n")
    assert "Notes on bread" in blog.get("/en/blog/feed.xml").text


def test_a_folder_of_posts_is_a_blog(blog: Visitor) -> None:
    """The home page has the posts and their search, the menu only the blog, and all of it works."""
    home = blog.get("/en", BROWSER).text
    assert "<title>Notes on bread</title>" in home
    assert [f">Loaf {number}</a>" in home for number in range(1, 6)] == [True] * 5
    assert 'role="search" action="/en/blog"' in home
    assert menu(home) == ["/en/blog"]
    assert "Loaf 1" in blog.get("/en/blog", BROWSER).text
    assert "/en/blog/loaf-3" in blog.get("/en/blog?search=loaf+3", BROWSER).text
    assert blog.get("/en/search?q=flour").status == 200
    links = set(re.findall(r'href="(/[^"#?]*)', home + blog.get("/en/blog/loaf-2", BROWSER).text))
    assert {link: blog.get(link).status for link in links} == dict.fromkeys(links, 200)


def test_a_folder_of_pages_is_a_manual(manual: Visitor) -> None:
    """The home page lists the pages, and no page is about a blog."""
    home = manual.get("/en", BROWSER).text
    assert menu(home) == ["/en/start", "/en/ovens"]
    assert '<li><a href="/en/start">Getting started</a></li>' in home
    assert "[Ovens](" in manual.get("/en", {"Accept": "text/markdown"}).text
    maps = "".join(manual.get(path).text for path in ("/sitemap.xml", "/llms.txt", "/robots.txt"))
    assert "/blog" not in maps
    assert "blog" not in (home + manual.get("/en/ovens", BROWSER).text).lower()
    links = set(re.findall(r'href="(/[^"#?]*)', home))
    assert {link: manual.get(link).status for link in links} == dict.fromkeys(links, 200)


@cases("path", ["/en", "/en/blog", "/en/blog/loaf-1", "/llms.txt", "/robots.txt"])
def test_a_blog_speaks_of_no_company(blog: Visitor, path: str) -> None:
    """No products, carts, partners, testimonials or countries."""
    text = blog.get(path, BROWSER).text
    found = {match[0].lower() for match in FOREIGN.finditer(text)}
    assert found <= {"border", "ordered"}, found


def test_the_manual_of_a_blog_has_no_operation_of_a_company(blog: Visitor) -> None:
    """Neither has the contract, which is valid, nor the catalog."""
    document: Any = blog.get("/openapi.json").json
    validate(document)
    tags = {tag["name"] for tag in document["tags"]}
    assert tags.isdisjoint({"cities", "countries", "testimonials", "localized", "software"})
    assert not [tag for tag in tags if tag.startswith("erp")]
    assert not [path for path in document["paths"] if "order" in path or "product" in path]
    assert "partner" not in document["info"]["description"]
    manual = blog.get("/developers.md").text
    for words in (
        "/api/orders",
        "/cities",
        "/testimonials",
        "/countries",
        "`country`",
        "localeCountry",
    ):
        assert words not in manual, words
    assert "/api/erp" not in blog.get("/.well-known/api-catalog").text


def test_a_configured_partner_interface_is_named(shared_visit: Visit) -> None:
    """On any site."""
    settings = {"erp_pull_api_token": "a-token-of-a-partner"}
    visitor = shared_visit(POSTS, countries=False, **settings)
    assert "## Partner interface" in visitor.get("/llms.txt").text
    assert "/api/orders" in visitor.get("/openapi.json").json["paths"]
    assert "/api/orders" in visitor.get("/developers.md").text


def test_the_guide_of_a_blog_has_the_format(blog: Visitor) -> None:
    """One file for the only locale; it lists the blog and its posts."""
    parsed = parse_llms_file(blog.get("/llms.txt").text)
    assert parsed.title == "Notes on bread"
    titles = [link["title"] for link in parsed.sections["Blog"]]
    assert {"Loaf 1", "Loaf 5"} <= set(titles)
    assert "Other languages" not in parsed.sections
    assert "articles" in parsed.info
    assert [link["title"] for link in parsed.sections["Pages"]] == ["Home"]


def test_products_bring_the_words_of_a_shop(shared_visit: Visit) -> None:
    """Private paths and the list of products are there with the first product."""
    product = {"products/peel.md": "---\nid: 1\ntitle: Peel\nprices: {EUR: 20}\n---\nWood.\n"}
    visitor = shared_visit(POSTS | product, countries=False)
    assert "Disallow: /cart\n" in visitor.get("/robots.txt").text
    assert f"<loc>{BASE_URL}/en/products</loc>" in visitor.get("/sitemap.xml").text
    assert "/en/products" in menu(visitor.get("/en", BROWSER).text)
    assert "€\u00a020.00" in visitor.get("/en/products/peel", BROWSER).text
    assert "1 product<" in visitor.get("/en/products", BROWSER).text


def test_a_currency_of_the_site_chooses_the_price(shared_visit: Visit) -> None:
    """Without one it is the first price."""
    product = {"products/p.md": "---\nid: 1\ntitle: P\nprices: {EUR: 20, USD: 22}\n---\nWood.\n"}
    dollars = {"site/settings.md": "---\ncurrency: USD\nseo: {pageTitle: Bread}\n---\n"}
    visitor = shared_visit(product | dollars, countries=False)
    page = visitor.get("/en/products/p", BROWSER).text
    assert "$\u00a022.00" in page
    assert "20.00" not in page
    plain = shared_visit(product, countries=False)
    assert "€\u00a020.00" in plain.get("/en/products/p", BROWSER).text
