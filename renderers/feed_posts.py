"""What the feeds of a locale hold: its newest posts, for the Atom and the JSON feed alike.

All dates come from front matter. Posts without a date and posts with `noIndex` are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import islice
from operator import attrgetter
from urllib.parse import quote, urlsplit

from knowledge.addresses import Address
from knowledge.content_types import BLOG
from knowledge.content_view import ContentView
from knowledge.layer_resolution import Entry, Resolved
from knowledge.locale import OtherLanguage
from knowledge.resources.authors import PostAuthor, authors_of
from knowledge.resources.base import title_of
from knowledge.resources.blog import (
    AUTHOR_PAGE,
    BLOG_PAGE,
    POST_PAGE,
    PostCategory,
    categories_of,
    excerpt_of,
)
from knowledge.resources.site_chrome import site_title
from knowledge.resources.site_map import is_noindex
from knowledge.schemas import PostFields
from renderers.l10n import timestamp

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

    The times are those of RFC 3339, and `id` is a tag URI, which edits do not change.
    """

    id: str
    path: str
    title: str
    summary: str
    published: str | None
    updated: str
    authors: Sequence[FeedAuthor]
    categories: Sequence[PostCategory]
    tags: Sequence[str]
    language: OtherLanguage | None


@dataclass(frozen=True, slots=True)
class Feed:
    """The feed of a locale: its metadata and the newest posts, newest first."""

    id: str
    title: str
    subtitle: str | None
    path: str
    author: FeedAuthor
    updated_at: datetime | None
    posts: Sequence[FeedPost]


def blog_feed(view: ContentView) -> Feed:
    """Return the feed of the view's locale."""
    dated = list(islice(_dated_posts(view), LIMIT))
    blog = view.singleton(BLOG)
    path = view.locale.path + Address(BLOG_PAGE).path
    title = site_title(view)
    posts = view.snapshot.left_out.each(
        dated, lambda each: _post(view, *each), lambda each: each[0].entry.path
    )
    return Feed(
        id=_tag(view, path),
        title=(blog.pick(blog.fields.title) if blog else None) or title,
        subtitle=blog.pick(blog.fields.short_description) if blog else None,
        path=path,
        author=FeedAuthor(title, view.base_url),
        updated_at=max((updated for _, updated in dated), default=None),
        posts=list(posts),
    )


def _dated_posts(view: ContentView) -> Iterator[tuple[Resolved[PostFields], datetime]]:
    """Yield the posts of the feed, newest first, each with its update date."""
    entries = (record.entry for record in view.snapshot.posts(view.locale).at(view.now))
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
    path = view.locale.path + Address(POST_PAGE, post.entry.slug).path
    published_at, language = post.fields.published_at, post.text_language
    return FeedPost(
        id=_tag(view, path),
        path=path,
        title=title_of(post),
        summary=excerpt_of(post),
        published=timestamp(published_at, view.locale) if published_at else None,
        updated=timestamp(updated_at, view.locale),
        authors=[_author(view, author) for author in authors_of(view, post)],
        categories=categories_of(view, post),
        tags=post.fields.tags or (),
        language=language if isinstance(language, OtherLanguage) else None,
    )


def _author(view: ContentView, author: PostAuthor) -> FeedAuthor:
    page = view.locale.path + Address(AUTHOR_PAGE, author.slug).path if author.slug else None
    return FeedAuthor(author.name, author.url or (view.absolute(page) if page else None))


def _tag(view: ContentView, path: str) -> str:
    """Return a tag URI (RFC 4151) of host and path, so that edits do not change the id."""
    host = urlsplit(view.base_url).hostname or "localhost"
    return f"tag:{host},2026:{quote(path)}"
