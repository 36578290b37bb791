"""An incremental load gives the same result as a full load, after any edits."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from blog_index import contents, index_of
from conftest import BASE_URL, NOW
from hypothesis import given, settings
from hypothesis import strategies as st

from app.publishing.content.indexes import SearchPosts
from app.publishing.content.search_pages import search_pages
from knowledge.addresses.link_index import asset_index, link_index
from knowledge.resources.site_map import site_map
from knowledge.snapshot.loading import LoadedContent, load_content
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from llms.page_lines import page_lines

NAMES = st.sampled_from(
    [
        *("posts/a.md", "posts/a.ar.md", "posts/a.sa.md", "posts/b.md", "posts/2026-01-02-b.md"),
        *("posts/c.md", "categories/c.md", "pages/a.md", "pages/c.md", "pages/blog.md"),
        *("registry/c.md", "registry/erp.md", "registry/erp.sa.riyadh.md", "cities/riyadh.md"),
        *("countries/sa.md", "countries/eg.md", "posts/a.eg.ar.md"),
    ]
)
LINES = st.lists(
    st.sampled_from(
        [
            *("slug: b", "slug: c", "tags: [x, y]", "tags: [y]", "category: c", "title: T"),
            *("aliases: [/old, '/a?b']", "aliases: [/older]"),
            *("countries: [sa]", "countryCode: SA", "published: false", "date: 2026-01-03"),
            *("date: 2027-01-01", "unpublishAt: 2026-02-01", "title: [", "lang: ar"),
        ]
    ),
    max_size=3,
    unique_by=lambda line: line.partition(":")[0],
)
STEPS = st.lists(st.tuples(NAMES, st.none() | LINES), min_size=1, max_size=10)


def change(root: Path, path: str, lines: list[str] | None) -> None:
    """Write a file with these front matter lines, or delete it."""
    target = root / path
    target.parent.mkdir(exist_ok=True)
    if lines is None:
        target.unlink(missing_ok=True)
    else:
        target.write_text("\n".join(["---", *lines, "---", "Text."]))


def summary(loaded: LoadedContent) -> object:
    """Return all public data of a load in comparable form."""
    snapshot = loaded.snapshot
    entries = {
        (kind, slug): [document.path for document in entry.documents]
        for kind, slugs in snapshot.entries.items()
        for slug, entry in slugs.items()
    }
    post_indexes = []
    for locale in snapshot.locales.all:
        index = snapshot.post_indexes.of(locale)
        records = [(record.slug, record.tags, record.categories) for record in index.records]
        indexed = [
            {name: [record.slug for record in group] for name, group in by_name.items()}
            for by_name in (index.by_tag, index.by_category)
        ]
        published = [record.slug for record in index.at(NOW)]
        post_indexes.append((records, indexed, published, sorted(index.by_slug)))
    by_kind = sorted(entries.items(), key=lambda item: item[0][0])
    places = (*snapshot.locales.audiences, *snapshot.cities.items())
    return by_kind, post_indexes, snapshot.schedule, places, loaded.diagnostics


def maps(snapshot: Snapshot) -> object:
    """Return the site map, the guide for agents in one locale, and what links may mean."""
    pages = site_map(snapshot, NOW)
    view = ContentView(snapshot, snapshot.default_locale, NOW, BASE_URL)
    links = link_index(snapshot), asset_index(snapshot)
    return pages.pages, [line.text for line in page_lines(view, pages).lines], links


@pytest.mark.slow
@settings(max_examples=150)
@given(STEPS)
def test_an_incremental_load_equals_a_full_load(
    steps: list[tuple[str, list[str] | None]],
) -> None:
    """Entries, slugs, post indexes, schedule, diagnostics and search texts, after each edit."""
    with TemporaryDirectory() as name:
        root = Path(name)
        loaded = load_content(root)
        pages, index = search_pages(loaded.snapshot, NOW), index_of(loaded.snapshot)
        for path, lines in steps:
            summary(loaded)  # builds the lazy indexes, so that all are carried over
            change(root, path, lines)
            loaded = load_content(root, loaded, {path})
            pages = search_pages(loaded.snapshot, NOW, pages)
            index = index.updated(SearchPosts.of(pages))
            if any(file.diagnostics for file in loaded.files.values()):
                continue  # a full load does not have the last good version of a broken file
            full = load_content(root)
            assert summary(loaded) == summary(full)
            assert contents(index) == contents(index_of(full.snapshot))
            assert maps(loaded.snapshot) == maps(full.snapshot)
            assert pages.versions == search_pages(full.snapshot, NOW).versions
