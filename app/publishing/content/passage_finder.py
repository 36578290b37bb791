"""Finding passages and pages: what the index finds, as pages say it now; pages of similar paths."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Self

from app.publishing.content.indexes import EditionPassages, SearchBeingPrepared
from app.publishing.content.search_pages import PassageKey, audience, is_shown
from indexes.passages.analysis import AROUND
from indexes.passages.index import PassageIndex
from indexes.passages.passage import SearchScope
from indexes.passages.search import SearchResult
from indexes.passages.segment import Hit
from indexes.text.nearest import NearestPaths
from indexes.text.words import fold
from knowledge.addresses.addresses import parse_address
from knowledge.markdown.inline import plain_text
from knowledge.resources.base import paginate
from knowledge.resources.document_page import title_of
from knowledge.resources.passages import Passage
from knowledge.resources.queries import FoundPages, PageQuery, SiteQuery
from knowledge.resources.search import PAGE_SIZE, Answers, Question, answers
from knowledge.resources.seo import is_visible_route, resolve_route
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView

MAX_SUGGESTION = 100
"""Characters."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class PassageFinder:
    """Finds the passages of one edition that the readers of a view see now."""

    passages: EditionPassages
    index: PassageIndex
    view: ContentView

    @classmethod
    def of(cls, passages: EditionPassages | None, view: ContentView) -> Self:
        """Return the finder of an edition; raises SearchBeingPrepared without an index."""
        if passages is None or passages.index is None:
            raise SearchBeingPrepared
        return cls(passages, passages.index, view)

    def find(
        self, text: str, limit: int, kinds: tuple[str, ...] = (), page_limit: int = 3
    ) -> SearchResult:
        """Return the best passages in the index, at most `page_limit` of one page."""
        scope = SearchScope(audience(self.view.locale), self.view.now, kinds)
        return self.index.find(text, scope, limit, page_limit)

    def passage(self, hit: Hit) -> Passage | None:
        """Return the passage of a hit; None if its page does not have this text any more."""
        key = PassageKey.parse(hit.key)
        address = parse_address(key.page, self.view.snapshot)
        if address is None or not is_shown(self.view, address):
            return None
        texts = self.passages.texts(self.view, address)
        is_there = key.number < len(texts) and texts[key.number].digest == key.digest
        return texts[key.number].passage if is_there else None

    def is_there(self, hit: Hit) -> bool:
        """Return whether there is a passage of a hit; faster than to return it."""
        address = parse_address(hit.page, self.view.snapshot)
        if address is None or not is_shown(self.view, address):
            return False
        return self.passages.is_unchanged(hit.page) or self.passage(hit) is not None

    def suggestion(self, text: str, result: SearchResult) -> str | None:
        """Return another query: the words that are found, or all that texts have, corrected.

        It has nothing else of the query, as agents read it as a text of the site.
        """
        if not result.hits:
            return _joined(map(self._spelling, (result.suggestion or "").split()))
        typed = _WORD.findall(text)
        read = [self._read(word, result.words) for word in typed]
        is_corrected = any(right not in (word, "") for word, right in zip(typed, read, strict=True))
        return _joined(read) if is_corrected else None

    def _read(self, word: str, words: Mapping[str, str]) -> str:
        """Return a typed word, or the right one if it is misspelt; `""` if no text has it."""
        right = words.get(fold(word), "")
        return word if right == fold(word) else self._spelling(right) if right else ""

    def _spelling(self, word: str) -> str:
        """Return a folded word as a text spells it that the readers see."""
        shown = map(self.passage, self.find(f'"{word}"', 1).hits)
        written = (each for passage in shown if passage for each in _written(passage))
        spellings = {each for each in written if fold(each) == word}
        return word if word in spellings else min(spellings, default=word)


def _joined(words: Iterable[str]) -> str | None:
    """Return words as a query, each once and as many as it may have characters; None for none."""
    query = ""
    for word in filter(None, dict.fromkeys(words)):
        longer = f"{query} {word}".lstrip()
        if len(longer) > MAX_SUGGESTION:
            break
        query = longer
    return query or None


def _written(passage: Passage) -> Iterator[str]:
    """Yield the words of a passage as they are written."""
    for text in (plain_text(passage.text), *passage.headings, passage.page.title):
        yield from (each.strip(AROUND) for each in text.split())


_SPARE = 2
"""More passages are asked for than shown: some may not be those of the pages any more."""


def answers_to(
    passages: EditionPassages | None, view: ContentView, question: Question, kinds: tuple[str, ...]
) -> Answers:
    """Return the passages that fit a question; raises SearchBeingPrepared without an index."""
    finder = PassageFinder.of(passages, view)
    result = finder.find(question.text, _SPARE * question.limit, kinds)
    shown = list(islice(filter(None, map(finder.passage, result.hits)), question.limit))
    suggestion = None if shown else finder.suggestion(question.text, result)
    return answers(view, question, shown, suggestion)


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


_MAX_NEAREST = 5
_MOST_TRIED = 200
"""Of so many similar paths at most it is checked whether there is a page for the reader."""


def nearest_pages(paths: NearestPaths, view: ContentView, path: str) -> Sequence[tuple[str, str]]:
    """Return title and site path of the pages most similar to a path that does not exist.

    Of a page and its copies for cities, the one beside that path is there, else the first.
    """
    beside = path.rpartition("/")[0]
    pages: dict[str, tuple[str, str]] = {}
    for similar in islice(paths.find(path), _MOST_TRIED):
        resolved = _shown_at(view, similar)
        if resolved is None:
            continue
        page, shown = resolved.entry.path, (title_of(resolved), view.locale.path + similar)
        if page not in pages and len(pages) == _MAX_NEAREST:
            break
        if page not in pages or shown[1].rpartition("/")[0] == beside:
            pages[page] = shown
    return list(pages.values())


def _shown_at(view: ContentView, path: str) -> Resolved | None:
    """Return what a page shows; None if it has no text in the reader's language."""
    address = parse_address(path, view.snapshot)
    if address is None or not is_visible_route(view, address):
        return None
    resolved = resolve_route(view, address)
    if resolved is None or resolved.language is not view.locale.language:
        return None
    return resolved
