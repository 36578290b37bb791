"""How long a start takes, beside bare reading and YAML parsing of the same files."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import yaml
from benchmarks.corpus import write_posts
from benchmarks.table import Row

from knowledge.reading import read_folder

_REPEATS = 3


def measure(count: int) -> list[Row]:
    """Rows for a folder of `count` posts; times are the best of three."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_posts(folder, count)
        bare = _best(lambda: _read_bare(folder))
        ours = _best(lambda: read_folder(folder))
        reading = read_folder(folder)
        again = _best(lambda: read_folder(folder, reading))
    what = f"start, {count:,} posts"
    return [
        Row(what, "bare reading and yaml.CSafeLoader", bare * 1000, "ms", 1.0),
        Row(what, "Majlis: first edition", ours * 1000, "ms", ours / bare),
        Row(what, "Majlis: next edition, nothing changed", again * 1000, "ms", again / bare),
    ]


def _read_bare(folder: Path) -> None:
    for path in sorted((folder / "posts").iterdir()):
        _, front_matter, _ = path.read_text(encoding="utf-8").split("---\n", 2)
        yaml.load(front_matter, yaml.CSafeLoader)


def _best(measured: Callable[[], object]) -> float:
    """Seconds of the fastest run: the others tell of the machine."""
    times = []
    for _ in range(_REPEATS):
        started = perf_counter()
        measured()
        times.append(perf_counter() - started)
    return min(times)
