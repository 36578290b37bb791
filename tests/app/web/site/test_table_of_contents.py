"""The table of contents of pages and posts, from three headings on."""

from __future__ import annotations

import re

import pytest
from conftest import Visit

HTML, MARKDOWN = {"Accept": "text/html"}, {"Accept": "text/markdown"}
JSON = {"Accept": "application/json"}
CTA = ":::{cta} Talk to us\n\nNow.\n:::\n"


def text(*headings: str, extra: str = "") -> str:
    """Return a document with these headings, each with a subheading."""
    parts = (f"## {each}\n\nText.\n\n### Below {each[0]}\n\nMore.\n" for each in headings)
    return "\n".join(("---\ntitle: T\n---", "Start.\n", *parts, extra))


TREE = {
    "pages/long.md": text("One", "Two {#second}", "Three", extra=CTA),
    "pages/short.md": text("One", "Two", extra=CTA),
    "posts/long.md": text("One", "Two {#second}", "*Three*"),
    "posts/short.md": text("One", "Two"),
    "posts/long.ar.md": text("الأول", "الثاني", "الثالث"),
}


def contents(page: str) -> list[list[tuple[str, str]]]:
    """Return the targets and texts of each table of contents on a page."""
    tables = re.findall(r'<nav class="contents[^>]*>(.*?)</nav>', page, re.DOTALL)
    return [re.findall(r'<a href="#([^"]+)"[^>]*>([^<]*)</a>', table) for table in tables]


@pytest.mark.parametrize("path", ["/ae/en/long", "/ae/en/blog/long"])
def test_a_page_lists_its_headings(shared_visit: Visit, path: str) -> None:
    """Those of the first level, without calls to action, and each link has its target."""
    page = shared_visit(TREE).get(path, HTML).text
    beside, folded = contents(page)
    assert beside == folded == [("one", "One"), ("second", "Two"), ("three", "Three")]
    assert page.index('class="contents folded" aria-label="On this page"><details>')
    for target, _ in beside:
        assert page.count(f'id="{target}"') == 1


@pytest.mark.parametrize("path", ["/ae/en/short", "/ae/en/blog/short"])
def test_a_short_page_has_no_table(shared_visit: Visit, path: str) -> None:
    """Two headings are seen at a glance."""
    assert contents(shared_visit(TREE).get(path, HTML).text) == []


def test_markdown_has_headings_only(shared_visit: Visit) -> None:
    """It needs no table of them."""
    assert "](#" not in shared_visit(TREE).get("/ae/en/long", MARKDOWN).text


def test_the_json_of_a_post_has_its_headings(shared_visit: Visit) -> None:
    """With id, plain text and level."""
    site = shared_visit(TREE)
    headings = site.get("/ae/en/blog/long", JSON).json["post"]["headings"]
    assert [each["id"] for each in headings if each["level"] == 2] == ["one", "second", "three"]
    assert headings[1] == {"id": "below-o", "text": "Below O", "level": 3}
    page = site.get("/ae/ar/blog/long", HTML).text
    assert [label for _, label in contents(page)[0]] == ["الأول", "الثاني", "الثالث"]
