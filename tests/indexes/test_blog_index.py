"""Blog search."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from conftest import ViewOf, locale_of

from indexes.blog import FoldedBlogIndex
from knowledge.resources.blog import PostQuery, post_list
from knowledge.view import View

FILES: dict[str, str | bytes] = {
    "posts/vat.md": "---\ntitle: VAT in Oman\ndate: 2026-05-03\nexcerpt: Rates and dates.\n---\nx",
    "posts/rates.md": "---\ntitle: Rates\ndate: 2026-05-04\nexcerpt: On VAT too.\n---\nx",
    "posts/stock.md": "---\ntitle: Stock\ndate: 2026-05-05\n---\n"
    "Counting, then VAT.\n\nHidden depth.",
    "posts/draft.md": "---\ntitle: VAT draft\ndraft: true\n---\nx",
    "posts/later.md": "---\ntitle: VAT later\ndate: 2026-09-01\n---\nx",
    "posts/arabic.ar.md": "---\ntitle: الفاتورة الإلكترونية\ndate: 2026-05-01\n---\nأهلاً",
}


@pytest.fixture
def view(view_of: ViewOf) -> View:
    """A small blog."""
    return view_of(FILES)


def found(view: View, query: str) -> list[str]:
    """Slugs of what a reader is shown for a query."""
    matches = FoldedBlogIndex().search(view, query)
    return [post.slug for post in post_list(view, PostQuery(matches=matches)).items]


@pytest.mark.parametrize(
    ("query", "slugs"),
    [
        pytest.param("vat", ["vat", "stock", "rates"], id="title first, then newest"),
        pytest.param("VAT rates", ["rates", "vat"], id="every term must match"),
        pytest.param("vat elephants", [], id="one term does not"),
        pytest.param("oman", ["vat"], id="any case"),
        pytest.param("coun", ["stock"], id="part of a word"),
        pytest.param("depth", [], id="the body beyond the excerpt is not searched"),
        pytest.param("draft", [], id="drafts are not found"),
        pytest.param("later", [], id="nor what is not due"),
        pytest.param("*", [], id="nothing to search for"),
        pytest.param("فاتورة", [], id="another language's posts"),
    ],
)
def test_a_query_finds_posts(view: View, query: str, slugs: list[str]) -> None:
    """Best first."""
    assert found(view, query) == slugs


@pytest.mark.parametrize("query", ["فاتورة", "الفاتوره", "الالكترونيه", "الإلكترونيّة", "اهلا"])
def test_arabic_is_found_in_any_spelling(view: View, query: str) -> None:
    """Hamza, ta marbuta and vowel signs do not matter."""
    assert found(view.for_locale(locale_of("sa/ar")), query) == ["arabic"]


def test_a_post_is_found_once_it_is_due(view: View) -> None:
    """The index of an edition holds what is to come."""
    index = FoldedBlogIndex()
    assert "later" in index.search(view, "later")
    later = view.at(datetime(2026, 9, 1, tzinfo=UTC))
    matches = index.search(later, "later")
    assert [post.slug for post in post_list(later, PostQuery(matches=matches)).items] == ["later"]
