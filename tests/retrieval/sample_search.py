"""The passage search of the sample content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from contract.visitor import NOW

from app.platform.settings import SAMPLE_CONTENT
from app.publishing.content.passage_finder import search_scope
from app.publishing.content.search_pages import PassageKey, own_passages, search_pages
from indexes.bases import no_progress
from indexes.passages.analysis import Analyzer
from indexes.passages.index import PassageIndex, Writing, index_of
from indexes.passages.search import SearchResult
from indexes.text.words import Vocabulary
from knowledge.addresses.addresses import parse_address
from knowledge.locales.locale import Locale
from knowledge.resources.passages import Passage
from knowledge.snapshot.loading import load_content
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView


@dataclass(frozen=True)
class SampleSearch:
    """The snapshot of the sample, and the index of its passages."""

    snapshot: Snapshot
    index: PassageIndex

    def view(self, locale: Locale) -> ContentView:
        """Return the sample as the visitors of a locale see it."""
        return ContentView(self.snapshot, locale, NOW, "https://wahat.test")

    def result(self, query: str, locale: Locale, limit: int) -> SearchResult:
        """Return what a query finds in a locale."""
        return self.index.find(query, search_scope(self.view(locale)), limit)

    def find(self, query: str, locale: Locale, limit: int) -> Sequence[Passage]:
        """Return the best passages for a query in a locale."""
        view, hits = self.view(locale), self.result(query, locale, limit).hits
        return [_passage(PassageKey.parse(hit.key), view) for hit in hits]


def _passage(key: PassageKey, view: ContentView) -> Passage:
    address = parse_address(key.page)
    assert address is not None
    return own_passages(view, address)[key.number]


def sample_search() -> SampleSearch:
    """Return the search of the sample, as it is loaded now."""
    content = load_content(SAMPLE_CONTENT)
    analyzer = Analyzer(Vocabulary(content.word_lists))
    writing = Writing(search_pages(content.snapshot, NOW), analyzer, no_progress)
    return SampleSearch(content.snapshot, index_of(writing.write(None, None), analyzer))
