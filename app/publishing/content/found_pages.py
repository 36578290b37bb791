"""The pages that a search of the site finds, each by its best passage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from app.publishing.content.passage_finder import PassageFinder
from app.publishing.content.passage_index import EditionPassages
from indexes.passages.search import Hit
from knowledge.resources.blog import paginate
from knowledge.resources.queries import FoundPages, PageQuery, SiteQuery
from knowledge.resources.search import PAGE_SIZE
from knowledge.views.content_view import ContentView

_MOST_PAGES = 100


def search_site(passages: EditionPassages | None, view: ContentView, query: SiteQuery) -> PageQuery:
    """Return the query of a search page with what it finds; raises SearchBeingPrepared."""
    finder = PassageFinder.of(passages, view)
    result = finder.find(query.text, _MOST_PAGES, page_limit=1)
    hits = _hits(finder, query, result.hits, result.is_complete)
    found = FoundPages(
        shown=[
            passage
            for hit in paginate(hits, query.page, PAGE_SIZE)[0]
            if (passage := finder.passage(hit))
        ],
        total=len(hits),
        is_complete=result.is_complete,
        counts=Counter(hit.kind for hit in result.hits if finder.is_there(hit)),
        suggestion=finder.suggestion(query.text, result),
    )
    return PageQuery(
        search=query.text, site=replace(query, found=found), highlights=result.highlights
    )


def _hits(
    finder: PassageFinder, query: SiteQuery, hits: Sequence[Hit], is_complete: bool
) -> Sequence[Hit]:
    """Return the best hit of each page of the kinds; the index is asked again if it has more."""
    if query.kinds and not is_complete:
        hits = finder.find(query.text, _MOST_PAGES, query.kinds, page_limit=1).hits
    return [
        hit for hit in hits if finder.is_there(hit) and (not query.kinds or hit.kind in query.kinds)
    ]
