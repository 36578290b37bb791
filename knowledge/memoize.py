"""Memory: what was worked out of texts, and of documents, which it shall not outlive for long."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import _lru_cache_wrapper, lru_cache, wraps
from typing import TypeVar

Result = TypeVar("Result")

_MOST_TEXTS = 1_024
_LONGEST_TEXT = 4_096
_functions: list[_lru_cache_wrapper[object]] = []


def document_cache(most: int) -> Callable[[Callable[..., Result]], _lru_cache_wrapper[Result]]:
    """A function of documents or their entries that remembers its last results."""

    def remembering(function: Callable[..., Result]) -> _lru_cache_wrapper[Result]:
        cached = lru_cache(most)(function)
        _functions.append(cached)
        return cached

    return remembering


def text_cache(function: Callable[..., Result]) -> Callable[..., Result]:
    """A function of a text, its first argument, that remembers what came of those not too long.

    They come again: in other locales, on other pages, in other queries.
    """
    kept = lru_cache(_MOST_TEXTS)(function)

    @wraps(function)
    def made(text: str, *rest: Hashable, **named: Hashable) -> Result:
        make = function if len(text) > _LONGEST_TEXT else kept
        return make(text, *rest, **named)

    return made


def clear_document_caches() -> None:
    """Let go of all results, and so of the documents that they were worked out of."""
    for function in _functions:
        function.cache_clear()
