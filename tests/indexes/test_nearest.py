"""Similar addresses."""

from __future__ import annotations

import pytest

from indexes.nearest import NearestPaths

PATHS = NearestPaths(
    ["", "/blog", "/blog/e-invoicing", "/blog/stock-count", "/cities/riyadh/erp", "/cities/riyadh"]
)


@pytest.mark.parametrize(
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
