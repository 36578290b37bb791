"""Comparison of thousands of values in parts, without a loop in Python for each of them.

Python lets other threads run between two parts. A request would otherwise wait for milliseconds
while all documents are compared after an edit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import compress, islice
from typing import TypeVar

Value = TypeVar("Value")

_PART = 4_096
"""Compared in a tenth of a millisecond."""


def all_pairs(
    test: Callable[[Value, Value], bool], first: Iterable[Value], second: Iterable[Value]
) -> bool:
    """Return whether a test holds for all pairs; the shorter one decides how many there are.

    >>> from operator import eq
    >>> all_pairs(eq, range(9_000), range(9_000)), all_pairs(eq, [1, 2], [1, 3])
    (True, False)
    """
    pairs = map(test, first, second)
    while part := list(islice(pairs, _PART)):
        if not all(part):
            return False
    return True


def selected(values: Iterable[Value], flags: Iterable[bool]) -> Iterator[Value]:
    """Yield the values whose flag is set.

    >>> list(selected(range(9_000), (number in (1, 8_999) for number in range(9_000))))
    [1, 8999]
    """
    remaining, remaining_flags = iter(values), iter(flags)
    while part := list(islice(remaining, _PART)):
        yield from compress(part, remaining_flags)
