"""Fixtures of the tests on the sample content."""

from __future__ import annotations

import pytest
from retrieval.sample_search import SampleSearch, sample_search


@pytest.fixture(scope="session")
def search() -> SampleSearch:
    """The search of the sample, with its word lists."""
    return sample_search()
