"""Addresses of feeds and of the search description, and the links of a page to its feeds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from knowledge.addresses.addresses import Address, is_visible
from knowledge.diagnostics.messages import mark as _
from knowledge.locales.locale import Locale
from knowledge.resources.blog import BLOG_PAGE, CATEGORY_PAGE, POST_PAGE, shown_category
from knowledge.resources.site_chrome import brand
from knowledge.views.content_view import ContentView, cached_per_snapshot
from renderers.l10n.translation import translate
from renderers.markdown.nav_links import has_posts

ATOM = "application/atom+xml; charset=utf-8"
JSON_FEED = "application/feed+json"
BLOG_ADDRESS = Address(BLOG_PAGE)
"""The list whose feeds have the posts of all categories."""

NAMESAKE = Address(POST_PAGE, "feed")
"""A post whose JSON has the path of the JSON feed."""


def feed_path(locale: Locale, page: Address = BLOG_ADDRESS) -> str:
    """Return the site path of the feed of a list.

    >>> from knowledge.locales.locale import ENGLISH
    >>> feed_path(ENGLISH)
    '/en/blog/feed.xml'
    """
    return f"{locale.path}{page.path}/feed.xml"


def json_feed_path(view: ContentView, page: Address = BLOG_ADDRESS) -> str | None:
    """Return the site path of a list's JSON feed; None if a post has it for its own JSON."""
    if page == BLOG_ADDRESS and _is_taken(view):
        return None
    return f"{view.locale.path}{page.path}/feed.json"


@cached_per_snapshot
def _is_taken(view: ContentView) -> bool:
    return is_visible(view.snapshot, NAMESAKE, view.locale, view.now)


def opensearch_path(locale: Locale) -> str:
    """Return the site path of a locale's description.

    >>> from knowledge.locales.locale import ENGLISH
    >>> opensearch_path(ENGLISH)
    '/en/opensearch.xml'
    """
    return f"{locale.path}/opensearch.xml"


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
    yield FeedLink(ATOM.partition(";")[0], title, feed_path(view.locale, page))
    json_path = json_feed_path(view, page)
    if json_path:
        yield FeedLink(JSON_FEED, title, json_path)
