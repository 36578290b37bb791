"""The head of a page for search engines, and the same values in its HTTP headers."""

from __future__ import annotations

import re

import pytest
from cases import cases
from contract.visitor import BASE_URL, Visitor

HTML = {"Accept": "text/html"}
BLOG = "/ae/en/blog"


def canonical(text: str) -> str | None:
    """Return the canonical URL in a head, or in a Link header."""
    match = re.search(r'rel="canonical" href="([^"]+)"|<([^>]+)>; rel="canonical"', text)
    return (match[1] or match[2]).replace("&amp;", "&") if match else None


@cases(
    ("target", "expected"),
    [
        pytest.param(BLOG, BLOG, id="first part"),
        pytest.param(f"{BLOG}?page=2", f"{BLOG}?page=2", id="later part"),
        pytest.param(f"{BLOG}?page=1", BLOG, id="first part by its number"),
        pytest.param(f"{BLOG}?search=vat", f"{BLOG}?search=vat", id="search"),
        pytest.param(f"{BLOG}?utm_source=x", BLOG, id="unknown parameter"),
    ],
)
def test_head_and_header_name_one_canonical_page(
    target: str, expected: str, sample: Visitor
) -> None:
    """A later page of a list has its own canonical URL; so has a search, which is not indexed."""
    reply = sample.get(target, HTML)
    assert canonical(reply.text) == canonical(reply.links) == BASE_URL + expected


def test_the_forms_of_a_later_part_are_of_that_part(sample: Visitor) -> None:
    """HTML and markdown of a page link to each other."""
    html = sample.get(f"{BLOG}?page=2", HTML)
    assert f'<{BASE_URL}{BLOG}.md?page=2>; rel="alternate"; type="text/markdown"' in html.links
    assert "hreflang" not in html.links
    markdown = sample.get(f"{BLOG}?page=2", {"Accept": "text/markdown"})
    assert markdown.headers["Content-Location"] == f"{BLOG}.md?page=2"
    assert f'url: "{BASE_URL}{BLOG}?page=2"' in markdown.text
    assert sample.get(markdown.headers["Content-Location"]).body == markdown.body


@cases("locale", ["/ae/en", "/sa/ar"])
@cases(
    "rest",
    [
        "",
        "/erp",
        "/pricing",
        "/modules/point-of-sale",
        "/industries/retail",
        "/blog",
        "/blog/category/tax-and-compliance",
        "/blog/vat-across-the-gulf",
        "/testimonials",
        "/products",
        "/products/counter-pos-15",
    ],
)
def test_every_page_has_a_title_and_a_description(rest: str, locale: str, sample: Visitor) -> None:
    """Both are in the language of the page."""
    text = sample.get(locale + rest, HTML).text
    title = re.search("<title>(.+)</title>", text)
    description = re.search('<meta name="description" content="([^"]+)">', text)
    assert title
    assert description
    arabic = re.compile("[\u0620-\u064a]")
    assert bool(arabic.search(title[1])) == bool(arabic.search(description[1]))
    assert bool(arabic.search(description[1])) == (locale == "/sa/ar")
