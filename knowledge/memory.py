"""Memory: what was worked out of documents, which shall not outlive them for long."""

from __future__ import annotations

from collections.abc import Callable
from functools import _lru_cache_wrapper, lru_cache
from typing import TypeVar

Result = TypeVar("Result")

_functions: list[_lru_cache_wrapper[object]] = []


def remembered(most: int) -> Callable[[Callable[..., Result]], _lru_cache_wrapper[Result]]:
    """A function of documents or their entries that remembers its last results."""

    def remembering(function: Callable[..., Result]) -> _lru_cache_wrapper[Result]:
        cached = lru_cache(most)(function)
        _functions.append(cached)
        return cached

    return remembering


def forget() -> None:
    """Let go of all results, and so of the documents that they were worked out of."""
    for function in _functions:
        function.cache_clear()
