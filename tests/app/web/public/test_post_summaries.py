"""Summaries of posts: what lists of posts tell beside the shape of the contract."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import Visitor

API = "/api/public/v1"
FACTS = """publishedAt: 2026-01-05
updatedAt: 2026-02-06
authors: [noor, {name: A. Guest}]
tags: [vat, tills]
coverImage: /images/a.svg
coverImageAlt: {en: A till, ar: صندوق}
"""
FILES = {
    "authors/noor.md": "---\nname: {en: Noor Saleh, ar: نور صالح}\n---\n",
    "tags/vat.md": "---\nname: {en: Value added tax, ar: ضريبة القيمة المضافة}\n---\n",
    "posts/first.en.md": f"---\ntitle: First\n{FACTS}---\n{'Stock is counted every week. ' * 100}",
    "posts/first.ar.md": f"---\ntitle: الأول\n{FACTS}---\n{'يُعد المخزون كل أسبوع. ' * 100}",
    "posts/second.en.md": "---\ntitle: Second\npublishedAt: 2026-01-04\n---\nText.\n",
    "posts/second.ar.md": "---\ntitle: الثاني\npublishedAt: 2026-01-04\n---\nنص.\n",
}
ADDED = {"authors", "tagTitles", "coverImageAlt", "updatedAt", "readingMinutes"}


def summaries(visitor: Visitor, lang: str) -> Iterator[dict[str, Any]]:
    """Yield the summaries of all resources that have some."""
    query = f"?country=ae&lang={lang}"
    yield from visitor.get(f"{API}/blog/posts{query}").json["items"]
    home = visitor.get(f"{API}/blog/homepage{query}").json
    yield from (home["featured"], *home["items"])
    detail = visitor.get(f"{API}/blog/posts/second{query}").json
    yield from (each for each in (*detail["related"], detail["prev"], detail["next"]) if each)


@cases(
    ("lang", "author", "tag", "alt"),
    [
        ("en", "Noor Saleh", "Value added tax", "A till"),
        ("ar", "نور صالح", "ضريبة القيمة المضافة", "صندوق"),
    ],
)
def test_a_summary_tells_who_wrote_it_when_it_changed_and_how_long_it_takes(
    shared_visit: Visit, lang: str, author: str, tag: str, alt: str
) -> None:
    """In the language of the reader, in each list of posts."""
    found = list(summaries(shared_visit(FILES), lang))
    first = [each for each in found if each["slug"] == "first"]
    assert len(first) >= 3
    for each in first:
        assert [named["name"] for named in each["authors"]] == [author, "A. Guest"]
        assert each["authors"][0]["slug"] == "noor"
        assert (each["tags"], each["tagTitles"]) == (["vat", "tills"], [tag, "tills"])
        assert each["coverImageAlt"] == alt
        assert each["updatedAt"].startswith("2026-02-0")
        assert each["readingMinutes"] == 3
    second = next(each for each in found if each["slug"] == "second")
    assert ADDED & set(second) == {"readingMinutes"}


@pytest.mark.parametrize("lang", ["en", "ar"])
def test_a_summary_says_what_the_post_says(sample: Visitor, lang: str) -> None:
    """Of all posts of the sample."""
    items = sample.get(f"{API}/blog/posts?country=sa&lang={lang}&pageSize=24").json["items"]
    assert len(items) > 9
    for each in items:
        post = sample.get(f"{API}/blog/posts/{each['slug']}?country=sa&lang={lang}").json["post"]
        names = set(each) & set(post) | {"authors", "updatedAt", "readingMinutes"}
        assert {name: each.get(name) for name in names} == {name: post.get(name) for name in names}
