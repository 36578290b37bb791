"""“Not here”: the share of questions that are told to have no answer, on several sites."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import pytest
from meanings import meaning_in
from retrieval.questions import Asked, site_questions
from retrieval.sample_search import SampleSearch, example_sites, site_search

from indexes.bases import no_progress
from indexes.passages.passage import Pages
from indexes.passages.ranking import Meaning

pytestmark = pytest.mark.slow

Sites = Mapping[str, Path]


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Sites:
    """Return the folders of the example sites."""
    return example_sites(tmp_path_factory.mktemp("sites"))


def shares(sites: Sites, meaning: Callable[[Pages], Meaning] | None = None) -> tuple[float, float]:
    """Return the shares of own and of foreign questions that are told to have no answer.

    `-s` shows those that are told otherwise.
    """
    asked = site_questions()
    assert asked.keys() == sites.keys()
    searches = {name: site_search(folder, meaning) for name, folder in sites.items()}
    own, foreign = (
        [poor for name, search in searches.items() for poor in told(search, asked[name][kind])]
        for kind in (0, 1)
    )
    print(f"own {sum(own)} of {len(own)}, foreign {sum(foreign)} of {len(foreign)}")  # noqa: T201
    return sum(own) / len(own), sum(foreign) / len(foreign)


def told(search: SampleSearch, questions: Iterable[Asked]) -> Iterator[bool]:
    """Yield for each question whether it is told to have no answer."""
    for text, locale in questions:
        result = search.result(text, locale, 1)
        print(f"{result.relevance:.2f} {text}")  # noqa: T201
        yield result.is_poor


def test_foreign_questions_are_told_to_have_no_answer(sites: Sites) -> None:
    """Own ones are so only if the content has them in other words."""
    own, foreign = shares(sites)
    assert own <= 0.2
    assert foreign >= 0.7


def test_foreign_questions_are_told_so_with_meaning_too(sites: Sites, tmp_path: Path) -> None:
    """Also those that share a word with a passage, or are near one."""

    def meaning(pages: Pages) -> Meaning:
        vectors = meaning_in(tmp_path)
        vectors.complete(pages, no_progress)
        return vectors

    own, foreign = shares(sites, meaning)
    assert own <= 0.2
    assert foreign >= 0.7


def test_questions_are_asked_once() -> None:
    """None of a site is own and foreign, or there twice."""
    for own, foreign in site_questions().values():
        assert len({*own, *foreign}) == len(own) + len(foreign) == 40
