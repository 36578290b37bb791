"""JSON Feed tests: what version 1.1 requires, and that it tells what the Atom feed tells."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import feedparser
import pytest
from cases import cases
from conftest import ViewOf, Visit
from contract.visitor import BASE_URL, NOW, FakeClock, Visitor
from feeds import contents
from gulf import all_locales

from knowledge.views.content_view import ContentView
from renderers.feeds import post_feeds

PATHS = [f"{locale.path}/blog/feed.json" for locale in all_locales()]
PATHS += [f"/{locale}/blog/category/erp-guides/feed.json" for locale in ("kw/en", "sa/ar")]
POST = "---\ntitle: {title}\npublishedAt: 2026-01-01\n{more}---\nText.\n"


def test_a_text_that_is_too_long_leaves_its_excerpt(view_of: ViewOf) -> None:
    """An item must have a content; the excerpt is a plain text."""
    long = POST.format(title="A", more="excerpt: Short.\n") + "word " * 40_000
    (item,) = render(view_of({"posts/a.md": long}))["items"]
    assert item["content_text"] == item["summary"] == "Short."
    assert "content_html" not in item


def render(view: ContentView) -> Any:
    """Return the JSON feed of a view."""
    rendered = post_feeds.render_json_feed(view)
    assert rendered
    return json.loads(rendered.body)


@cases("path", PATHS)
def test_the_json_feed_tells_what_the_atom_feed_tells(sample: Visitor, path: str) -> None:
    """The same posts in the same order, with the same ids, links, texts and dates."""
    reply = sample.get(path)
    atom_reply = sample.get(path.replace("feed.json", "feed.xml"))
    atom, feed = feedparser.parse(atom_reply.text), reply.json
    assert feed["items"]
    assert reply.headers["Content-Type"] == "application/feed+json"
    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert (feed["title"], feed["description"]) == (atom.feed.title, atom.feed.subtitle)
    assert (feed["home_page_url"], feed["feed_url"]) == (atom.feed.link, BASE_URL + path)
    assert feed["language"] == reply.headers["Content-Language"] == path.split("/")[2]
    assert [told(item) for item in feed["items"]] == [
        (entry.id, entry.link, entry.title, entry.summary, entry.published, entry.updated, text)
        for entry, text in zip(atom.entries, contents(atom_reply.text), strict=True)
    ]
    for name in ("Cache-Control", "Last-Modified", "Vary"):
        assert reply.headers[name] == atom_reply.headers[name]


def told(item: Any) -> tuple[str, ...]:
    """Return what an item tells that an Atom entry tells too."""
    names = ("id", "url", "title", "summary", "date_published", "date_modified", "content_html")
    return tuple(item[name] for name in names)


def test_a_post_names_its_authors_categories_and_tags(view_of: ViewOf) -> None:
    """A category that is a tag too is named once; a language is named if the site has it not."""
    more = (
        "authors: [{name: Bob, url: https://bob.example}, Ann]\ncategory: Tax\ntags: [vat, Tax]\n"
    )
    other = POST.format(title="Autre", more="language: fr\n")
    files = {"posts/a.md": POST.format(title="A", more=more), "posts/b.md": other}
    items = {item["title"]: item for item in render(view_of(files))["items"]}
    assert items["A"]["authors"] == [
        {"name": "Bob", "url": "https://bob.example"},
        {"name": "Ann", "url": "https://wahat.test/ae/en/blog/author/ann"},
    ]
    assert items["A"]["tags"] == ["Tax", "vat"]
    assert items["A"]["content_html"] == "<p>Text.</p>"
    assert items["A"]["summary"] == "Text."
    assert "content_text" not in items["A"]
    assert "language" not in items["A"]
    assert not {"authors", "tags"} & items["Autre"].keys()


def test_an_empty_blog_has_a_valid_feed(view_of: ViewOf) -> None:
    """It has no items, and no date that changes."""
    view = view_of({})
    feed = render(view)
    assert feed["items"] == []
    assert feed["feed_url"] == "https://wahat.test/ae/en/blog/feed.json"
    assert render(view.at(view.now.replace(year=2030))) == feed


@pytest.mark.parametrize("title", ['"\\u0007Bell\\u0000"', "Tax <b> & “x”"])
def test_no_title_breaks_the_feed(view_of: ViewOf, title: str) -> None:
    """The feed remains JSON with any title."""
    files = {"posts/x.md": POST.format(title=title, more="")}
    assert len(render(view_of(files))["items"]) == 1


def test_a_post_named_feed_keeps_its_own_json(visit: Visit) -> None:
    """The path is that of its JSON; the locale then has no JSON feed, and pages link none."""
    site = visit({"posts/feed.md": POST.format(title="Feed", more="")})
    assert site.get("/ae/en/blog/feed.json").json["post"]["title"] == "Feed"
    assert site.get("/ae/en/blog/feed.json").headers["Content-Type"] == "application/json"
    assert "feed.json" not in site.get("/ae/en", {"Accept": "text/html"}).text
    entries = feedparser.parse(site.get("/ae/en/blog/feed.xml").text).entries
    assert "Feed" in [entry.title for entry in entries]


def test_a_post_named_feed_has_the_path_while_it_is_published(
    visit: Visit, clock: FakeClock
) -> None:
    """Before and after, the path is that of the feed."""
    begin, end = NOW + timedelta(hours=1), NOW + timedelta(hours=2)
    times = f"publishedAt: {begin.isoformat()}\nunpublishAt: {end.isoformat()}"
    clock.now = NOW
    site = visit({"posts/feed.md": f"---\ntitle: Feed\n{times}\n---\nText.\n"})
    for is_published in (False, True, False):
        body = site.get("/ae/en/blog/feed.json").json
        assert (body.get("version") == post_feeds.VERSION) is not is_published
        html = site.get("/ae/en", {"Accept": "text/html"}).text
        assert ('type="application/feed+json"' in html) is not is_published
        clock.move(timedelta(hours=1))
