"""Blog categories, post lists, single posts and the home page preview."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import chain

import pytest
from conftest import NOW, ViewOf, locale_of
from hypothesis import given
from hypothesis import strategies as st

from knowledge.locales.locale import Language
from knowledge.resources.blog import blog_homepage, category_list, filter_posts, post_list
from knowledge.resources.document_page import NotPublishedHere
from knowledge.resources.errors import NotFound
from knowledge.resources.posts import post_detail, related
from knowledge.resources.queries import PostQuery
from knowledge.snapshot.post_index import PostIndex, PostRecord, PostRecords, Tags, build_post_index
from knowledge.snapshot.post_indexes import LocalePosts
from knowledge.views.content_view import ContentView


def post(day: int, **keys: str) -> str:
    """Return a post dated that day of May 2026, with these front matter keys."""
    extra_keys = "".join(f"{key}: {value}\n" for key, value in keys.items())
    return f"---\ntitle: P{day}\ndate: 2026-05-{day:02}\n{extra_keys}---\nText {day}."


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
    """Return the slugs of one page of the list."""
    return [item.slug for item in post_list(view, query).items]


def test_posts_come_newest_first(view: ContentView) -> None:
    """Only published posts in the view's language are listed."""
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
    """The totals are the same on every page."""
    posts = post_list(view, PostQuery(page=page, page_size=size))
    assert [item.slug for item in posts.items] == expected
    pagination = posts.pagination
    assert (pagination.page, pagination.page_size) == (page, size)
    assert (pagination.total, pagination.total_pages) == (7, total_pages)


@pytest.mark.parametrize(
    ("category", "expected"),
    [
        pytest.param("news", ["p7", "p5", "p4"], id="slug"),
        pytest.param("c-1", ["p7", "p5", "p4"], id="id"),
        pytest.param("News", ["p7", "p5", "p4"], id="any case"),
        pytest.param("gone", [], id="unknown"),
        pytest.param("?!", [], id="punctuation only"),
    ],
)
def test_a_category_is_named_by_slug_or_id(
    view: ContentView, category: str, expected: list[str]
) -> None:
    """An unknown category gives one empty page."""
    assert slugs(view, PostQuery(category=category)) == expected
    pagination = post_list(view, PostQuery(category=category)).pagination
    assert (pagination.total, pagination.total_pages) == (len(expected), 1)


def test_matches_of_a_search_keep_their_order(view: ContentView) -> None:
    """Posts that are not yet published, or in another category, are left out."""
    query = PostQuery(category="news", matches=("p4", "soon", "p6", "p7", "gone"))
    assert slugs(view, query) == ["p4", "p7"]
    assert slugs(view, PostQuery(matches=())) == []


def test_what_a_search_has_selected_is_not_selected_again(view: ContentView) -> None:
    """The selection may be most posts."""
    found = filter_posts(view, PostQuery(category="news", matches=("p4", "p6", "p7")))
    assert slugs(view, PostQuery(matches=("p4", "p6", "p7"), found=found)) == ["p4", "p7"]


