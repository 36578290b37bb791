"""Atom feed tests with a feed reader's parser."""

from __future__ import annotations

import re

import feedparser
import pytest
from cases import cases
from conftest import ViewOf, Visit
from contract.adverts import LinkParser
from contract.visitor import BASE_URL, FakeClock, Visitor
from feeds import contents
from gulf import all_locales

from knowledge.addresses.addresses import Address
from knowledge.resources.blog import CATEGORY_PAGE
from knowledge.views.content_view import ContentView
from renderers.feeds import post_feeds as feed
from renderers.html.page_links import BLOG_ADDRESS, feed_path

PATHS = [feed_path(locale) for locale in all_locales()]
PATHS += [f"/{locale}/blog/category/erp-guides/feed.xml" for locale in ("kw/en", "sa/ar")]
POST = "---\ntitle: {title}\npublishedAt: {day}\n{more}---\nText.\n"


def rendered(view: ContentView, category: str = "") -> str:
    """Return the Atom feed of a view, or of one of its categories."""
    page = Address(CATEGORY_PAGE, category) if category else BLOG_ADDRESS
    feed_of_page = feed.render_atom(view, page)
    assert feed_of_page
    return feed_of_page.body.decode()


def parse(text: str) -> feedparser.FeedParserDict:
    """Parse a feed; fail if it is not well formed."""
    parsed = feedparser.parse(text)
    assert not parsed.bozo
    return parsed


@cases("path", PATHS)
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
    assert len(contents(response.text)) == len(parsed.entries)
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
    (before,) = parse(rendered(view_of({"posts/x.md": first}))).entries
    second = POST.format(title="New", day="2026-02-01", more="updatedAt: 2026-03-01\n")
    (after,) = parse(rendered(view_of({"posts/x.md": second}))).entries
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
    file = POST.format(title=title, day="2026-01-01", more="lang: en\n")
    assert len(parse(rendered(view_of({"posts/x.md": file}))).entries) == 1


def test_a_feed_holds_the_newest_posts_only(view_of: ViewOf) -> None:
    """A feed has at most 20 entries."""
    posts = {
        f"posts/p-{day}.md": POST.format(title=f"P{day}", day=f"2026-05-{day:02}", more="")
        for day in range(1, 29)
    }
    entries = parse(rendered(view_of(posts))).entries
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
    parsed = parse(rendered(view_of(dict(files))))
    assert {entry.title: entry.updated for entry in parsed.entries} == {
        "Future": "2026-01-01T00:00:00Z",
        "Updated": "2026-03-01T00:00:00Z",
    }
    assert parsed.feed.updated == "2026-03-01T00:00:00Z"


def test_every_entry_has_its_text_with_absolute_links(sample: Visitor) -> None:
    """HTML of all that is written, which a reader outside the site can follow."""
    text = sample.get(PATHS[1]).text
    entries, texts = parse(text).entries, contents(text)
    assert len(texts) == len(entries) > 10
    targets = [each.url for html in texts for each in LinkParser(html).adverts]
    absolute = ("https://", "mailto:", "tel:")
    assert [target for target in targets if not target.startswith(absolute)] == []
    assert any(target.startswith(f"{BASE_URL}/") for target in targets)
    assert all(entry.content[0].type == "text/html" for entry in entries)
    page = sample.get(entries[0].link.removeprefix(BASE_URL), {"Accept": "text/html"}).text
    assert texts[0].partition("</p>")[0] in page


BODY = """See [below](#part), [the tax](/blog/y) and [others](https://other.test/?a=1&b="2").

![Chart](/images/a.svg)

<video src="/images/a.mp4" poster="/images/a.svg"></video> and <code>href="/x"</code>[^1].

## Part

| A | B |
|---|---|
| 1 | 2 |

[^1]: A note.
"""


