"""The JSON Feed (1.1) of a locale's newest posts, at `/{cc}/{lang}/blog/feed.json`."""

from __future__ import annotations

import json

from knowledge.addresses import Address, is_visible
from knowledge.content_view import ContentView, cached_per_snapshot
from knowledge.resources.blog import BLOG_PAGE, POST_PAGE
from renderers.feed_posts import FeedAuthor, FeedPost, blog_feed
from renderers.icons import FAVICON
from renderers.representation import Representation

MEDIA_TYPE = "application/feed+json"
VERSION = "https://jsonfeed.org/version/1.1"
NAMESAKE = Address(POST_PAGE, "feed")
"""A post whose JSON has the path of the feed."""


@cached_per_snapshot
def json_feed_path(view: ContentView) -> str | None:
    """Return the site path of the locale's JSON feed; None if a post has it for its own JSON."""
    if is_visible(view.snapshot, NAMESAKE, view.locale, view.now):
        return None
    return f"{view.locale.path}{Address(BLOG_PAGE).path}/feed.json"


def render(view: ContentView) -> Representation | None:
    """Render the newest posts of the view's locale; None if the locale has no JSON feed."""
    path = json_feed_path(view)
    if path is None:
        return None
    feed = blog_feed(view)
    content = {
        "version": VERSION,
        "title": feed.title,
        "home_page_url": view.absolute(feed.path),
        "feed_url": view.absolute(path),
        **({"description": feed.subtitle} if feed.subtitle else {}),
        "favicon": view.absolute(FAVICON),
        "authors": [_author(feed.author)],
        "language": view.locale.language,
        "items": [_item(view, post) for post in feed.posts],
    }
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    return Representation(MEDIA_TYPE, body, view.locale.language, feed.updated_at)


def _item(view: ContentView, post: FeedPost) -> dict[str, object]:
    """Return a post; `content_text` is its excerpt, because an item must have a content."""
    tags = dict.fromkeys((*(category.name for category in post.categories), *post.tags))
    return {
        "id": post.id,
        "url": view.absolute(post.path),
        "title": post.title,
        "summary": post.summary,
        "content_text": post.summary,
        **({"date_published": post.published} if post.published else {}),
        "date_modified": post.updated,
        **({"authors": [_author(author) for author in post.authors]} if post.authors else {}),
        **({"tags": list(tags)} if tags else {}),
        **({"language": post.language} if post.language else {}),
    }


def _author(author: FeedAuthor) -> dict[str, str]:
    return {"name": author.name, **({"url": author.url} if author.url else {})}
