"""`make bench`: run all benchmarks, or the groups that are named."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping

from benchmarks import (
    audience,
    calls,
    check,
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
    "check": ("The content check", check.METHOD, check.measure),
    "growth": ("Growth", growth.METHOD, _growth),
    "search": ("Search", search.METHOD, _search),
    "flood": ("Floods of searches", flood.METHOD, flood.measure),
    "leads": ("Leads", leads.METHOD, leads.measure),
    "workers": ("Workers", workers.METHOD, workers.measure),
}


def main() -> None:
    """Measure, print each table, and write the report."""
    arguments = _arguments().parse_args()
    titles = [title for title, _, _ in _GROUPS.values()]
    for name in arguments.groups or _GROUPS:
        title, method, measure = _GROUPS[name]
        group = Group.measured(title, method, measure())
        show(group)
        if arguments.write or not arguments.groups:
            write(group, titles)


def _arguments() -> ArgumentParser:
    parser = ArgumentParser(prog="benchmarks", description="Measure, and print the figures.")
    named = (*_GROUPS, [])  # an empty list is what argparse checks if none is named
    parser.add_argument("groups", nargs="*", metavar="GROUP", choices=named)
    parser.add_argument(
        "--write", action="store_true", help="put named groups into the records too"
    )
    return parser


if __name__ == "__main__":
    main()
