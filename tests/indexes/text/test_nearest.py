"""Similar addresses."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from indexes.text.nearest import NearestPaths, is_near
from indexes.text.words import fold

PATHS = NearestPaths(
    ["", "/blog", "/blog/e-invoicing", "/blog/stock-count", "/cities/riyadh/erp", "/cities/riyadh"]
)


@cases(
    ("path", "first"),
    [
        pytest.param("/blog/e-invocing", "/blog/e-invoicing", id="a letter missing"),
        pytest.param("/stock-count", "/blog/stock-count", id="another folder"),
        pytest.param("/Cities/Riyad/", "/cities/riyadh", id="capitals and a slash"),
        pytest.param("/blgo", "/blog", id="a list"),
        pytest.param("/qqqqq", None, id="nothing like it"),
        pytest.param("/", None, id="no name"),
        pytest.param("/a\nb", None, id="a line break"),
    ],
)
def test_the_most_similar_path_is_first(path: str, first: str | None) -> None:
    """Only its last part counts."""
    assert next(PATHS.find(path), None) == first


@cases(
    ("asked", "path", "title", "expected"),
    [
        pytest.param("/pricng", "/pricing", "", True, id="a letter missing"),
        pytest.param("/blgo", "/blog", "", True, id="letters swapped"),
        pytest.param("/faq", "/faqs", "", True, id="a short name, a letter less"),
        pytest.param("/e-invocing", "/blog/e-invoicing", "", True, id="in one word of two"),
        pytest.param("/stockcount", "/blog/stock-count", "", True, id="without the hyphen"),
        pytest.param("/Contact-Us/", "/contact", "", True, id="a word more, capitals, a slash"),
        pytest.param("/receipt-printer", "/printer-receipt-80", "", True, id="another order"),
        pytest.param("/prices", "/pricing", "", True, id="another form of the word"),
        pytest.param("/erp-dubai", "/cities/dubai", "ERP in Dubai", True, id="words of the title"),
        pytest.param("/الفواتر", "/الفواتير", "", True, id="Arabic"),
        pytest.param("/nope", "/author/noura-al-otaibi", "Noura Al Otaibi", False, id="first two"),
        pytest.param("/login", "/industries/logistics", "Logistics", False, id="first four"),
        pytest.param("/open", "/nope", "", False, id="the same letters"),
        pytest.param("/tos", "/modules/point-of-sale", "POS", False, id="a short word of many"),
        pytest.param("/best-offers-of-may", "/best", "", False, id="one word of four"),
        pytest.param("/", "", "", False, id="no name"),
        pytest.param("/--", "/a", "A", False, id="no letters"),
        pytest.param("/ab", "/ac", "", False, id="two letters"),
    ],
)
def test_a_name_is_near_by_spelling_or_words(
    asked: str, path: str, title: str, expected: bool
) -> None:
    """Unrelated names that share some letters are not."""
    assert is_near(asked, path, title) == expected


NAMES = st.text(alphabet="ab-é ", max_size=6)
SITE = st.lists(st.tuples(st.sampled_from(["", "/blog", "/cities/riyadh"]), NAMES), unique=True)


def trigrams(name: str) -> set[str]:
    """Return the trigrams of a padded name."""
    padded = f"  {fold(name)} "
    return set(map("".join, zip(padded, padded[1:], padded[2:], strict=False)))


def similar(paths: Iterable[str], path: str) -> list[str]:
    """Return the most similar paths by looking at each."""
    name = path.rstrip("/").rpartition("/")[2]
    asked = trigrams(name) if name else set()
    shared = {each: len(asked & trigrams(each.rpartition("/")[2])) for each in paths}
    found = {each for each, count in shared.items() if count and count >= 0.25 * len(asked)}
    return sorted(
        (each for each in paths if each in found),
        key=lambda each: (-shared[each], len(fold(each.rpartition("/")[2]))),
    )


def paths_of(site: Iterable[tuple[str, str]]) -> dict[str, None]:
    """Return the paths of a site, in order and without duplicates."""
    return dict.fromkeys(f"{folder}/{name}" for folder, name in site)


@given(SITE, SITE, NAMES)
def test_the_index_finds_what_a_look_at_each_path_finds(
    before: list[tuple[str, str]], after: list[tuple[str, str]], name: str
) -> None:
    """In the same order, also after pages have come and gone."""
    first, second = paths_of(before), paths_of(after)
    paths = NearestPaths(first)
    assert list(paths.find(f"/x/{name}")) == similar(first, f"/x/{name}")
    kept = [path for path in first if path in second]
    numbered = [*kept, *(path for path in second if path not in first)]
    assert list(paths.updated(second).find(name)) == similar(numbered, name)
    assert list(paths.find(f"/x/{name}")) == similar(first, f"/x/{name}")


def test_names_that_thousands_share_do_not_count() -> None:
    """Only what distinguishes them does."""
    paths = NearestPaths([f"/blog/post-{number}" for number in range(3_000)])
    assert list(paths.find("/blog/post")) == []
    assert next(paths.find("/blog/pots-2999")) == "/blog/post-2999"


def test_many_changes_are_indexed_anew() -> None:
    """In the background, or by the first search."""
    first = [f"/a/{number}" for number in range(1_500)]
    paths = NearestPaths(first)
    paths.prepare(lambda: None)
    few, many = paths.updated(first[:500]), paths.updated(first[:499])
    assert few.is_prepared
    assert not many.is_prepared
    assert not few.updated(first[:499]).is_prepared
    assert list(few.find("/7")) == list(NearestPaths(first[:500]).find("/7"))
    assert list(many.find("/7")) == list(NearestPaths(first[:499]).find("/7"))


def test_preparation_yields_and_may_be_cancelled() -> None:
    """What is cancelled leaves nothing half made."""
    paths = NearestPaths([f"/a/{number}" for number in range(1_000)])

    def cancel() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        paths.prepare(cancel)
    assert not paths.is_prepared
    yields: list[None] = []
    paths.prepare(lambda: yields.append(None))
    paths.prepare(cancel)
    assert len(yields) > 10
    assert next(paths.find("/b/99")) == "/a/99"
