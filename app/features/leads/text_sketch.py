"""Sketches of texts: a few of their word sequences, most of which similar texts share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

SIZE = 12
"""The number of digests of a text: the smallest ones (a bottom-k sketch, Broder 1997)."""
_LEAST_WORDS = 8
"""Shorter messages are alike by chance: “Please call me back.”"""
_SEQUENCE = 3

_LINKS = re.compile(r"(?<!\S)\S+@\S+|https?://\S+|www\.\S+", re.IGNORECASE)
_WORDS = re.compile(r"[^\W\d_]+")

Digest = Callable[[str], str]


def sketch(text: str, digest: Digest) -> tuple[str, ...]:
    """Return the sketch of a text without its links, addresses and numbers; empty if it is short.

    >>> sketch("Please call me back.", str)
    ()
    """
    words = _WORDS.findall(_LINKS.sub(" ", text).casefold())
    if len(words) < _LEAST_WORDS:
        return ()
    return tuple(sorted(set(map(digest, _sequences(words))))[:SIZE])


def least_common(size: int) -> int:
    """Return how many digests two texts share if one is made from the other.

    >>> least_common(12), least_common(6)
    (5, 3)
    """
    return max(3, -(-size * 2 // 5))


def _sequences(words: list[str]) -> Iterator[str]:
    return (
        " ".join(words[start : start + _SEQUENCE]) for start in range(len(words) - _SEQUENCE + 1)
    )
