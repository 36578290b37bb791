"""Search results, with suggestions if there are none."""

from __future__ import annotations

from knowledge.addresses import Address
from knowledge.resources.search import SEARCH_PAGE, SearchItem, SearchResults
from renderers.markdown.context import MarkdownContext, bullets, chapter, link, paragraphs
from renderers.markdown.search import page_position, popular, search_suggestion
from renderers.page_rendering import PageRendering, declare_rendering


def _markdown(results: SearchResults, context: MarkdownContext) -> str:
    """Return the results as links with summaries, the page number and suggestions."""
    address = Address(SEARCH_PAGE)
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


declare_rendering(PageRendering(resources=(SearchResults,), markdown=_markdown), SEARCH_PAGE)
