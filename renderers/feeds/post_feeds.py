"""The feeds of a locale's newest posts, as Atom and as JSON Feed (1.1).

They are at `feed.xml` and `feed.json` below `/{cc}/{lang}/blog/`, below
`/{cc}/{lang}/blog/category/{slug}/`, and below the lists of declared kinds that have a date. All
dates come from front matter. Posts without a date and posts with `noIndex` are left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from operator import attrgetter
from re import Match
from urllib.parse import quote, urlsplit

from knowledge.addresses.addresses import Address, address_of, page_of
from knowledge.fields.blog_fields import PostFields
from knowledge.fields.content_types import BLOG, CATEGORY, KIND
from knowledge.locales.locale import OtherLanguage
from knowledge.resources.authors import AUTHOR_PAGE
from knowledge.resources.blog import (
    CATEGORY_PAGE,
    BlogCategory,
    PostAuthor,
    authors_of,
    entries_of,
    excerpt_of,
    shown_category,
)
from knowledge.resources.document_page import body_blocks, title_of
from knowledge.resources.listing import is_noindex
from knowledge.resources.posts import POST_PAGE, PostCategory, categories_of
from knowledge.resources.site_chrome import site_title
from knowledge.snapshot.layer_resolution import Entry, Resolved
from knowledge.snapshot.post_index import PostRecord
from knowledge.views.content_view import ContentView
from renderers.feeds import document, element, xml_text
from renderers.html.commonmark import RenderOptions, render_markdown
from renderers.html.images import complete_images
from renderers.html.page_links import (
    ATOM,
    BLOG_ADDRESS,
    JSON_FEED,
    feed_path,
    in_site,
    json_feed_path,
)
from renderers.images.drawings import FAVICON
from renderers.l10n.formats import timestamp
from renderers.l10n.translation import in_site_texts, translate, translations
from renderers.pages.blog import tag_links
from renderers.representation import Representation

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
"""`updated` of a feed without posts: Atom requires a date, and the output must not change."""


@in_site_texts
def render_atom(view: ContentView, page: Address = BLOG_ADDRESS) -> Representation | None:
    """Render the newest posts of a list in the view's locale; None if it has no feeds."""
    page = in_site(view, page)
    if not has_feeds(view, page):
        return None
    feed = feed_of(view, page)
    body = document(_atom_feed(view, feed, feed_path(view.locale, page)))
    return Representation(ATOM, body, view.locale.language, feed.updated_at)


def _atom_feed(view: ContentView, feed: Feed, path: str) -> Iterator[str]:
    yield f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{view.locale.language}">'
    yield element("id", feed.id)
    yield element("title", feed.title)
    if feed.subtitle:
        yield element("subtitle", feed.subtitle)
    yield element("updated", timestamp(feed.updated_at or _EPOCH, view.locale))
    yield _atom_link(view, "self", path, "application/atom+xml")
    yield _atom_link(view, "alternate", feed.path, "text/html")
    yield _atom_author(feed.author)
    for post in feed.posts:
        yield "\n".join(_atom_entry(view, post))
    yield "</feed>"


def _atom_entry(view: ContentView, post: FeedPost) -> Iterator[str]:
    yield f'<entry xml:lang="{xml_text(post.language)}">' if post.language else "<entry>"
    yield element("id", post.id)
    yield element("title", post.title)
    yield _atom_link(view, "alternate", post.path, "text/html")
    if post.published:
        yield element("published", post.published)
    yield element("updated", post.updated)
    yield element("summary", post.summary)
    if post.content:
        yield f'<content type="html">{xml_text(post.content)}</content>'
    yield from map(_atom_author, post.authors)
    for category in post.categories:
        yield f'<category term="{xml_text(category.slug)}" label="{xml_text(category.name)}"/>'
    yield "</entry>"


def _atom_author(author: FeedAuthor) -> str:
    uri = element("uri", author.url) if author.url else ""
    return f"<author>{element('name', author.name)}{uri}</author>"


def _atom_link(view: ContentView, relation: str, path: str, media_type: str) -> str:
    href = xml_text(view.absolute(path))
    return f'<link rel="{relation}" type="{media_type}" href="{href}"/>'


VERSION = "https://jsonfeed.org/version/1.1"


@in_site_texts
def render_json_feed(view: ContentView, page: Address = BLOG_ADDRESS) -> Representation | None:
    """Render the newest posts of a list in the view's locale; None if it has no JSON feed."""
    page = in_site(view, page)
    path = json_feed_path(view, page)
    if path is None or not has_feeds(view, page):
        return None
    feed = feed_of(view, page)
    content = {
        "version": VERSION,
        "title": feed.title,
        "home_page_url": view.absolute(feed.path),
        "feed_url": view.absolute(path),
        **({"description": feed.subtitle} if feed.subtitle else {}),
        "favicon": view.absolute(FAVICON),
        "authors": [_json_author(feed.author)],
        "language": view.locale.language,
        "items": [_item(view, post) for post in feed.posts],
    }
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    return Representation(JSON_FEED, body, view.locale.language, feed.updated_at)


