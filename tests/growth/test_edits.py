"""An edit makes again only what depends on it, however many documents there are."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import product
from pathlib import Path
from types import FrameType

import pytest
from blog_index import in_base, posts_of
from conftest import BASE_URL, NOW, Content, ViewOf, locale_of

from app.publishing.content.store import ContentStore
from app.web.site.discovery import make_maps
from knowledge.addresses.link_index import asset_index, link_index
from knowledge.resources.blog import filter_posts
from knowledge.resources.posts import related
from knowledge.resources.queries import PostQuery
from knowledge.resources.site_map import SiteMap, site_map
from knowledge.snapshot.loading import LoadedContent, load_content
from knowledge.views.content_view import ContentView
from llms import well_known
from llms.page_lines import PageLines, page_lines
from renderers.feeds import sitemap

_TOMORROW = NOW + timedelta(days=1)


def posts(count: int) -> dict[str, str | bytes]:
    """Return posts by path; one is published tomorrow."""
    files: dict[str, str | bytes] = {
        f"posts/p{number}.md": f"---\ntitle: Post {number}\n---\nText.\n" for number in range(count)
    }
    due = f"{_TOMORROW:%Y-%m-%dT%H:%M:%SZ}"
    return {**files, "posts/due.md": f"---\ntitle: Due\npublishedAt: {due}\n---\nText.\n"}


def lines(loaded: LoadedContent) -> PageLines:
    """Return the lines of all pages in llms.txt."""
    snapshot = loaded.snapshot
    view = ContentView(snapshot, snapshot.default_locale, NOW, BASE_URL)
    return page_lines(view, site_map(snapshot, NOW))


def view_in(loaded: LoadedContent, locale: str) -> ContentView:
    """Return the content as the readers of a locale see it."""
    return ContentView(loaded.snapshot, locale_of(locale), NOW, BASE_URL)


def made_again(before: SiteMap, after: SiteMap) -> int:
    """Return the number of pages of the second map that the first one does not share."""
    known = set(map(id, before.pages))
    return sum(id(page) not in known for page in after.pages)


def edited(root: Path, loaded: LoadedContent, path: str) -> LoadedContent:
    """Edit a file and load it."""
    file = root / path
    file.write_text(file.read_text().replace("Post", "Edited"))
    return load_content(root, loaded, {path})


def calls_of(work: Callable[[], object]) -> int:
    """Return the number of calls, also of built-in functions, that some work makes."""
    calls: Counter[str] = Counter()
    sys.setprofile(lambda _frame, event, _of: calls.update((event,)))
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls["call"] + calls["c_call"]


def first_near(content_store: ContentStore) -> str:
    """Return the path most similar to one that does not exist."""
    return next(content_store.current.nearest.find("/blog/dud"))


@pytest.mark.parametrize("count", [50, 200])
def test_the_maps_of_the_next_edition_share_what_did_not_change(
    content: Content, count: int
) -> None:
    """Of all pages those of lists and the edited one are made again."""
    root = content(posts(count))
    first = load_content(root)
    before, lines_before = site_map(first.snapshot, NOW), lines(first)
    second = edited(root, first, "posts/p7.md")
    after, lines_after = site_map(second.snapshot, NOW), lines(second)
    lists = sum(not page.address.slug for page in after.pages)
    assert made_again(before, after) <= lists + 1
    known = set(map(id, lines_before.lines))
    assert sum(id(line) not in known for line in lines_after.lines) <= lists + 1
    assert any("Edited 7" in line.text for line in lines_after.lines)


def test_an_edit_of_a_text_changes_no_target_of_links(content: Content) -> None:
    """What links written for another site may mean is not looked up again."""
    root = content({**posts(50), "images/a.svg": "<svg/>"})
    first = load_content(root)
    before, files_before = link_index(first.snapshot), asset_index(first.snapshot)
    second = edited(root, first, "posts/p7.md").snapshot
    assert asset_index(second) is files_before
    assert link_index(second) is before


@pytest.mark.parametrize("path", ["posts/p7.md", "posts/new.md"], ids=["goes", "comes"])
def test_a_page_that_comes_or_goes_reads_no_other_near_name(
    content: Content, tmp_path: Path, path: str
) -> None:
    """The first missing path after it searches the names that were indexed before."""
    calls = []
    for count in (50, 400):
        root = content(posts(count))
        content_store = ContentStore(root, tmp_path / f"index-{count}")
        content_store.reload()
        content_store.compact(lambda: None)
        if (root / path).exists():
            (root / path).unlink()
        else:
            (root / path).write_text("---\ntitle: New\n---\nText.")
        content_store.reload({path})
        calls.append(calls_of(partial(first_near, content_store)))
    few, many = calls
    assert many - few < 200


def test_the_near_names_stay_until_a_page_comes_or_goes(content: Content, tmp_path: Path) -> None:
    """Otherwise the first missing path after an edit would read the names of all pages."""
    root = content(posts(5))
    content_store = ContentStore(root, tmp_path / "index")
    content_store.reload()
    near = content_store.current.nearest
    (root / "posts/p3.md").write_text("---\ntitle: Edited\n---\nText.")
    content_store.reload({"posts/p3.md"})
    assert content_store.current.nearest is near
    (root / "posts/new.md").write_text("---\ntitle: New\n---\nText.")
    content_store.reload({"posts/new.md"})
    assert list(content_store.current.nearest.find("/blog/neww")) == ["/blog/new"]


def test_a_list_of_a_term_reads_no_other_posts(view_of: ViewOf) -> None:
    """The posts of a tag or category come from an index, and so does their number."""
    files: dict[str, str | bytes] = {
        f"posts/p{number}.md": f"---\ntitle: P\ntags: [t{number % 5}, all]\ncategory: C\n---\nx"
        for number in range(50)
    }
    view = view_of(files)
    index = view.snapshot.post_indexes.of(view.locale)
    assert filter_posts(view, PostQuery(tag="t3")) == index.by_tag["t3"]
    assert filter_posts(view, PostQuery(tag="t3", category="C")) == index.by_tag["t3"]
    assert len(filter_posts(view, PostQuery(category="c"))) == 50
    assert list(filter_posts(view, PostQuery(tag="t9"))) == []


def instructions(call: Callable[[], object]) -> int:
    """Return the number of instructions of Python that a call executes."""
    executed: Counter[str] = Counter()

    def trace(frame: FrameType, event: str, _of: object) -> None:
        frame.f_trace, frame.f_trace_opcodes = trace, True
        executed.update((event,))

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return executed["opcode"]


_MATCHES = [f"p{number}" for number in range(200)]


@pytest.mark.parametrize(
    "query",
    [
        PostQuery(),
        PostQuery(tag="all"),
        PostQuery(category="c"),
        PostQuery(author="sara"),
        PostQuery(matches=_MATCHES),
    ],
    ids=["all", "tag", "category", "author", "matches of a search"],
)
def test_a_page_of_a_list_looks_at_no_other_posts(view_of: ViewOf, query: PostQuery) -> None:
    """Its posts are a slice of an index, however many have the same term, and one was withdrawn."""
    written = "---\ntags: [all]\nauthors: [sara]\ncategory: C\n---\nx"
    withdrawn = written.replace("tags", "unpublishAt: 2020-01-01\ntags")
    executed = []
    for count in (20, 200):
        files: dict[str, str | bytes] = {f"posts/p{number}.md": written for number in range(count)}
        view = view_of({**files, "posts/p0-old.md": withdrawn})
        assert len(filter_posts(view, query)) == count
        executed.append(instructions(partial(filter_posts, view, query)))
    assert executed[0] == executed[1]


def test_related_posts_are_found_without_a_look_at_the_others(view_of: ViewOf) -> None:
    """However many have a tag of the post, or its category."""
    executed = []
    for count in (20, 200):
        view = view_of(
            {
                f"posts/p{number}.md": f"---\ntags: [all, t{number % 4}]\ncategory: C\n---\nx"
                for number in range(count)
            }
        )
        posts = view.snapshot.posts(view.locale)
        executed.append(instructions(partial(related, posts, posts["p3"], NOW)))
    few, many = executed
    assert many <= 1.2 * few


def test_a_search_takes_linear_time_in_the_posts_that_match(view_of: ViewOf) -> None:
    """Ten times as many take at most ten times as long."""
    executed = []
    for count in (20, 200):
        files: dict[str, str | bytes] = {
            f"posts/p{number}.md": "---\ntitle: Ledger and stock\n---\nx" for number in range(count)
        }
        view = view_of(files)
        index = in_base(posts_of(view.snapshot))
        edited = {"posts/p7.md": "---\ntitle: Stock and ledger\n---\nx"}
        index = index.updated(posts_of(view_of({**files, **edited}).snapshot))
        # What is on disk is read once for each word.
        assert [len(index.find(view.locale, word)) for word in ("ledger", "stock")] == [count] * 2
        executed.append(instructions(partial(index.find, view.locale, "stock ledger")))
    few, many = executed
    assert many <= 10 * few


def test_lists_of_terms_are_those_of_a_plain_filter(view_of: ViewOf) -> None:
    """Also of several terms, and of posts that are not yet or no longer published."""
    dates = ("publishedAt: 2020-01-01", "publishedAt: 2999-01-01", "unpublishAt: 2020-01-01")
    files: dict[str, str | bytes] = {
        f"posts/p{number}.md": f"---\n{dates[number % 7 % 3]}\ntags: [t{number % 3}]\n"
        f"authors: [a{number % 2}]\ncategory: c{number % 4}\n---\nx"
        for number in range(40)
    }
    view = view_of(files)
    records = view.snapshot.post_indexes.of(view.locale).records
    published = [record for record in records if record.is_published_at(NOW)]
    assert 0 < len(published) < len(records)
    for tag, author, category in product((None, "t1", "t9"), (None, "a1"), (None, "c1", "c2")):
        query = PostQuery(tag=tag, author=author, category=category)
        plain = [
            record
            for record in published
            if (tag is None or tag in record.tags)
            and (author is None or author in record.authors)
            and (category is None or category in record.categories)
        ]
        assert list(filter_posts(view, query)) == plain
        found = replace(query, matches=[f"p{number}" for number in range(45)])
        assert set(filter_posts(view, found)) == set(plain)


def test_what_becomes_due_is_added_to_the_maps(content: Content) -> None:
    """Of a post that is published later only its own page is made, and those of lists."""
    snapshot = load_content(content(posts(50))).snapshot
    before, after = site_map(snapshot, NOW), site_map(snapshot, _TOMORROW)
    lists = sum(not page.address.slug for page in after.pages)
    assert len(after.pages) == len(before.pages) + 1
    assert made_again(before, after) <= lists + 1


@pytest.mark.parametrize("locale", ["ae/en", "sa/ar"])
def test_what_locales_ask_for_is_prepared_after_an_edit(content: Content, locale: str) -> None:
    """Then llms.txt looks at no page but those it shows, and well_known.txt at none."""
    lines_read, rules_read = [], []
    for count in (50, 400):
        arabic = {f"posts/p{number}.ar.md": "---\ntitle: م\n---\nم\n" for number in range(count)}
        root = content({**posts(count), **arabic})
        first = load_content(root)
        page_lines(view_in(first, locale), site_map(first.snapshot, NOW))
        second = edited(root, first, "posts/p7.md")
        make_maps(second.snapshot, NOW, BASE_URL, None)
        view, pages = view_in(second, locale), site_map(second.snapshot, NOW)
        lines_read.append(instructions(partial(page_lines, view, pages)))
        rules = partial(well_known.robots_txt, pages, view.snapshot, BASE_URL, "search=yes")
        rules_read.append(instructions(rules))
    assert lines_read[0] == lines_read[1]
    assert rules_read[0] == rules_read[1]


def test_a_part_of_the_sitemap_is_small(content: Content) -> None:
    """It is full, but of five megabytes at most, however many pages there are."""
    files: dict[str, str | bytes] = {
        f"posts/{'long-name-' * 15}{number}.md": "Text." for number in range(600)
    }
    snapshot = load_content(content(files)).snapshot
    pages = site_map(snapshot, NOW)
    parts: list[int] = []
    while part := sitemap.render_part(pages, BASE_URL, len(parts) + 1):
        parts.append(len(part.body))
    assert len(parts) > 1
    assert 4_900_000 < max(parts) <= 5_000_000
