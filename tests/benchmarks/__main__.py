"""`make bench`: run all benchmarks, or the groups that are named."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping

from benchmarks import (
    audience,
    calls,
    edge,
    edits,
    flood,
    growth,
    latency,
    leads,
    mcp,
    reads,
    scale,
    search,
    server_choice,
    workers,
)
from benchmarks import start as starts
from benchmarks.figures import Figure, Group
from benchmarks.report import show, write

_SIZES = (1_000, 10_000, 50_000)


def _scale() -> Iterator[Figure]:
    for count in _SIZES:
        yield from scale.measure(count)


def _start() -> Iterator[Figure]:
    for count in _SIZES[1:]:
        yield from starts.measure(count)


def _search() -> Iterator[Figure]:
    for count in _SIZES:
        yield from search.measure(count)


def _content() -> Iterator[Figure]:
    yield from latency.by_content(*_SIZES)


def _growth() -> Iterator[Figure]:
    yield from growth.measure(_SIZES)


_GROUPS: Mapping[str, tuple[str, str, Callable[[], Iterator[Figure]]]] = {
    "reads": ("Cached reads", reads.METHOD, reads.measure),
    "audience": ("Counting readers", audience.METHOD, audience.measure),
    "edge": ("Through the cache of nginx", edge.METHOD, edge.measure),
    "uncached": ("Uncached reads", latency.UNCACHED, latency.uncached),
    "calls": ("Calls of an uncached page", calls.METHOD, calls.measure),
    "mcp": ("Calls of MCP", mcp.METHOD, mcp.measure),
    "scale": ("Start, memory and edits", scale.METHOD, _scale),
    "start": ("Cold and warm starts", starts.METHOD, _start),
    "content": ("Cached reads and edits by number of documents", latency.BY_CONTENT, _content),
    "edits": ("Edits under load", edits.METHOD, edits.measure),
    "growth": ("Growth", growth.METHOD, _growth),
    "search": ("Search", search.METHOD, _search),
    "flood": ("Floods of searches", flood.METHOD, flood.measure),
    "leads": ("Leads", leads.METHOD, leads.measure),
    "servers": ("Servers", server_choice.METHOD, server_choice.measure),
    "workers": ("Workers", workers.METHOD, workers.measure),
}


def main() -> None:
    """Measure, print each table, and write the report if all groups were measured."""
    names = sys.argv[1:] or list(_GROUPS)
    groups = []
    for name in names:
        title, method, measure = _GROUPS[name]
        groups.append(Group(title, method, tuple(measure())))
        show(groups[-1])
    if names == list(_GROUPS):
        write(groups)


if __name__ == "__main__":
    main()
