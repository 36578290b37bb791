"""`make bench`: all benchmarks, as ratios in one run; name some to take only those."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping

from benchmarks import crews, latency, reads, scale, search
from benchmarks.figures import Figure, Group
from benchmarks.report import show, write

_SIZES = (1_000, 10_000, 50_000)


def _scale() -> Iterator[Figure]:
    for count in _SIZES:
        yield from scale.measure(count)


def _search() -> Iterator[Figure]:
    for count in _SIZES:
        yield from search.measure(count)


def _content() -> Iterator[Figure]:
    yield from latency.by_content(*_SIZES)


_TAKEN: Mapping[str, tuple[str, str, Callable[[], Iterator[Figure]]]] = {
    "reads": ("Cached reads", reads.METHOD, reads.measure),
    "uncached": ("Reads that are computed", latency.UNCACHED, latency.uncached),
    "scale": ("Start, memory and edits", scale.METHOD, _scale),
    "content": ("Cached reads and edits by content", latency.BY_CONTENT, _content),
    "search": ("Search", search.METHOD, _search),
    "workers": ("Workers", crews.METHOD, crews.measure),
}


def main() -> None:
    """Measure, print each table as it is there, and write the report where all were taken."""
    wanted = sys.argv[1:] or list(_TAKEN)
    groups = []
    for name in wanted:
        title, method, measure = _TAKEN[name]
        groups.append(Group(title, method, tuple(measure())))
        show(groups[-1])
    if wanted == list(_TAKEN):
        write(groups)


if __name__ == "__main__":
    main()
