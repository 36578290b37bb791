"""Measures retrieval: `python -m benchmarks.retrieval FOLDER|FILE…`, in `tests`.

Files are collections in JSON. `--documents N` enlarges each, to measure CPU time only.
`--relevance` measures only which questions are told to have no answer. `--write` puts the tables
into `docs/records/retrieval.md`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from time import process_time

from benchmarks.records import measured_now, put
from benchmarks.retrieval.collection import Collection, read_collection
from benchmarks.retrieval.engines import engines, majlis
from benchmarks.retrieval.many import enlarged
from benchmarks.retrieval.measures import measured, misspelt
from benchmarks.retrieval.relevance import relevance_table
from click import echo

_HEAD = (
    "| collection | engine | nDCG@10 | recall@10 | one slip | page first | answer in 800 tokens "
    "| nothing found | p50 ms | p99 ms | index s |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
)


def main() -> None:
    """Print the tables, and write them if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", type=Path, nargs="+")
    parser.add_argument("--documents", type=int, default=0)
    parser.add_argument("--relevance", action="store_true")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    files = _files(arguments.paths)
    if arguments.documents:
        _told((_HEAD, *(_large(path, arguments.documents) for path in files)))
        return
    tables = {} if arguments.relevance else {"collections": _told(_engines(files))}
    tables |= {"relevance": _told(relevance_table(files))}
    if arguments.write:
        for part, lines in tables.items():
            put("retrieval", (f"{measured_now()}\n", *lines), part)


def _told(lines: Iterable[str]) -> Sequence[str]:
    """Print lines as they come, and return them."""
    told = []
    for line in lines:
        echo(line)
        told.append(line)
    return told


def _engines(files: Sequence[Path]) -> Iterator[str]:
    """Yield the table of all engines and collections."""
    yield _HEAD
    for path in files:
        collection = read_collection(path, sections=False)
        yield from _rows(collection, "")
        sections = read_collection(path, sections=True)
        if len(sections.versions) < len(collection.versions):
            yield from _rows(sections, ", pages of sections")


def _files(paths: list[Path]) -> list[Path]:
    return [
        file
        for path in paths
        for file in (sorted(path.glob("*.json")) if path.is_dir() else [path])
    ]


def _rows(collection: Collection, what: str) -> Iterator[str]:
    for name, build in engines(collection):
        started = process_time()
        engine = build()
        built = process_time() - started
        got = measured(collection, engine)
        answered = f"{got.answered:.3f}" if collection.answers else "–"
        yield (
            f"| {collection.name}{what} | {name} | {got.ndcg:.4f} | {got.recall:.3f} "
            f"| {misspelt(collection, engine):.3f} | {got.page_first:.3f} | {answered} "
            f"| {got.nothing} | {got.p50:.1f} | {got.p99:.1f} | {built:.1f} |"
        )


def _large(path: Path, count: int) -> str:
    collection = enlarged(read_collection(path, sections=False), count)
    started = process_time()
    engine = majlis(collection)
    built = process_time() - started
    got = measured(collection, engine)
    name = f"{collection.name}, {len(collection.documents):,} documents"
    return (
        f"| {name} | Majlis | – | – | – | – | – | {got.nothing} | {got.p50:.1f} | {got.p99:.1f} "
        f"| {built:.1f} |"
    )


if __name__ == "__main__":
    main()
