"""No text makes a function take time that grows like the square of its length."""

from __future__ import annotations

import re

import pytest
from growth.functions import CHEAP, COSTLY, WHOLE, Function
from growth.measuring import growing_too_fast, without_collector
from growth.patterns import PATTERNS, Pattern

LEAST_PATTERNS = 109
SOME = PATTERNS[:: len(PATTERNS) // LEAST_PATTERNS]
"""For functions that cost most: of each sort some."""


def test_there_are_patterns_enough() -> None:
    """All differ, and each is as long as one asks."""
    assert len({*PATTERNS}) == len(PATTERNS)
    assert len(SOME) >= LEAST_PATTERNS
    assert all(len(pattern.text(4_000)) >= 3_900 for pattern in PATTERNS)


@pytest.mark.parametrize(
    ("function", "patterns", "length", "floor"),
    [
        *(pytest.param(each, PATTERNS, 2_000, 0.008, id=name) for name, each in CHEAP.items()),
        *(pytest.param(each, PATTERNS, 500, 0.015, id=name) for name, each in COSTLY.items()),
        *(pytest.param(each, SOME, 400, 0.05, id=name) for name, each in WHOLE.items()),
    ],
)
def test_time_grows_with_the_text_and_not_with_its_square(
    function: Function, patterns: tuple[Pattern, ...], length: int, floor: float
) -> None:
    """Each function with each pattern."""
    with without_collector():
        assert list(growing_too_fast(function, patterns, length, floor)) == []


@pytest.mark.parametrize("function", [lambda text: re.search(r"\s*$", text[:-1] + "x")])
def test_a_function_that_takes_the_square_is_found(function: Function) -> None:
    """The measurement itself: a search that begins again at each blank."""
    with without_collector():
        found = list(growing_too_fast(function, [Pattern(" "), Pattern("a")], 1_000, 0.01))
    assert len(found) == 1
