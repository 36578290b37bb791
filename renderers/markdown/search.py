"""Search in markdown: what was found, or the ways on where nothing was."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlencode

from knowledge.addresses import Address, Page
from knowledge.resources.blog import Pagination
from knowledge.resources.search import PopularCategory, SearchItem, SearchResults
from renderers.markdown.context import MarkdownContext, bullets, chapter, link, paragraphs
from renderers.media_types import MediaType
from renderers.representation_urls import suffixed_path


def search_results(results: SearchResults, writer: MarkdownContext) -> str:
    """The pages found as links with their summaries, and where the list stands."""
    address = Address(Page.SEARCH)
    return paragraphs(
        [
            bullets(_line(item) for item in results.items),
            standing(results.pagination, writer) if results.items else writer.say("Nothing found"),
            suggested(results.suggestion, address, "q", writer),
            chapter(writer.say("Popular by category"), popular(results.popular or (), writer)),
        ]
    )


def _line(item: SearchItem) -> str:
    return f"{link(item.title, item.path)}: {item.summary}".rstrip(": ")


def standing(place: Pagination, writer: MarkdownContext) -> str:
    """Which part of a list this is, and of how many."""
    return f"{writer.say('Page')} {place.page}/{place.total_pages}"


def suggested(words: str | None, address: Address, parameter: str, writer: MarkdownContext) -> str:
    """The way to another search."""
    if not words:
        return ""
    path = suffixed_path(writer.locale.path + address.path, MediaType.MARKDOWN)
    shown = words.replace("[", "(").replace("]", ")")
    return f"{writer.say('Did you mean')}: [{shown}]({path}?{urlencode({parameter: words})})"


def popular(categories: Iterable[PopularCategory], writer: MarkdownContext) -> str:
    """Categories with the number of their posts, and the newest of each."""
    return bullets(
        f"{link(each.name, each.path)} ({each.count}): {link(each.newest, each.newest_path)}"
        for each in categories
    )
