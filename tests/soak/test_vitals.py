"""What counts as growth, and what as fluctuation."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from cases import cases
from soak.vitals import Life, Sample

MEGABYTE = 1_000_000


@cases(
    ("memory", "files", "grown"),
    [
        pytest.param(lambda _: 100, lambda _: 40, 0, id="flat"),
        pytest.param(lambda at: min(60 + at, 100), lambda at: min(at, 40), 0, id="warming up"),
        pytest.param(lambda at: 100 + 50 * (at % 10 == 0), lambda at: at % 20, 0, id="peaks"),
        pytest.param(lambda at: 100 + at * 0.1, lambda _: 40, 1, id="memory grows"),
        pytest.param(lambda _: 100, lambda at: 40 + at * 0.1, 1, id="files grow"),
    ],
)
def test_growth(memory: Callable[[int], float], files: Callable[[int], float], grown: int) -> None:
    """Over two hundred seconds."""
    samples = [Sample(float(at), int(memory(at) * MEGABYTE), int(files(at))) for at in range(200)]
    assert len(list(Life(1, samples).growths)) == grown
