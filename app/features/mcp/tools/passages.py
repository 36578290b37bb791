"""The passages that a query finds, for the tools that return them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from app.features.mcp.pages import PageId
from app.features.mcp.tool import ToolContext, ToolError
from app.publishing.content.passage_finder import PassageFinder
from indexes.passages import queries
from indexes.passages.search import SearchResult
from knowledge.documents.body import one_line
from knowledge.fields.slugs import slugify
from knowledge.resources.passages import Passage
from knowledge.views.content_view import ContentView

_MAX_HITS = 100
_MAX_TITLE = 200


@dataclass(frozen=True, slots=True)
class FoundPassages:
    """What a query found for the readers of a view, best first."""

    finder: PassageFinder
    result: SearchResult
    query: str

    @classmethod
    def of(
        cls, context: ToolContext, view: ContentView, query: str, kinds: tuple[str, ...] = ()
    ) -> Self:
        """Search; raises ToolError for a query without words, or SearchBeingPrepared."""
        text = queries.shortened(query)
        if not queries.has_word(text):
            raise ToolError("query: it has no word. Send query as a question or words.")
        finder = PassageFinder.of(context.edition.passages, view)
        return cls(finder, finder.find(text, _MAX_HITS, kinds), text)

    @property
    def total(self) -> int:
        """The number of hits whose text is still on its page."""
        return sum(map(self.finder.is_there, self.result.hits))

    @property
    def passages(self) -> Iterator[Passage]:
        """The passages with a text, each text once; only their title has that of a tag."""
        texts = set()
        for passage in filter(None, map(self.finder.passage, self.result.hits)):
            if passage.text and (passage.headings, passage.text) not in texts:
                texts.add((passage.headings, passage.text))
                yield passage

    @property
    def suggestion(self) -> str | None:
        """Another query, which finds something."""
        return self.finder.suggestion(self.query, self.result)


def id_of(passage: Passage) -> str:
    """Return the id with which a passage's section is fetched; without headings, that of its page.

    The anchor of a level-1 heading would only be long.
    """
    is_page = not passage.headings and passage.anchor == slugify(passage.page.heading)
    return str(PageId(passage.page.path, "" if is_page else passage.anchor))


def title_of(passage: Passage) -> str:
    """Return the title of a passage's page, on one line and not too long."""
    return one_line(passage.page.title, _MAX_TITLE)


def heading_of(passage: Passage) -> str:
    """Return the headings above a passage, `""` at the start of its page."""
    return one_line(" › ".join(passage.headings), _MAX_TITLE)
