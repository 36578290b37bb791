"""Categories, lists, single posts and the homepage preview."""

from __future__ import annotations

import json

import pytest
from conftest import NOW, ViewOf, locale_of

from knowledge.content_view import ContentView
from knowledge.errors import NotFound
from knowledge.resources.blog import (
    PostQuery,
    blog_homepage,
    category_list,
    post_detail,
    post_list,
)
from knowledge.resources.missing import NotPublishedHere


def post(day: int, **keys: str) -> str:
    """A post of that day of May, with these keys."""
    head = "".join(f"{key}: {value}\n" for key, value in keys.items())
    return f"---\ntitle: P{day}\ndate: 2026-05-{day:02}\n{head}---\nText {day}."


FILES: dict[str, str | bytes] = {
    **{f"posts/p{day}.md": post(day) for day in (1, 2, 3)},
    "posts/p4.md": post(4, category="news", tags="[erp, vat]"),
    "posts/p5.md": post(5, category="news", tags="[vat]"),
    "posts/p6.md": post(6, category="guides", tags="[ERP, VAT]"),
    "posts/p7.md": post(7, category="news"),
    "posts/arabic.ar.md": "---\ntitle: ع\ndate: 2026-05-20\n---\nا",
    "posts/soon.md": "---\ndate: 2026-07-01\ncategory: news\n---\nx",
    "categories/news.md": "---\nid: c-1\nname: {en: News, ar: أخبار}\nsortOrder: 2\n---\n",
    "categories/guides.md": "---\nname: Guides\nsortOrder: 1\n---\n",
    "site/blog.md": "---\nsection: {title: {en: Blog}}\nhomepage: {enabled: false}\n---\n",
}


@pytest.fixture
def view(view_of: ViewOf) -> ContentView:
    """A small blog."""
    return view_of(FILES)


def slugs(view: ContentView, query: PostQuery) -> list[str]:
    """The slugs of one page of the list."""
    return [item.slug for item in post_list(view, query).items]


def test_posts_come_newest_first(view: ContentView) -> None:
    """In the reader's language, and due."""
    assert slugs(view, PostQuery()) == ["p7", "p6", "p5", "p4", "p3", "p2", "p1"]
    assert slugs(view.for_locale(locale_of("ae/ar")), PostQuery()) == ["arabic"]


@pytest.mark.parametrize(
    ("page", "size", "expected", "total_pages"),
    [
        pytest.param(1, 3, ["p7", "p6", "p5"], 3, id="first"),
        pytest.param(3, 3, ["p1"], 3, id="last, not full"),
        pytest.param(4, 3, [], 3, id="past the last"),
        pytest.param(10**9, 24, [], 1, id="far past the last"),
        pytest.param(1, 7, ["p7", "p6", "p5", "p4", "p3", "p2", "p1"], 1, id="all at once"),
        pytest.param(7, 1, ["p1"], 7, id="one by one"),
    ],
)
def test_pages_of_the_list(
    view: ContentView, page: int, size: int, expected: list[str], total_pages: int
) -> None:
    """Totals stay true on every page."""
    found = post_list(view, PostQuery(page=page, page_size=size))
    assert [item.slug for item in found.items] == expected
    pagination = found.pagination
    assert (pagination.page, pagination.page_size) == (page, size)
    assert (pagination.total, pagination.total_pages) == (7, total_pages)


@pytest.mark.parametrize(
    ("category", "expected"),
    [
        pytest.param("news", ["p7", "p5", "p4"], id="slug"),
        pytest.param("c-1", ["p7", "p5", "p4"], id="id"),
        pytest.param("News", ["p7", "p5", "p4"], id="any case"),
        pytest.param("gone", [], id="unknown"),
        pytest.param("?!", [], id="nothing but signs"),
    ],
)
def test_a_category_is_slug_or_id(view: ContentView, category: str, expected: list[str]) -> None:
    """An unknown one gives an empty list of one page."""
    assert slugs(view, PostQuery(category=category)) == expected
    pagination = post_list(view, PostQuery(category=category)).pagination
    assert (pagination.total, pagination.total_pages) == (len(expected), 1)


def test_matches_of_a_search_keep_their_order(view: ContentView) -> None:
    """Those not due, or in another category, are left out."""
    query = PostQuery(category="news", matches=("p4", "soon", "p6", "p7", "gone"))
    assert slugs(view, query) == ["p4", "p7"]
    assert slugs(view, PostQuery(matches=())) == []


def test_a_summary_names_its_category(view: ContentView) -> None:
    """By name in the reader's language; fields without a value are absent."""
    first, *_, last = post_list(view, PostQuery()).items
    assert (first.category_name, first.category_slug) == ("News", "news")
    assert json.loads(last.model_dump_json()) == {
        "id": "post-p1",
        "slug": "p1",
        "title": "P1",
        "excerpt": "Text 1.",
        "publishedAt": "2026-05-01T00:00:00Z",
        "tags": [],
    }


