"""The Atom feed as a feed reader has it."""

from __future__ import annotations

import feedparser
import pytest
from conftest import ViewOf, Visit
from contract.visitor import BASE_URL, FakeClock, Visitor

from knowledge.locale import all_locales
from renderers import feed

PATHS = [feed.feed_path(locale) for locale in all_locales()]
POST = "---\ntitle: {title}\npublishedAt: {day}\n{more}---\nText.\n"


def read(text: str) -> feedparser.FeedParserDict:
    """The feed as the parser has it; anything odd is an error."""
    found = feedparser.parse(text)
    assert not found.bozo
    return found


@pytest.mark.parametrize("path", PATHS)
def test_every_feed_is_sound(sample: Visitor, path: str) -> None:
    """Atom, in its language, with itself, its page, and the newest entry's date."""
    reply = sample.get(path)
    assert reply.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    found = read(reply.text)
    links = {link["rel"]: link["href"] for link in found.feed.links}
    assert found.version == "atom10"
    assert found.feed.title_detail.language == path.split("/")[2]
    assert links["self"] == BASE_URL + path
    assert links["alternate"] == BASE_URL + path.removesuffix("/feed.xml")
    assert found.entries
    assert found.feed.updated == max(entry.updated for entry in found.entries)
    assert [each.published for each in found.entries] == sorted(
        (each.published for each in found.entries), reverse=True
    )
    ids = [found.feed.id, *(entry.id for entry in found.entries)]
    assert len(ids) == len(set(ids))


def test_every_entry_leads_to_its_page(sample: Visitor) -> None:
    """Which says the same title."""
    for entry in read(sample.get(PATHS[1]).text).entries:
        page = sample.get(entry.link.removeprefix(BASE_URL), {"Accept": "text/html"})
        assert page.status == 200
        assert entry.title in page.text


def test_ids_survive_an_edit(view_of: ViewOf) -> None:
    """Else readers would show an old post as a new one."""
    first = POST.format(title="Old", day="2026-01-01", more="")
    (before,) = read(feed.render(view_of({"posts/x.md": first})).body.decode()).entries
    second = POST.format(title="New", day="2026-02-01", more="updatedAt: 2026-03-01\n")
    (after,) = read(feed.render(view_of({"posts/x.md": second})).body.decode()).entries
    assert before.id == after.id
    assert (before.updated, after.updated) == ("2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z")


def test_an_empty_blog_has_a_sound_feed(visit: Visit, clock: FakeClock) -> None:
    """With no entry and no date of today."""
    found = read(visit({}).get(PATHS[0]).text)
    assert found.entries == []
    assert found.feed.updated == "1970-01-01T00:00:00Z"


@pytest.mark.parametrize(
    "title",
    [
        pytest.param("Stock & <b>tax</b>", id="markup"),
        pytest.param('"\\u0007Bell\\u0000"', id="control characters"),
        pytest.param("ضريبة «القيمة»", id="Arabic"),
    ],
)
def test_no_title_breaks_the_feed(view_of: ViewOf, title: str) -> None:
    """Whatever an author writes."""
    file = POST.format(title=title, day="2026-01-01", more="")
    assert len(read(feed.render(view_of({"posts/x.md": file})).body.decode()).entries) == 1


def test_a_feed_holds_the_newest_posts_only(view_of: ViewOf) -> None:
    """Twenty of them."""
    posts = {
        f"posts/p-{day}.md": POST.format(title=f"P{day}", day=f"2026-05-{day:02}", more="")
        for day in range(1, 29)
    }
    entries = read(feed.render(view_of(posts)).body.decode()).entries
    assert [entry.title for entry in entries] == [f"P{day}" for day in range(28, 8, -1)]


def test_an_update_to_come_has_not_happened_yet(view_of: ViewOf) -> None:
    """Such an entry keeps the date of its publication, and the feed that of its newest entry."""
    hasty = POST.format(title="Hasty", day="2026-01-01", more="updatedAt: 2099-01-01\n")
    updated = POST.format(title="Updated", day="2026-01-02", more="updatedAt: 2026-03-01\n")
    never = "---\ntitle: No date\nupdatedAt: 2099-01-01\n---\nText.\n"
    files = {"posts/hasty.md": hasty, "posts/updated.md": updated, "posts/never.md": never}
    found = read(feed.render(view_of(dict(files))).body.decode())
    assert {entry.title: entry.updated for entry in found.entries} == {
        "Hasty": "2026-01-01T00:00:00Z",
        "Updated": "2026-03-01T00:00:00Z",
    }
    assert found.feed.updated == "2026-03-01T00:00:00Z"
