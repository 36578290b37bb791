"""Pages for tests of the passage search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from indexes.bases import no_progress
from indexes.passages.analysis import Analyzer
from indexes.passages.index import PassageIndex, Writing, index_of
from indexes.passages.passage import SearchPassage, SearchScope
from indexes.text.words import Vocabulary

NOW = datetime(2026, 6, 1, tzinfo=UTC)
ANALYZER = Analyzer(Vocabulary())
READER = SearchScope("ae/en", NOW)


def passage(page: str, title: str = "", body: str = "", **fields: object) -> SearchPassage:
    """Return a passage that everybody sees, with other values for some fields."""
    everybody = SearchPassage(
        f"{page}#", page, "page", frozenset({"ae/en", "sa/ar"}), title, (), body
    )
    return replace(everybody, **fields)  # type: ignore[arg-type]


class FixedPages:
    """The pages of some passages; `cut` lists the pages whose passages were asked for."""

    def __init__(self, *passages: SearchPassage) -> None:
        self._by_page: dict[str, list[SearchPassage]] = {}
        for each in passages:
            self._by_page.setdefault(each.page, []).append(each)
        self.cut: list[str] = []

    @property
    def versions(self) -> Mapping[str, str]:
        """The text of a page serves as its version."""
        return {page: repr(passages) for page, passages in self._by_page.items()}

    def passages(self, page: str) -> Sequence[SearchPassage]:
        """Return the passages of a page."""
        self.cut.append(page)
        return self._by_page[page]


def index_in_memory(*passages: SearchPassage, analyzer: Analyzer = ANALYZER) -> PassageIndex:
    """Return an index whose base is in memory."""
    writing = Writing(FixedPages(*passages), analyzer, no_progress)
    return index_of(writing.write(None, None), analyzer)


def index_of_bodies(*bodies: str, analyzer: Analyzer = ANALYZER) -> PassageIndex:
    """Return an index of pages that are named by their numbers."""
    pages = (passage(str(number), "", body) for number, body in enumerate(bodies))
    return index_in_memory(*pages, analyzer=analyzer)


def found(
    index: PassageIndex, query: str, scope: SearchScope = READER, limit: int = 10
) -> list[str]:
    """Return the pages found, best first, each once."""
    return [hit.page for hit in index.find(query, scope, limit, page_limit=1).hits]


def replace_file(path: Path, content: bytes) -> None:
    """Put another file in the place of one that may be open.

    A file that is truncated in place while tantivy has it mapped ends the process with SIGBUS.
    """
    other = path.with_name("other")
    other.write_bytes(content)
    other.replace(path)
