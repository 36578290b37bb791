"""The passage search of the sample content, and of other sites."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from contract.visitor import NOW
from examples import SITES
from starters import starter

from app.platform.settings import SAMPLE_CONTENT
from app.publishing.content.passage_finder import search_scope
from app.publishing.content.search_pages import PassageKey, own_passages, search_pages
from indexes.bases import no_progress
from indexes.passages.analysis import Analyzer
from indexes.passages.index import PassageIndex, Writing, index_of
from indexes.passages.passage import Pages
from indexes.passages.ranking import Meaning
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
    """The snapshot of the sample or another site, and the index of its passages."""

    snapshot: Snapshot
    index: PassageIndex

    def view(self, locale: Locale) -> ContentView:
        """Return the site as the visitors of a locale see it."""
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
    return site_search(SAMPLE_CONTENT)


def site_search(folder: Path, meaning: Callable[[Pages], Meaning] | None = None) -> SampleSearch:
    """Return the search of the site in a folder, by words or also by the meaning of its pages."""
    content = load_content(folder)
    analyzer = Analyzer(Vocabulary(content.word_lists))
    pages = search_pages(content.snapshot, NOW)
    base = Writing(pages, analyzer, no_progress).write(None, None)
    return SampleSearch(content.snapshot, index_of(base, analyzer, meaning and meaning(pages)))


def example_sites(folder: Path) -> dict[str, Path]:
    """Return the folders of the example sites by name; that of the hotel is made in a folder."""
    return {
        **{site.name: site for site in SITES},
        "hotel": starter(folder / "hotel", "hotel", "both", "ae"),
    }
