"""The feeds of a locale's newest posts, as Atom and as JSON Feed (1.1).

They are at `feed.xml` and `feed.json` below `/{cc}/{lang}/blog/`, and below
`/{cc}/{lang}/blog/category/{slug}/`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime

from knowledge.addresses.addresses import Address
from knowledge.views.content_view import ContentView
from renderers.feeds.posts import Feed, FeedAuthor, FeedPost, blog_feed, has_feeds
from renderers.feeds.xml import document, element, xml_text
from renderers.html.page_links import ATOM, BLOG_ADDRESS, JSON_FEED, feed_path, json_feed_path
from renderers.images.drawings import FAVICON
from renderers.l10n.formats import timestamp
from renderers.representation import Representation

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
"""`updated` of a feed without posts: Atom requires a date, and the output must not change."""


def render_atom(view: ContentView, page: Address = BLOG_ADDRESS) -> Representation | None:
    """Render the newest posts of a list in the view's locale; None if it has no feeds."""
    if not has_feeds(view, page):
        return None
    feed = blog_feed(view, page)
    body = document(_feed(view, feed, feed_path(view.locale, page)))
    return Representation(ATOM, body, view.locale.language, feed.updated_at)


def _feed(view: ContentView, feed: Feed, path: str) -> Iterator[str]:
    yield f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{view.locale.language}">'
    yield element("id", feed.id)
    yield element("title", feed.title)
    if feed.subtitle:
        yield element("subtitle", feed.subtitle)
    yield element("updated", timestamp(feed.updated_at or _EPOCH, view.locale))
    yield _link(view, "self", path, "application/atom+xml")
    yield _link(view, "alternate", feed.path, "text/html")
    yield _author(feed.author)
    for post in feed.posts:
        yield "\n".join(_entry(view, post))
    yield "</feed>"


def _entry(view: ContentView, post: FeedPost) -> Iterator[str]:
    yield f'<entry xml:lang="{xml_text(post.language)}">' if post.language else "<entry>"
    yield element("id", post.id)
    yield element("title", post.title)
    yield _link(view, "alternate", post.path, "text/html")
    if post.published:
        yield element("published", post.published)
    yield element("updated", post.updated)
    yield element("summary", post.summary)
    if post.content:
        yield f'<content type="html">{xml_text(post.content)}</content>'
    yield from map(_author, post.authors)
    for category in post.categories:
        yield f'<category term="{xml_text(category.slug)}" label="{xml_text(category.name)}"/>'
    yield "</entry>"


def _author(author: FeedAuthor) -> str:
    uri = element("uri", author.url) if author.url else ""
    return f"<author>{element('name', author.name)}{uri}</author>"


def _link(view: ContentView, relation: str, path: str, media_type: str) -> str:
    href = xml_text(view.absolute(path))
    return f'<link rel="{relation}" type="{media_type}" href="{href}"/>'


VERSION = "https://jsonfeed.org/version/1.1"


def render_json_feed(view: ContentView, page: Address = BLOG_ADDRESS) -> Representation | None:
    """Render the newest posts of a list in the view's locale; None if it has no JSON feed."""
    path = json_feed_path(view, page)
    if path is None or not has_feeds(view, page):
        return None
    feed = blog_feed(view, page)
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