def test_a_summary_names_its_category(view: ContentView) -> None:
    """The name is in the view's language; fields without a value are absent."""
    first, *_, last = post_list(view, PostQuery()).items
    assert (first.category_name, first.category_slug) == ("News", "news")
    assert json.loads(last.model_dump_json()) == {
        "id": "post-p1",
        "slug": "p1",
        "title": "P1",
        "excerpt": "Text 1.",
        "publishedAt": "2026-05-01T00:00:00Z",
        "tags": [],
        "readingMinutes": 1,
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
    """They are null at the ends of the list."""
    detail = post_detail(view, slug).resource
    assert (detail.prev and detail.prev.slug, detail.next and detail.next.slug) == (older, newer)
    body = json.loads(detail.model_dump_json())
    assert body["prev"] is None if older is None else body["prev"]["slug"] == older
    assert body["next"] is None if newer is None else body["next"]["slug"] == newer


@pytest.mark.parametrize(
    ("slug", "related"),
    [
        pytest.param("p4", ["p6", "p5", "p7"], id="shared tags, then category"),
        pytest.param("p7", ["p5", "p4"], id="category alone"),
        pytest.param("p1", [], id="nothing shared"),
    ],
)
def test_related_posts(view: ContentView, slug: str, related: list[str]) -> None:
    """The post itself and unpublished posts are never included."""
    assert [item.slug for item in post_detail(view, slug).resource.related] == related


def test_at_most_three_are_related(view_of: ViewOf) -> None:
    """Ties go to the newest posts."""
    view = view_of({f"posts/p{day}.md": post(day, tags="[a]") for day in range(1, 8)})
    related = post_detail(view, "p1").resource.related
    assert [item.slug for item in related] == ["p7", "p6", "p5"]


def test_blocks_of_a_post_are_its_text(view_of: ViewOf) -> None:
    """Directives yield heading and content, links are resolved, the author's excerpt is used."""
    text = "---\ntitle: T\nexcerpt: Short\n---\n# A\n\nSee [b](b.md).\n\n:::{cta} Go\nNow\n:::"
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


def test_a_post_in_the_other_language_is_not_found(view: ContentView) -> None:
    """Posts have no language fallback; the error names the locale that has the post."""
    with pytest.raises(NotPublishedHere) as caught:
        post_detail(view.for_locale(locale_of("sa/ar")), "p1")
    fallback = caught.value.missing.fallback
    assert fallback is not None
    assert fallback.href == "https://wahat.test/sa/en/blog/p1"


@pytest.mark.parametrize("slug", ["gone", "soon", ""])
def test_an_unpublished_post_is_not_found(view: ContentView, slug: str) -> None:
    """The error names no fallback."""
    with pytest.raises(NotFound) as caught:
        post_detail(view, slug)
    assert not isinstance(caught.value, NotPublishedHere)


@pytest.mark.parametrize("limit", range(1, 7))
def test_the_featured_post_does_not_count_towards_the_limit(view: ContentView, limit: int) -> None:
    """`limit` is the number of items, which exclude the featured post."""
    home = blog_homepage(view, limit)
    assert home.featured is not None
    assert home.featured.slug == "p7"
    assert [item.slug for item in home.items] == ["p6", "p5", "p4", "p3", "p2", "p1"][:limit]
    assert home.enabled is False


def test_an_empty_blog_has_a_homepage(view_of: ViewOf) -> None:
    """`featured` is absent, not null."""
    body = json.loads(blog_homepage(view_of({"pages/a.md": "x"}), 3).model_dump_json())
    assert body == {"enabled": True, "items": []}


def test_categories_are_listed_in_the_language_of_the_view(view: ContentView) -> None:
    """They are in sortOrder; a category without a text in the language is left out."""
    assert [item.name for item in category_list(view).items] == ["Guides", "News"]
    arabic = category_list(view.for_locale(locale_of("ae/ar"))).items
    assert [(item.id, item.slug, item.name) for item in arabic] == [("c-1", "news", "أخبار")]
    assert view.now == NOW


@pytest.mark.parametrize(
    ("front_matter", "lead"),
    [
        pytest.param("excerpt: Separate text.", "Separate text.", id="an excerpt not in the text"),
        pytest.param("title: P", None, id="no excerpt: the default is the first paragraph"),
        pytest.param("excerpt: The text begins", None, id="an excerpt cut from the text"),
    ],
)
def test_the_lead_is_an_excerpt_that_the_text_does_not_begin_with(
    view_of: ViewOf, front_matter: str, lead: str | None
) -> None:
    """Else the page would show the same words twice."""
    text = f"---\ndate: 2026-01-01\n{front_matter}\n---\nThe *text* begins here."
    answer = post_detail(view_of({"posts/p.md": text}), "p")
    assert answer.resource.post.lead == lead


POSTS = st.lists(
    st.tuples(
        st.lists(st.sampled_from("abcd"), unique=True),
        st.sampled_from(["x", "y"]),
        st.sampled_from(["2020-01-01", "2021-01-01", "2999-01-01"]),
    ),
    max_size=12,
)


def record_of(number: int, tags: list[str], category: str, published: str) -> PostRecord:
    """Return the record of a post."""
    moment = datetime.fromisoformat(published).replace(tzinfo=UTC)
    terms = ((category,), tuple(sorted(tags)), (), "")
    return PostRecord(f"p{number}", -moment.timestamp(), moment, None, *terms, None)


def plainly_related(index: PostIndex, record: PostRecord) -> list[PostRecord]:
    """Return the posts most related to one by a look at each post."""
    shared = Counter(chain.from_iterable(index.by_tag.get(tag, ()) for tag in record.tags))
    listed = [*shared, *(each for each in index.by_category["x"] if each not in shared)]
    others = [each for each in listed if each is not record and each.is_published_at(NOW)]
    return sorted(others, key=lambda each: (-shared[each], each.age_key))[:3]


def _slugs(by_tags: Mapping[Tags, PostRecords]) -> Mapping[Tags, list[str]]:
    return {tags: [record.slug for record in records] for tags, records in by_tags.items()}


@given(POSTS, POSTS)
def test_related_posts_are_those_of_a_look_at_each_post(
    first: list[tuple[list[str], str, str]], second: list[tuple[list[str], str, str]]
) -> None:
    """Also after posts have come, gone and changed."""
    asked = record_of(99, ["a", "b", "c"], "x", "2020-01-01")
    before = [record_of(number, *each) for number, each in enumerate(first)]
    after = [record_of(number, *each) for number, each in enumerate(second)]
    index = build_post_index([asked, *before])
    posts = LocalePosts(Language.EN, index)
    assert list(related(posts, asked, NOW)) == plainly_related(index, asked)
    index = index.updated([each.slug for each in before], after)
    posts = LocalePosts(Language.EN, index)
    assert list(related(posts, asked, NOW)) == plainly_related(index, asked)
    built = build_post_index([asked, *after])
    assert _slugs(index.by_tags) == _slugs(built.by_tags)
    assert index.tag_sets == built.tag_sets
