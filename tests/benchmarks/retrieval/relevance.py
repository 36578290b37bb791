"""The relevance of answers: how many are told to be none, to own and to foreign questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from benchmarks.retrieval.collection import AUDIENCE, Collection, read_collection
from benchmarks.retrieval.engines import NOW, indexed
from retrieval.sample_search import sample_search

from indexes.passages.index import PassageIndex
from indexes.passages.passage import SearchScope
from indexes.passages.queries import shortened
from indexes.passages.ranking import LEAST_RELEVANCE

_LEAST = (0.20, 0.25, 0.30, 0.35)
_FOREIGN = 300
_PASSAGES = 5


def relevance_table(files: Sequence[Path]) -> Iterator[str]:
    """Yield the table of the shares of answers below a least relevance, by words alone.

    The first number of a cell is of the collection's questions, which its texts answer. The second
    is of up to 300 of them on the sample content, which does not answer them.
    """
    sample = sample_search().index
    collections = [read_collection(path, sections=False) for path in files]
    columns = [(_own(each), _on_sample(each, sample)) for each in collections]
    yield f"| relevance below | {' | '.join(each.name for each in collections)} |"
    yield f"|---|{'--:|' * len(collections)}"
    for least in _LEAST:
        cells = (f"{_below(own, least)}, {_below(foreign, least)}" for own, foreign in columns)
        mark = "**" if least == LEAST_RELEVANCE["words"] else ""
        yield f"| {mark}{least:.2f}{mark} | {' | '.join(cells)} |"


def _own(collection: Collection) -> Sequence[float]:
    return _relevance(collection, indexed(collection), AUDIENCE, len(collection.questions))


def _on_sample(collection: Collection, sample: PassageIndex) -> Sequence[float]:
    return _relevance(collection, sample, f"ae/{collection.language}", _FOREIGN)


def _relevance(
    collection: Collection, index: PassageIndex, audience: str, count: int
) -> Sequence[float]:
    scope = SearchScope(audience, NOW)
    questions = islice(collection.questions.values(), count)
    return [index.find(shortened(each), scope, _PASSAGES).relevance for each in questions]


def _below(values: Sequence[float], least: float) -> str:
    return f"{sum(each < least for each in values) / len(values):.2f}"