def _item(view: ContentView, post: FeedPost) -> dict[str, object]:
    """Return a post; a text too long for a feed leaves its excerpt, as an item needs a content."""
    tags = dict.fromkeys((*(category.name for category in post.categories), *post.tags))
    return {
        "id": post.id,
        "url": view.absolute(post.path),
        "title": post.title,
        "summary": post.summary,
        **({"content_html": post.content} if post.content else {"content_text": post.summary}),
        **({"date_published": post.published} if post.published else {}),
        "date_modified": post.updated,
        **({"authors": [_json_author(author) for author in post.authors]} if post.authors else {}),
        **({"tags": list(tags)} if tags else {}),
        **({"language": post.language} if post.language else {}),
    }


def _json_author(author: FeedAuthor) -> dict[str, str]:
    return {"name": author.name, **({"url": author.url} if author.url else {})}


LIMIT = 20
"""Maximum number of posts in a feed."""


@dataclass(frozen=True, slots=True)
class FeedAuthor:
    """Who wrote a post; `url` is their site or their page."""

    name: str
    url: str | None


@dataclass(frozen=True, slots=True)
class FeedPost:
    """A post in a feed; `language` is that of its text, if the site has no pages in it.

    The times are those of RFC 3339, and `id` is a tag URI, which edits do not change. `content` is
    the text as HTML, None if it is too long for a feed.
    """

    id: str
    path: str
    title: str
    summary: str
    content: str | None
    published: str | None
    updated: str
    authors: Sequence[FeedAuthor]
    categories: Sequence[PostCategory]
    tags: Sequence[str]
    language: OtherLanguage | None


@dataclass(frozen=True, slots=True)
class Feed:
    """The feed of a list of posts: its metadata and the newest posts, newest first."""

    id: str
    title: str
    subtitle: str | None
    path: str
    author: FeedAuthor
    updated_at: datetime | None
    posts: Sequence[FeedPost]


def has_feeds(view: ContentView, page: Address) -> bool:
    """Return whether a page is a list of posts that has feeds."""
    if page.page.kind:
        return page.page.is_list and page.page.is_dated
    return page == BLOG_ADDRESS or (
        page.page == CATEGORY_PAGE and shown_category(view, page.slug) is not None
    )


def feed_of(view: ContentView, page: Address) -> Feed:
    """Return the feed of a list that has feeds, in the view's locale."""
    return kind_feed(view, page) if page.page.kind else blog_feed(view, page)


def kind_feed(view: ContentView, page: Address) -> Feed:
    """Return the feed of the list of a declared kind: its documents, the latest date first."""
    kind = view.snapshot.kinds.by_name[page.page.kind]
    documents = (each for each in view.resolve_all(kind.content_type) if not is_noindex(each.seo))
    dated = [(each, moment) for each in documents if (moment := getattr(each.fields, kind.date))]
    latest = sorted(dated, key=lambda pair: pair[1], reverse=True)[:LIMIT]
    posts = view.snapshot.left_out.each(
        latest, lambda each: _entry(view, *each), lambda each: each[0].entry.path
    )
    about, path = view.resolve(KIND, kind.name), view.locale.path + page.path
    return Feed(
        id=_tag(view, path),
        title=f"{translate(page.page.title, view.locale.language)} | {site_title(view)}",
        subtitle=about.pick(about.fields.short_description) if about else None,
        path=path,
        author=FeedAuthor(site_title(view), view.base_url),
        updated_at=max((each.updated_at or moment for each, moment in latest), default=None),
        posts=list(posts),
    )


def _entry(view: ContentView, entry: Resolved, moment: datetime) -> FeedPost:
    path = view.locale.path + page_of(entry.entry.kind, entry.entry.slug, view.snapshot).path
    published, language = entry.fields.published_at or moment, entry.text_language
    return FeedPost(
        id=_tag(view, path),
        path=path,
        title=title_of(entry),
        summary=entry.pick(entry.fields.short_description) or title_of(entry),
        content=feed_content(view, entry, path),
        published=timestamp(published, view.locale),
        updated=timestamp(entry.updated_at or published, view.locale),
        authors=(),
        categories=(),
        tags=(),
        language=language if isinstance(language, OtherLanguage) else None,
    )


def blog_feed(view: ContentView, page: Address = BLOG_ADDRESS) -> Feed:
    """Return the feed of a list of posts that has feeds, in the view's locale."""
    category = shown_category(view, page.slug) if page.slug else None
    dated = list(islice(_dated_posts(view, page), LIMIT))
    path = view.locale.path + page.path
    posts = view.snapshot.left_out.each(
        dated, lambda each: _post(view, *each), lambda each: each[0].entry.path
    )
    title, subtitle = _texts(view, category)
    return Feed(
        id=_tag(view, path),
        title=title,
        subtitle=subtitle,
        path=path,
        author=FeedAuthor(site_title(view), view.base_url),
        updated_at=max((updated for _, updated in dated), default=None),
        posts=list(posts),
    )


