"""Any files in the content folder can be loaded and served without an unexpected exception."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from blog_index import index_of
from hypothesis import given
from hypothesis import strategies as st

from knowledge.addresses.addresses import Address
from knowledge.checks.content_linter import check_content
from knowledge.diagnostics.diagnostic import Severity
from knowledge.fields.content_types import CONTENT_TYPES
from knowledge.fields.page_type import PAGE_TYPES
from knowledge.resources.blog import filter_posts
from knowledge.resources.errors import MajlisError
from knowledge.resources.posts import POST_PAGE
from knowledge.resources.queries import PageQuery, PostQuery
from knowledge.resources.site_map import site_map
from knowledge.resources.site_page import site_page
from knowledge.snapshot.loading import LoadedContent, load_content
from knowledge.views.content_view import ContentView
from renderers import json
from renderers.html import renderer as html
from renderers.markdown import renderer as markdown

pytestmark = pytest.mark.slow

NOW = datetime(2026, 6, 1, tzinfo=UTC)
FOLDERS = st.sampled_from([*(str(kind) for kind in CONTENT_TYPES), "elsewhere", ""])
FRAGMENTS = st.sampled_from(
    [
        *("---\n", "+++\n", "title: x\n", "title = 'x'\n", "lang: ar\n", "published: no\n"),
        *("slug: a b\n", "tags: [a, b]\n", "a: &a [1]\n", "b: *a\n", "seo: {title: {en: t}}\n"),
        *("publishedAt: 2026-01-01\n", "date: yesterday\n", "countries: [AE]\n", "sortOrder: 1\n"),
        *("## Part {#a}\n\n", ":::{faq} Ask\n", "### Why?\n", ":::\n", "* item\n", "![](x.png)\n"),
        *("[a]: /b\n", "```\n", "<b>", "\r\n", "\ufeff", "\0", "النص\n", "| a |\n|---|\n", "> q\n"),
    ]
)
TEXTS = st.lists(FRAGMENTS, max_size=14).map("".join)
CONTENTS = st.one_of(st.binary(max_size=400), TEXTS.map(str.encode), st.text().map(str.encode))
NAMES = st.one_of(
    st.sampled_from(["a.md", "a.ar.md", "a.sa.md", "settings.md", "home.md", "erp.md", "x.png"]),
    st.sampled_from(["_synonyms.txt", "a.md~", ".a.md.swp", "ae.md", "sa.md", "dubai.md"]),
    st.text(
        st.characters(exclude_characters="/\0", exclude_categories=["Cs"]),
        min_size=1,
        max_size=40,
    ).filter(lambda name: name not in (".", "..")),
)
TREES = st.lists(st.tuples(FOLDERS, NAMES, CONTENTS), max_size=5)

Tree = list[tuple[str, str, bytes]]


@contextmanager
def loaded(tree: Tree) -> Iterator[LoadedContent]:
    """Load a folder with these files, without names that the file system refuses."""
    with TemporaryDirectory() as name:
        for folder, file_name, content in tree:
            target = Path(name, folder, file_name)
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
            except OSError:
                continue
        yield load_content(Path(name))


@given(TREES)
def test_any_files_are_loaded_or_reported(tree: Tree) -> None:
    """Nothing is raised; a document that is not served has an error."""
    with loaded(tree) as content:
        paths_with_errors = {
            diagnostic.path
            for diagnostic in content.diagnostics
            if diagnostic.severity is Severity.ERROR
        }
        for path, file in content.files.items():
            assert file.document is not None or path in paths_with_errors
        for diagnostic in (*content.diagnostics, *check_content(content, NOW)):
            assert diagnostic.message
            assert diagnostic.suggestion


@given(TREES, st.text(max_size=20))
def test_any_files_can_be_searched(tree: Tree, words: str) -> None:
    """The search index builds, and all its results are existing posts."""
    with loaded(tree) as content:
        index = index_of(content.snapshot, content.word_lists)
        for locale in content.snapshot.locales.all[:2]:
            view = ContentView(content.snapshot, locale, NOW, "https://wahat.test")
            for query in (words, "x", "title", "النص"):
                found = PostQuery(matches=index.find(locale, query))
                for record in filter_posts(view, found):
                    site_page(view, Address(POST_PAGE, record.slug), PageQuery())


@given(TREES)
def test_any_files_make_pages_that_can_be_rendered(tree: Tree) -> None:
    """Every page of the site map and every list, in every media type."""
    with loaded(tree) as content:
        pages = [page.address for page in site_map(content.snapshot, NOW).pages]
        lists = [Address(page) for page in PAGE_TYPES.all if page.is_list]
        for locale in content.snapshot.locales.all[:2]:
            view = ContentView(content.snapshot, locale, NOW, "https://wahat.test")
            for address in {*pages, *lists}:
                try:
                    page = site_page(view, address, PageQuery())
                except MajlisError:
                    continue
                for representation in (
                    html.render(page),
                    markdown.render(page),
                    json.render(page.answer),
                ):
                    assert representation.body.decode()
