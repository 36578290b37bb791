"""The Atom feed of a locale's newest posts, at `/{cc}/{lang}/blog/feed.xml`.

All dates come from front matter. Posts without a date and posts with `noIndex` are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from html import escape
from itertools import islice
from operator import attrgetter
from urllib.parse import quote, urlsplit

from knowledge.addresses import Address
from knowledge.content_types import BLOG
from knowledge.content_view import ContentView
from knowledge.layer_resolution import Entry, Resolved
from knowledge.locale import Locale, OtherLanguage
from knowledge.resources.authors import authors_of
from knowledge.resources.base import title_of
from knowledge.resources.blog import (
    AUTHOR_PAGE,
    BLOG_PAGE,
    POST_PAGE,
    categories_of,
    excerpt_of,
)
from knowledge.resources.site_chrome import site_title
from knowledge.resources.site_map import is_noindex
from knowledge.schemas import PostFields
from renderers.l10n import timestamp
from renderers.representation import Representation

MEDIA_TYPE = "application/atom+xml; charset=utf-8"
LIMIT = 20
"""Maximum number of posts in a feed."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
"""`updated` of a feed without posts: Atom requires a date, and the output must not change."""

_INVALID_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def feed_path(locale: Locale) -> str:
    """Return the site path of a locale's feed.

    >>> from knowledge.locale import ENGLISH
    >>> feed_path(ENGLISH)
    '/en/blog/feed.xml'
    """
    return f"{locale.path}{Address(BLOG_PAGE).path}/feed.xml"


def render(view: ContentView) -> Representation:
    """Render the newest posts of the view's locale."""
    posts = list(islice(_dated_posts(view), LIMIT))
    updated_at = max((updated for _, updated in posts), default=None)
    parts = ('<?xml version="1.0" encoding="UTF-8"?>', *_feed(view, posts, updated_at or _EPOCH))
    body = "".join(f"{part}\n" for part in parts).encode()
    return Representation(MEDIA_TYPE, body, view.locale.language, updated_at)


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


def _feed(
    view: ContentView, posts: list[tuple[Resolved[PostFields], datetime]], updated_at: datetime
) -> Iterator[str]:
    blog_path = view.locale.path + Address(BLOG_PAGE).path
    blog = view.singleton(BLOG)
    title = (blog.pick(blog.fields.title) if blog else None) or site_title(view)
    subtitle = blog.pick(blog.fields.short_description) if blog else None
    yield f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{view.locale.language}">'
    yield _element("id", _tag(view, blog_path))
    yield _element("title", title)
    if subtitle:
        yield _element("subtitle", subtitle)
    yield _element("updated", timestamp(updated_at, view.locale))
    yield _link(view, "self", feed_path(view.locale), "application/atom+xml")
    yield _link(view, "alternate", blog_path, "text/html")
    yield f"<author>{_element('name', site_title(view))}{_element('uri', view.base_url)}</author>"
    yield from view.snapshot.left_out.each(
        posts,
        lambda dated: "\n".join(_entry(view, *dated)),
        lambda dated: dated[0].entry.path,
    )
    yield "</feed>"


def _entry(view: ContentView, post: Resolved[PostFields], updated_at: datetime) -> Iterator[str]:
    path = view.locale.path + Address(POST_PAGE, post.entry.slug).path
    language = post.text_language
    is_other = isinstance(language, OtherLanguage)
    yield f'<entry xml:lang="{_text(language)}">' if is_other else "<entry>"
    yield _element("id", _tag(view, path))
    yield _element("title", title_of(post))
    yield _link(view, "alternate", path, "text/html")
    if post.fields.published_at:
        yield _element("published", timestamp(post.fields.published_at, view.locale))
    yield _element("updated", timestamp(updated_at, view.locale))
    yield _element("summary", excerpt_of(post))
    for author in authors_of(view, post):
        page = view.locale.path + Address(AUTHOR_PAGE, author.slug).path if author.slug else None
        url = author.url or (view.absolute(page) if page else None)
        uri = _element("uri", url) if url else ""
        yield f"<author>{_element('name', author.name)}{uri}</author>"
    for category in categories_of(view, post):
        yield f'<category term="{_text(category.slug)}" label="{_text(category.name)}"/>'
    yield "</entry>"


def _tag(view: ContentView, path: str) -> str:
    """Return a tag URI (RFC 4151) of host and path, so that edits do not change the id."""
    host = urlsplit(view.base_url).hostname or "localhost"
    return f"tag:{host},2026:{quote(path)}"


def _link(view: ContentView, relation: str, path: str, media_type: str) -> str:
    href = _text(view.absolute(path))
    return f'<link rel="{relation}" type="{media_type}" href="{href}"/>'


def _element(name: str, text: str) -> str:
    return f"<{name}>{_text(text)}</{name}>"


def _text(text: str) -> str:
    """Escape text for XML and remove characters that XML does not allow."""
    return escape(_INVALID_IN_XML.sub("", text))
