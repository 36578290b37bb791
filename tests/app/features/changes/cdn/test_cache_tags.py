"""Cache tags: the names of responses by which a CDN drops them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cases import cases
from contract.visitor import Visitor

from app.features.changes.cdn import purge_tags
from knowledge.edits import EDITION
from knowledge.views.edit_effects import EVERYTHING, Touched


@pytest.fixture(scope="module")
def site() -> Iterator[Visitor]:
    """The sample behind a CDN that honours Vary."""
    with Visitor(cdn="vary") as visitor:
        yield visitor


def tags(site: Visitor, path: str, accept: str = "text/html") -> list[str]:
    """Return the tags of a response."""
    return site.get(path, {"Accept": accept}).headers["Cache-Tag"].split(",")


@cases("form", ["", ".md", ".json"])
def test_all_forms_of_a_page_have_the_tags_of_the_page(site: Visitor, form: str) -> None:
    """Its address, the kind of its document, and its locale."""
    expected = {"all", "page:/sa/ar/blog/offline-pos-in-practice", "kind:post", "locale:ar-SA"}
    assert expected <= {*tags(site, f"/sa/ar/blog/offline-pos-in-practice{form}")}


@cases("path", ["/llms.txt", "/sitemap.xml", "/sa/en/search?q=vat"])
def test_what_depends_on_all_content_is_purged_by_each_edit(site: Visitor, path: str) -> None:
    """Its tag is in every purge."""
    assert "edition" in tags(site, path)
    assert "edition" in purge_tags(Touched())


def test_a_page_is_not_purged_by_each_edit(site: Visitor) -> None:
    """Its tags name what it was made from."""
    assert "edition" not in tags(site, "/ae/en/about")


@cases("path", ["/ae/en", "/ae/en/blog", "/sa/ar/blog/offline-pos-in-practice"])
def test_tags_have_no_signs_that_mean_something_to_a_cdn(site: Visitor, path: str) -> None:
    """Commas part them; blanks, and signs of regular expressions, are escaped."""
    assert all(each.isascii() and not set(each) & set(" .*+?()[]|^$") for each in tags(site, path))


def test_what_no_cdn_keeps_has_no_tags(site: Visitor) -> None:
    """There is nothing to purge."""
    assert "Cache-Tag" not in site.get("/ae/en/nothing").headers


def test_the_tags_are_the_same_in_another_process(site: Visitor) -> None:
    """Other processes purge what this one sends; hashes of Python differ between them."""
    assert purge_tags(Touched(frozenset({("file", "posts/one.md")}))) == ["apbli"]


def test_too_much_for_a_purge_is_everything() -> None:
    """Such as thousands of new files."""
    keys = frozenset({EDITION, *(("file", f"posts/{number}.md") for number in range(1_000))})
    assert purge_tags(Touched(keys)) == ["all"]
    assert purge_tags(EVERYTHING) == ["all"]
