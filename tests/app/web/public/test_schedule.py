"""Scheduled publishing: at the exact time, without a reload."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from conftest import Visit
from contract.visitor import NOW, FakeClock, Visitor

API = "/api/public/v1"
INSTANT = timedelta(microseconds=1)
START = NOW + timedelta(hours=1)
END = NOW + timedelta(hours=2)
TIMES = f"publishedAt: {START.isoformat()}\nunpublishAt: {END.isoformat()}\n"


def document(title: str, more: str = TIMES) -> str:
    """Return a document with a title, a body, and the times."""
    return f"---\ntitle: {title}\n{more}---\nA text on scheduling.\n"


KINDS = [
    pytest.param("posts/x.md", f"{API}/blog/posts/x", id="post"),
    pytest.param("pages/x.md", f"{API}/pages/x", id="page"),
    pytest.param("registry/erp.md", f"{API}/locale-content/erp", id="registry page"),
    pytest.param("modules/x.md", f"{API}/locale-content/software/module/x", id="module"),
    pytest.param("modules/x.md", "/api/software-detail/module/x", id="software detail"),
]


@pytest.mark.parametrize(("file", "path"), KINDS)
def test_a_document_appears_and_expires_at_the_exact_instant(
    visit: Visit, clock: FakeClock, file: str, path: str
) -> None:
    """`publishedAt <= now < unpublishAt`, to the microsecond."""
    visitor = visit({file: document("X")})
    seen = []
    for instant in (START - INSTANT, START, END - INSTANT, END):
        clock.now = instant
        seen.append(visitor.get(path).status)
    assert seen == [404, 200, 200, 404]


LISTS = [
    pytest.param("posts/x.md", f"{API}/blog/posts", "items", id="posts"),
    pytest.param("posts/x.md", f"{API}/blog/posts?search=scheduling", "items", id="search"),
    pytest.param(
        "posts/x.md", f"{API}/blog/posts?category=news", "items", id="posts of a category"
    ),
    pytest.param("pages/x.md", f"{API}/pages", "items", id="pages"),
    pytest.param("pages/x.md", f"{API}/navigation", "pages", id="navigation"),
    pytest.param("categories/x.md", f"{API}/blog/categories", "items", id="categories"),
    pytest.param("testimonials/x.md", f"{API}/testimonials", "items", id="testimonials"),
    pytest.param("cities/x.md", f"{API}/cities", "cities", id="cities"),
]


@pytest.mark.parametrize(("file", "path", "key"), LISTS)
def test_a_list_holds_a_document_from_its_first_instant_to_its_last(
    visit: Visit, clock: FakeClock, file: str, path: str, key: str
) -> None:
    """This also holds for search and totals."""
    more = TIMES + "category: news\nname: X\ncountryCode: AE\nquote: Good.\ncustomerName: Y\n"
    visitor = visit({file: document("X", more)})
    seen = []
    for instant in (START - INSTANT, START, END - INSTANT, END):
        clock.now = instant
        body = visitor.get(path).json
        seen.append(len(body[key]))
        assert body.get("pagination", {}).get("total", seen[-1]) == seen[-1]
    assert seen == [0, 1, 1, 0]


def test_the_etag_changes_with_the_clock(visit: Visit, clock: FakeClock) -> None:
    """Otherwise caches would keep the old list."""
    visitor = visit({"posts/x.md": document("X")})
    before = visitor.get(f"{API}/blog/posts").headers["ETag"]
    clock.now = START
    reply = visitor.get(f"{API}/blog/posts", {"If-None-Match": before})
    assert reply.status == 200
    assert reply.headers["ETag"] != before


def test_neighbours_and_relatives_are_only_what_is_out(visit: Visit, clock: FakeClock) -> None:
    """A scheduled post is not linked as a neighbour yet."""
    files = {
        "posts/old.md": document("Old", "publishedAt: 2026-01-01\ntags: [a]\n"),
        "posts/new.md": document("New", f"publishedAt: {START.isoformat()}\ntags: [a]\n"),
    }
    visitor = visit(files)
    before = visitor.get(f"{API}/blog/posts/old").json
    assert (before["next"], before["prev"], before["related"]) == (None, None, [])
    clock.now = START
    after = visitor.get(f"{API}/blog/posts/old").json
    assert after["next"]["slug"] == "new"
    assert [each["slug"] for each in after["related"]] == ["new"]
    assert visitor.get(f"{API}/blog/homepage").json["featured"]["slug"] == "new"


@pytest.mark.parametrize(
    ("written", "instant"),
    [
        pytest.param("2026-12-01", datetime(2026, 12, 1, tzinfo=UTC), id="a date is midnight UTC"),
        pytest.param(
            "2026-12-01T09:30:00+04:00", datetime(2026, 12, 1, 5, 30, tzinfo=UTC), id="Gulf time"
        ),
        pytest.param(
            "2026-12-01T09:30:00", datetime(2026, 12, 1, 9, 30, tzinfo=UTC), id="no zone is UTC"
        ),
    ],
)
def test_the_zone_an_author_wrote_counts(
    visit: Visit, clock: FakeClock, written: str, instant: datetime
) -> None:
    """The offset that the author wrote counts; a time without one is in UTC."""
    visitor = visit({"posts/x.md": document("X", f"publishedAt: {written}\n")})
    seen = []
    for clock.now in (instant - INSTANT, instant):
        seen.append(visitor.get(f"{API}/blog/posts/x").status)
    assert seen == [404, 200]


def test_the_samples_next_post_is_not_out_yet(sample: Visitor) -> None:
    """The file exists, but no response contains it."""
    slug = "ramadan-trading-hours"
    assert sample.get(f"{API}/blog/posts/{slug}").status == 404
    everything = sample.get(f"{API}/blog/posts?pageSize=24").text
    assert slug not in everything
    assert sample.get(f"{API}/seo-page?path=/ae/en/blog/{slug}").json["noIndex"] is True
