"""Links to the feeds of a page: those of its category, if it shows one, and those of the blog."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from knowledge.addresses import Address
from knowledge.content_view import ContentView
from knowledge.messages import mark as _
from knowledge.resources.blog import CATEGORY_PAGE, shown_category
from knowledge.resources.site_chrome import brand
from renderers import feed, json_feed
from renderers.feed_posts import BLOG_ADDRESS
from renderers.nav_links import has_posts
from renderers.translation import translate


class FeedLink(NamedTuple):
    """A feed: its media type without parameters, its title, its site path."""

    media_type: str
    title: str
    path: str


def feed_links(view: ContentView, page: Address | None = None) -> list[FeedLink]:
    """Return the links to the feeds of a page, the most specific first."""
    if not has_posts(view):
        return []
    title = translate(_("Blog of %(name)s"), view.locale.language, name=brand(view))
    category = _category(view, page)
    of_category = _links(view, page, f"{category} | {title}") if page and category else ()
    return [*of_category, *_links(view, BLOG_ADDRESS, title)]


def _category(view: ContentView, page: Address | None) -> str | None:
    """Return the name of the category that a page shows, if it shows one."""
    is_category = page is not None and page.page is CATEGORY_PAGE
    category = shown_category(view, page.slug) if page and is_category else None
    return category.name if category else None


def _links(view: ContentView, page: Address, title: str) -> Iterator[FeedLink]:
    media_type = feed.MEDIA_TYPE.partition(";")[0]
    yield FeedLink(media_type, title, feed.feed_path(view.locale, page))
    json_path = json_feed.json_feed_path(view, page)
    if json_path:
        yield FeedLink(json_feed.MEDIA_TYPE, title, json_path)
