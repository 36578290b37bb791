"""Finding passages: what the index finds, as the pages say it at this moment."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from app.content.passage_index import EditionPassages
from app.content.search_pages import PassageKey, audience, is_shown
from indexes.passages.passage import Reader
from indexes.passages.search import Hit
from knowledge.addresses import parse_address
from knowledge.content_view import ContentView
from knowledge.errors import ContentUnavailable
from knowledge.passages import Passage
from knowledge.resources.answers import Answers, Question, answers

_SPARE = 2
"""More passages are asked for than shown: some may not be those of the pages any more."""


class SearchBeingPrepared(ContentUnavailable):
    """There is no index yet."""

    def __init__(self) -> None:
        super().__init__("The search is being prepared.", "Try again in a few seconds.")


def answers_to(
    passages: EditionPassages | None, view: ContentView, question: Question, kinds: tuple[str, ...]
) -> Answers:
    """Return the passages that fit a question; raises SearchBeingPrepared without an index."""
    if passages is None or passages.index is None:
        raise SearchBeingPrepared
    reader = Reader(audience(view.locale), view.now, kinds)
    result = passages.index.find(question.text, reader, _SPARE * question.limit)
    shown = list(islice(_shown(passages, view, result.hits), question.limit))
    return answers(view, question, shown, result.suggestion)


def _shown(
    passages: EditionPassages, view: ContentView, hits: tuple[Hit, ...]
) -> Iterator[Passage]:
    """Yield the passages that the reader sees now, with the text that was found."""
    for key in (PassageKey.parse(hit.key) for hit in hits):
        address = parse_address(key.page)
        if address is None or not is_shown(view, address):
            continue
        texts = passages.texts(view, address)
        if key.number < len(texts) and texts[key.number].digest == key.digest:
            yield texts[key.number].passage