@pytest.mark.parametrize(
    ("slug", "older", "newer"),
    [
        pytest.param("p7", "p6", None, id="newest"),
        pytest.param("p4", "p3", "p5", id="between"),
        pytest.param("p1", None, "p2", id="oldest"),
    ],
)
def test_prev_is_older_and_next_is_newer(
    view: ContentView, slug: str, older: str | None, newer: str | None
) -> None:
    """Null at the ends."""
    detail = post_detail(view, slug).resource
    assert (detail.prev and detail.prev.slug, detail.next and detail.next.slug) == (older, newer)
    body = json.loads(detail.model_dump_json())
    assert body["prev"] is None if older is None else body["prev"]["slug"] == older


@pytest.mark.parametrize(
    ("slug", "related"),
    [
        pytest.param("p4", ["p6", "p5", "p7"], id="shared tags, then category"),
        pytest.param("p7", ["p5", "p4"], id="category alone"),
        pytest.param("p1", [], id="nothing shared"),
    ],
)
def test_related_posts(view: ContentView, slug: str, related: list[str]) -> None:
    """At most three, never the post itself or one not due."""
    assert [item.slug for item in post_detail(view, slug).resource.related] == related


def test_at_most_three_are_related(view_of: ViewOf) -> None:
    """The newest three among equals."""
    view = view_of({f"posts/p{day}.md": post(day, tags="[a]") for day in range(1, 8)})
    related = post_detail(view, "p1").resource.related
    assert [item.slug for item in related] == ["p7", "p6", "p5"]


def test_blocks_of_a_post_are_its_text(view_of: ViewOf) -> None:
    """Directives give heading and content, links work, the excerpt is the author's."""
    text = "---\nexcerpt: Short\n---\n# A\n\nSee [b](b.md).\n\n:::{cta} Go\nNow\n:::"
    answer = post_detail(view_of({"posts/a.md": text, "posts/b.md": "x"}), "a")
    body = [(block.type, block.text) for block in answer.resource.post.body]
    assert body == [
        ("heading", "# A"),
        ("paragraph", "See [b](/ae/en/blog/b)."),
        ("heading", "## Go"),
        ("paragraph", "Now"),
    ]
    assert answer.resource.post.excerpt == "Short"
    assert answer.language == "en"


def test_a_post_in_the_other_language_is_missing_here(view: ContentView) -> None:
    """It never falls back, but says where it is."""
    with pytest.raises(NotPublishedHere) as caught:
        post_detail(view.for_locale(locale_of("sa/ar")), "p1")
    fallback = caught.value.missing.fallback
    assert fallback is not None
    assert fallback.href == "https://wahat.test/sa/en/blog/p1"


@pytest.mark.parametrize("slug", ["gone", "soon", ""])
def test_a_post_that_is_nowhere_is_not_found(view: ContentView, slug: str) -> None:
    """Nor is one that is not due."""
    with pytest.raises(NotFound) as caught:
        post_detail(view, slug)
    assert not isinstance(caught.value, NotPublishedHere)


@pytest.mark.parametrize("limit", range(1, 7))
def test_the_featured_post_is_on_top_of_the_limit(view: ContentView, limit: int) -> None:
    """`limit` counts the items; the featured one is not among them."""
    home = blog_homepage(view, limit)
    assert home.featured is not None
    assert home.featured.slug == "p7"
    assert [item.slug for item in home.items] == ["p6", "p5", "p4", "p3", "p2", "p1"][:limit]
    assert home.enabled is False


def test_an_empty_blog_has_a_homepage(view_of: ViewOf) -> None:
    """Without `featured`, not with null."""
    body = json.loads(blog_homepage(view_of({"pages/a.md": "x"}), 3).model_dump_json())
    assert body == {"enabled": True, "items": []}


def test_categories_speak_the_language(view: ContentView) -> None:
    """By sortOrder; one without the language is left out."""
    assert [item.name for item in category_list(view).items] == ["Guides", "News"]
    arabic = category_list(view.for_locale(locale_of("ae/ar"))).items
    assert [(item.id, item.slug, item.name) for item in arabic] == [("c-1", "news", "أخبار")]
    assert view.now == NOW


@pytest.mark.parametrize(
    ("front_matter", "lead"),
    [
        pytest.param("excerpt: Said apart.", "Said apart.", id="an excerpt of its own"),
        pytest.param("title: P", None, id="no excerpt: the first paragraph stands in the text"),
        pytest.param("excerpt: The text begins", None, id="an excerpt cut from the text"),
    ],
)
def test_an_excerpt_leads_where_it_says_more(
    view_of: ViewOf, front_matter: str, lead: str | None
) -> None:
    """No form shows the same words twice."""
    text = f"---\ndate: 2026-01-01\n{front_matter}\n---\nThe *text* begins here."
    answer = post_detail(view_of({"posts/p.md": text}), "p")
    assert answer.resource.post.lead == lead