def test_all_references_of_a_text_are_absolute(view_of: ViewOf) -> None:
    """Fragments lead to the page; text that looks like an attribute stays as it is."""
    files = {
        "posts/x.md": POST.format(title="X", day="2026-01-01", more="") + BODY,
        "posts/y.md": POST.format(title="Y", day="2026-01-02", more=""),
        "images/a.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"/>',
    }
    site = "https://wahat.test"
    html = contents(rendered(view_of(dict(files))))[1]
    assert f'href="{site}/ae/en/blog/x#part"' in html
    assert f'href="{site}/ae/en/blog/y"' in html
    assert 'href="https://other.test/?a=1&amp;b=' in html
    assert re.search(rf'src="{site}/images/a\.[0-9a-f]{{24}}\.svg"', html)
    assert 'width="8"' in html
    assert f'href="{site}/ae/en/blog/x#fn:1"' in html
    assert 'href="/x"' in html.replace("&quot;", '"').replace("&#34;", '"')
    assert "<table>" in html
    assert 'class="anchor"' not in html


def test_a_text_that_is_too_long_is_not_in_the_feed(view_of: ViewOf) -> None:
    """Its summary is, and the other texts are."""
    long = POST.format(title="Long", day="2026-01-02", more="excerpt: Short.\n") + "word " * 40_000
    short = POST.format(title="Short", day="2026-01-01", more="")
    first, second = parse(rendered(view_of({"posts/a.md": long, "posts/b.md": short}))).entries
    assert (first.summary, "content" in first) == ("Short.", False)
    assert second.content[0].value == "<p>Text.</p>"


def test_a_category_has_a_feed_of_its_own(view_of: ViewOf) -> None:
    """With its posts, name, text, address and id; the ids of the posts are those of all feeds."""
    category = "---\nname: {en: Tax, ar: ضريبة}\ndescription: {en: On VAT.}\n---\n"
    files = {
        "site/blog.md": "---\ntitle: Notes\n---\n",
        "categories/tax.md": category,
        "posts/a.md": POST.format(title="A", day="2026-01-01", more="category: tax\n"),
        "posts/b.md": POST.format(title="B", day="2026-01-02", more="categories: [News, Tax]\n"),
        "posts/c.md": POST.format(title="C", day="2026-01-03", more="category: News\n"),
    }
    view = view_of(dict(files))
    own, whole = parse(rendered(view, "tax")), parse(rendered(view))
    assert [entry.title for entry in own.entries] == ["B", "A"]
    assert [entry.id for entry in own.entries] == [entry.id for entry in whole.entries][1:]
    assert (own.feed.title, own.feed.subtitle) == ("Tax | Notes", "On VAT.")
    assert own.feed.updated == "2026-01-02T00:00:00Z"
    assert own.feed.id != whole.feed.id
    links = {link["rel"]: link["href"] for link in own.feed.links}
    assert links["self"] == "https://wahat.test/ae/en/blog/category/tax/feed.xml"
    assert links["alternate"] == "https://wahat.test/ae/en/blog/category/tax"
    assert [entry.title for entry in parse(rendered(view, "news")).entries] == ["C", "B"]


@pytest.mark.parametrize("suffix", ["xml", "json"])
def test_only_a_category_that_has_a_page_has_feeds(visit: Visit, suffix: str) -> None:
    """Others are 404: unknown ones, those of no published post, and other lists."""
    hidden = POST.format(title="A", day="2099-01-01", more="category: later\n")
    shown = POST.format(title="B", day="2026-01-01", more="category: now\ntags: [vat]\n")
    site = visit({"posts/a.md": hidden, "posts/b.md": shown})
    assert site.get(f"/ae/en/blog/category/now/feed.{suffix}").status == 200
    for path in ("category/none", "category/later", "tag/vat", "category/now/feed"):
        assert site.get(f"/ae/en/blog/{path}/feed.{suffix}").status == 404


def test_a_category_page_leads_to_its_feeds_first(sample: Visitor) -> None:
    """Then to those of the blog, which all other pages lead to alone."""
    path = "/sa/ar/blog/category/erp-guides"
    head = sample.get(path, {"Accept": "text/html"}).text
    types = ("application/atom+xml", "application/feed+json")
    found = {each.url for each in LinkParser(head).adverts if each.media_type in types}
    blog = {f"/sa/ar/blog/feed.{suffix}" for suffix in ("xml", "json")}
    assert found == blog | {f"{path}/feed.{suffix}" for suffix in ("xml", "json")}
    assert head.index(f"{path}/feed.xml") < head.index("/sa/ar/blog/feed.xml")
    other = sample.get("/sa/ar/blog", {"Accept": "text/html"}).text
    assert "/feed.xml" in other
    assert "category/erp-guides/feed" not in other
