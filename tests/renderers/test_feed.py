"""Atom feed tests with a feed reader's parser."""

from __future__ import annotations

import feedparser
import pytest
from conftest import ViewOf, Visit
from contract.visitor import BASE_URL, FakeClock, Visitor
from gulf import all_locales

from renderers import feed

PATHS = [feed.feed_path(locale) for locale in all_locales()]
POST = "---\ntitle: {title}\npublishedAt: {day}\n{more}---\nText.\n"


def parse(text: str) -> feedparser.FeedParserDict:
    """Parse a feed; fail if it is not well formed."""
    parsed = feedparser.parse(text)
    assert not parsed.bozo
    return parsed


@pytest.mark.parametrize("path", PATHS)
def test_every_feed_is_valid_atom(sample: Visitor, path: str) -> None:
    """Each feed has its language, its self and alternate links, and the newest entry's date."""
    response = sample.get(path)
    assert response.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    parsed = parse(response.text)
    links = {link["rel"]: link["href"] for link in parsed.feed.links}
    assert parsed.version == "atom10"
    assert parsed.feed.title_detail.language == path.split("/")[2]
    assert links["self"] == BASE_URL + path
    assert links["alternate"] == BASE_URL + path.removesuffix("/feed.xml")
    assert parsed.entries
    assert parsed.feed.updated == max(entry.updated for entry in parsed.entries)
    assert [entry.published for entry in parsed.entries] == sorted(
        (entry.published for entry in parsed.entries), reverse=True
    )
    ids = [parsed.feed.id, *(entry.id for entry in parsed.entries)]
    assert len(ids) == len(set(ids))


def test_every_entry_links_to_its_page(sample: Visitor) -> None:
    """The linked page has the title of the entry."""
    for entry in parse(sample.get(PATHS[1]).text).entries:
        page = sample.get(entry.link.removeprefix(BASE_URL), {"Accept": "text/html"})
        assert page.status == 200
        assert entry.title in page.text


def test_ids_survive_an_edit(view_of: ViewOf) -> None:
    """Otherwise feed readers would show an edited post as new."""
    first = POST.format(title="Old", day="2026-01-01", more="")
    (before,) = parse(feed.render(view_of({"posts/x.md": first})).body.decode()).entries
    second = POST.format(title="New", day="2026-02-01", more="updatedAt: 2026-03-01\n")
    (after,) = parse(feed.render(view_of({"posts/x.md": second})).body.decode()).entries
    assert before.id == after.id
    assert (before.updated, after.updated) == ("2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z")


def test_an_empty_blog_has_a_valid_feed(visit: Visit, clock: FakeClock) -> None:
    """The feed has no entries and a fixed date, not the current one."""
    parsed = parse(visit({}).get(PATHS[0]).text)
    assert parsed.entries == []
    assert parsed.feed.updated == "1970-01-01T00:00:00Z"


@pytest.mark.parametrize(
    "title",
    [
        pytest.param("Stock & <b>tax</b>", id="markup"),
        pytest.param('"\\u0007Bell\\u0000"', id="control characters"),
        pytest.param("ضريبة «القيمة»", id="Arabic"),
    ],
)
def test_no_title_breaks_the_feed(view_of: ViewOf, title: str) -> None:
    """A feed remains well formed with any title."""
    file = POST.format(title=title, day="2026-01-01", more="")
    assert len(parse(feed.render(view_of({"posts/x.md": file})).body.decode()).entries) == 1


def test_a_feed_holds_the_newest_posts_only(view_of: ViewOf) -> None:
    """A feed has at most 20 entries."""
    posts = {
        f"posts/p-{day}.md": POST.format(title=f"P{day}", day=f"2026-05-{day:02}", more="")
        for day in range(1, 29)
    }
    entries = parse(feed.render(view_of(posts)).body.decode()).entries
    assert [entry.title for entry in entries] == [f"P{day}" for day in range(28, 8, -1)]


def test_a_future_update_is_ignored(view_of: ViewOf) -> None:
    """The entry has its publication date instead, and the feed the date of its newest entry."""
    future = POST.format(title="Future", day="2026-01-01", more="updatedAt: 2099-01-01\n")
    updated = POST.format(title="Updated", day="2026-01-02", more="updatedAt: 2026-03-01\n")
    undated = "---\ntitle: No date\nupdatedAt: 2099-01-01\n---\nText.\n"
    files = {
        "posts/future.md": future,
        "posts/updated.md": updated,
        "posts/undated.md": undated,
    }
    parsed = parse(feed.render(view_of(dict(files))).body.decode())
    assert {entry.title: entry.updated for entry in parsed.entries} == {
        "Future": "2026-01-01T00:00:00Z",
        "Updated": "2026-03-01T00:00:00Z",
    }
    assert parsed.feed.updated == "2026-03-01T00:00:00Z"
