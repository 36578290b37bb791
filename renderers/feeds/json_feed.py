"""The JSON Feeds (1.1) of a locale's newest posts.

They are at `/{cc}/{lang}/blog/feed.json` and `/{cc}/{lang}/blog/category/{slug}/feed.json`.
"""

from __future__ import annotations

import json

from knowledge.addresses.addresses import Address
from knowledge.views.content_view import ContentView
from renderers.feeds.posts import FeedAuthor, FeedPost, blog_feed, has_feeds
from renderers.html.page_links import BLOG_ADDRESS, JSON_FEED, json_feed_path
from renderers.images.drawings import FAVICON
from renderers.representation import Representation

VERSION = "https://jsonfeed.org/version/1.1"


def render(view: ContentView, page: Address = BLOG_ADDRESS) -> Representation | None:
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
        "authors": [_author(feed.author)],
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
        **({"authors": [_author(author) for author in post.authors]} if post.authors else {}),
        **({"tags": list(tags)} if tags else {}),
        **({"language": post.language} if post.language else {}),
    }


def _author(author: FeedAuthor) -> dict[str, str]:
    return {"name": author.name, **({"url": author.url} if author.url else {})}
