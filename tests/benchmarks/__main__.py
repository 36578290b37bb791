"""`make bench`: all benchmarks, as ratios in one run."""

from __future__ import annotations

from benchmarks import reads, search, starting
from benchmarks.table import show

_PORT = 8765


def main() -> None:
    """Measure everything and print the table."""
    rows = [row for count in (1_000, 10_000) for row in starting.measure(count)]
    rows += [row for count in (1_000, 10_000, 50_000) for row in search.measure(count)]
    rows += reads.measure(_PORT)
    show(rows)


if __name__ == "__main__":
    main()
