"""No function takes quadratic time for any pattern of text."""

from __future__ import annotations

import re

import pytest
from growth.functions import CHEAP, COSTLY, WHOLE, Function
from growth.measuring import growing_too_fast, without_collector
from growth.patterns import PATTERNS, Pattern

pytestmark = pytest.mark.slow

MIN_PATTERNS = 109
SAMPLE = PATTERNS[:: len(PATTERNS) // MIN_PATTERNS]
"""A sample of each group, for the most expensive functions."""


def test_patterns_are_unique_and_long_enough() -> None:
    """Each gives a text of about the requested length."""
    assert len({*PATTERNS}) == len(PATTERNS)
    assert len(SAMPLE) >= MIN_PATTERNS
    assert all(len(pattern.text(4_000)) >= 3_900 for pattern in PATTERNS)


@pytest.mark.parametrize(
    ("function", "patterns", "length", "floor"),
    [
        *(pytest.param(call, PATTERNS, 2_000, 0.008, id=name) for name, call in CHEAP.items()),
        *(pytest.param(call, PATTERNS, 500, 0.015, id=name) for name, call in COSTLY.items()),
        *(pytest.param(call, SAMPLE, 400, 0.05, id=name) for name, call in WHOLE.items()),
    ],
)
def test_time_does_not_grow_quadratically(
    function: Function, patterns: tuple[Pattern, ...], length: int, floor: float
) -> None:
    """For each function and each pattern."""
    with without_collector():
        assert list(growing_too_fast(function, patterns, length, floor)) == []


@pytest.mark.parametrize("function", [lambda text: re.search(r"\s*$", text[:-1] + "x")])
def test_a_quadratic_function_is_detected(function: Function) -> None:
    """A test of the measurement: this search restarts at each space."""
    with without_collector():
        reports = list(growing_too_fast(function, [Pattern(" "), Pattern("a")], 2_000, 0.01))
    assert len(reports) == 1