def _texts(view: ContentView, category: BlogCategory | None) -> tuple[str, str | None]:
    """Return title and subtitle of a feed: those of the blog, or of one of its categories."""
    blog = view.singleton(BLOG)
    title = (blog.pick(blog.fields.title) if blog else None) or site_title(view)
    if category is not None:
        return f"{category.name} | {title}", category.description
    return title, blog.pick(blog.fields.short_description) if blog else None


def _records(view: ContentView, page: Address) -> Iterable[PostRecord]:
    """Return the published posts of a list, newest first."""
    posts = view.snapshot.posts(view.locale)
    if not page.slug:
        return posts.at(view.now)
    in_category = posts.of_term(CATEGORY, page.slug)
    return (record for record in in_category if record.is_published_at(view.now))


def _dated_posts(
    view: ContentView, page: Address
) -> Iterator[tuple[Resolved[PostFields], datetime]]:
    """Yield the posts of the feed, newest first, each with its update date."""
    entries = entries_of(view, _records(view, page))
    posts = view.snapshot.left_out.each(entries, partial(_dated, view), attrgetter("path"))
    return (post for post in posts if post is not None)


def _dated(
    view: ContentView, entry: Entry[PostFields]
) -> tuple[Resolved[PostFields], datetime] | None:
    post = view.resolve_entry(entry)
    updated_at = _updated_at(post, view.now) if post else None
    if post and updated_at and not is_noindex(post.seo):
        return post, updated_at
    return None


def _updated_at(post: Resolved[PostFields], now: datetime) -> datetime | None:
    """Return `updatedAt`, or `publishedAt` if that is missing or in the future."""
    dates = (post.fields.updated_at, post.fields.published_at)
    return next((date for date in dates if date and date <= now), None)


def _post(view: ContentView, post: Resolved[PostFields], updated_at: datetime) -> FeedPost:
    path = view.locale.path + address_of(view.snapshot, POST_PAGE, post.entry.slug).path
    published_at, language = post.fields.published_at, post.text_language
    tags = tag_links(view.snapshot, view.locale, post.fields.tags or ())
    return FeedPost(
        id=_tag(view, path),
        path=path,
        title=title_of(post),
        summary=excerpt_of(post),
        content=feed_content(view, post, path),
        published=timestamp(published_at, view.locale) if published_at else None,
        updated=timestamp(updated_at, view.locale),
        authors=[_author(view, author) for author in authors_of(view, post)],
        categories=categories_of(view, post),
        tags=[each.title for each in tags],
        language=language if isinstance(language, OtherLanguage) else None,
    )


def _author(view: ContentView, author: PostAuthor) -> FeedAuthor:
    page = (
        view.locale.path + address_of(view.snapshot, AUTHOR_PAGE, author.slug).path
        if author.slug
        else None
    )
    return FeedAuthor(author.name, author.url or (view.absolute(page) if page else None))


def _tag(view: ContentView, path: str) -> str:
    """Return a tag URI (RFC 4151) of host and path, so that edits do not change the id."""
    host = urlsplit(view.base_url).hostname or "localhost"
    return f"tag:{host},2026:{quote(path)}"


MAX_CHARACTERS = 100_000
"""A longer text is not in the feeds, which would otherwise be as large as their longest posts."""

_TAG = re.compile(r"<[a-z][^>]*+(?:>|\Z)")
"""A tag. mistune and nh3 write `>` in a value as `&gt;`."""

_REFERENCE = re.compile(r' (href|src|poster|cite|srcset)="([^"]*)"')


def feed_content(view: ContentView, post: Resolved, path: str) -> str | None:
    """Return the text of the post at a site path as HTML; None if it is empty or too long."""
    text = "\n\n".join(block.text for block in body_blocks(view, post))
    if len(text) > MAX_CHARACTERS:
        return None
    language = view.locale.language
    options = RenderOptions(
        language=language,
        direction=post.text_language.direction,
        texts=translations(language),
    )
    html = complete_images(render_markdown(text, options), view)
    content = with_absolute_urls(html, view, path).strip()
    return content if content and len(content) <= MAX_CHARACTERS else None


def with_absolute_urls(html: str, view: ContentView, path: str) -> str:
    """Return HTML of the page at a site path with all its links and sources absolute."""
    page = view.absolute(path)

    def absolute(reference: Match[str]) -> str:
        name, value = reference.groups()
        if name == "srcset":
            value = ", ".join(map(view.absolute, value.split(", ")))
        elif value.startswith("#"):
            value = page + value
        return f' {name}="{view.absolute(value)}"'

    return _TAG.sub(lambda tag: _REFERENCE.sub(absolute, tag[0]), html)
