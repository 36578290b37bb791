"""Measures retrieval: `python -m benchmarks.retrieval FOLDER|FILE… [--documents N]`, in `tests`.

Files are collections in JSON. `--documents` enlarges each, to measure CPU time only.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import process_time

from benchmarks.retrieval.collection import Collection, read_collection
from benchmarks.retrieval.engines import engines, majlis
from benchmarks.retrieval.many import enlarged
from benchmarks.retrieval.measures import measured, misspelt
from click import echo

_HEAD = (
    "| collection | engine | nDCG@10 | recall@10 | one slip | page first | answer in 800 tokens "
    "| nothing found | p50 ms | p99 ms | index s |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
)


def main() -> None:
    """Print a table of all engines and collections."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", type=Path, nargs="+")
    parser.add_argument("--documents", type=int, default=0)
    arguments = parser.parse_args()
    echo(_HEAD)
    for path in _files(arguments.paths):
        collection = read_collection(path, sections=False)
        if arguments.documents:
            _show_large(enlarged(collection, arguments.documents))
            continue
        _show(collection, "")
        sections = read_collection(path, sections=True)
        if len(sections.versions) < len(collection.versions):
            _show(sections, ", pages of sections")


def _files(paths: list[Path]) -> list[Path]:
    return [
        file
        for path in paths
        for file in (sorted(path.glob("*.json")) if path.is_dir() else [path])
    ]


def _show(collection: Collection, what: str) -> None:
    for name, build in engines(collection):
        started = process_time()
        engine = build()
        built = process_time() - started
        got = measured(collection, engine)
        echo(
            f"| {collection.name}{what} | {name} | {got.ndcg:.4f} | {got.recall:.3f} "
            f"| {misspelt(collection, engine):.3f} | {got.page_first:.3f} | {got.answered:.3f} "
            f"| {got.nothing} | {got.p50:.1f} | {got.p99:.1f} | {built:.1f} |",
        )


def _show_large(collection: Collection) -> None:
    started = process_time()
    engine = majlis(collection)
    built = process_time() - started
    got = measured(collection, engine)
    name = f"{collection.name}, {len(collection.documents):,} documents"
    echo(
        f"| {name} | Majlis | – | – | – | – | – | {got.nothing} | {got.p50:.1f} | {got.p99:.1f} "
        f"| {built:.1f} |",
    )


if __name__ == "__main__":
    main()
