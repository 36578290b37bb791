"""Markdown that lists of posts and search results share."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlencode

from knowledge.addresses.addresses import Address
from knowledge.resources.blog import Pagination
from knowledge.resources.search import PopularCategory
from renderers.markdown.context import MarkdownContext, bullets, link, link_text
from renderers.media_types import MediaType
from renderers.representation_urls import suffixed_path


def page_position(pagination: Pagination, context: MarkdownContext) -> str:
    """Return the page number and the number of pages."""
    return f"{context.gettext('Page')} {pagination.page}/{pagination.total_pages}"


def search_suggestion(
    query: str | None, address: Address, parameter: str, context: MarkdownContext
) -> str:
    """Return a link to the suggested search, or `""` without a suggestion."""
    if not query:
        return ""
    path = suffixed_path(context.locale.path + address.path, MediaType.MARKDOWN)
    title = link_text(query)
    return f"{context.gettext('Did you mean')}: [{title}]({path}?{urlencode({parameter: query})})"


def popular(categories: Iterable[PopularCategory], context: MarkdownContext) -> str:
    """Return categories with the number of their posts and their newest post."""
    return bullets(
        f"{link(category.name, category.path)} ({category.count}):"
        f" {link(category.newest, category.newest_path)}"
        for category in categories
    )
