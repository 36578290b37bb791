"""Search results, with suggestions if there are none."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from knowledge.addresses import Address
from knowledge.resources.answers import Answer, Answers
from knowledge.resources.search import SEARCH_PAGE, SearchItem, SearchResults
from renderers.markdown.context import MarkdownContext, bullets, chapter, link, paragraphs
from renderers.markdown.search import page_position, popular, search_suggestion
from renderers.page_rendering import PageRendering, declare_rendering

_Results = SearchResults | Answers


def _markdown(results: _Results, context: MarkdownContext) -> str:
    if isinstance(results, Answers):
        return _answers(results, context)
    return _pages(results, context)


def _answers(results: Answers, context: MarkdownContext) -> str:
    """Return each passage with its headings and its link, so that it can be quoted."""
    if not results.items:
        hint = f"{context.gettext('Did you mean')}: {results.suggestion}"
        return paragraphs([context.gettext("Nothing found"), hint if results.suggestion else ""])
    return paragraphs(chain.from_iterable(map(_answer, results.items)))


def _answer(item: Answer) -> Iterator[str]:
    headings = dict.fromkeys((item.page.title, *(item.section.path or [item.section.heading])))
    yield f"## {' › '.join(headings)}"
    yield item.text
    yield f"<{item.url}>"


def _pages(results: SearchResults, context: MarkdownContext) -> str:
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


_RENDERING: PageRendering[_Results] = PageRendering(
    resources=(SearchResults, Answers), markdown=_markdown
)
declare_rendering(_RENDERING, SEARCH_PAGE)
