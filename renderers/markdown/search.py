"""Markdown of search results, with suggestions if there are none."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlencode

from knowledge.addresses import Address, Page
from knowledge.resources.blog import Pagination
from knowledge.resources.search import PopularCategory, SearchItem, SearchResults
from renderers.markdown.context import (
    MarkdownContext,
    bullets,
    chapter,
    link,
    link_text,
    paragraphs,
)
from renderers.media_types import MediaType
from renderers.representation_urls import suffixed_path


def search_results(results: SearchResults, context: MarkdownContext) -> str:
    """Return the results as links with summaries, the page number and suggestions."""
    address = Address(Page.SEARCH)
    return paragraphs(
        [
            bullets(_line(item) for item in results.items),
            page_position(results.pagination, context)
            if results.items
            else context.gettext("Nothing found"),
            search_suggestion(results.suggestion, address, "q", context),
            chapter(
                context.gettext("Popular by category"), popular(results.popular or (), context)
            ),
        ]
    )


def _line(item: SearchItem) -> str:
    return f"{link(item.title, item.path)}: {item.summary}".rstrip(": ")


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
