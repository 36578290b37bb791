"""Scale of content: how long a start and an edit take, and how much memory it all needs.

Run as a command with a folder it measures a start in a process of its own and prints it as JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import Any

import yaml
from benchmarks.corpus import write_posts
from benchmarks.figures import Figure
from frontmatter.default_handlers import YAMLHandler

from app.content.store import ContentStore
from indexes.breath import hold_no_breath

METHOD = (
    "Posts of about 3.5 kB with ordinary front matter. Each start is taken in a process of its "
    "own, in turn with bare reading (python-frontmatter's own handler with yaml.CSafeLoader, text "
    "kept), three times; the best counts. Times are of the CPU, as both do nothing but read and "
    "parse. Memory is what the resident set grows by; allowed are 1.5 times the text and 2 kB a "
    "document; it is taken again when the search index is made. An edit rewrites one file; its "
    "cost is that of the reading that follows, to that of the first."
)
_ROUNDS = 3
_BYTES_A_DOCUMENT = 2_000


def measure(count: int) -> Iterator[Figure]:
    """Figures for a folder of `count` posts."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_posts(folder, count)
        text_bytes = sum(path.stat().st_size for path in (folder / "posts").iterdir())
        rounds = [(_run("bare", folder), _run("majlis", folder)) for _ in range(_ROUNDS)]
    bare = min(one["cpu"] for one, _ in rounds)
    ours = min(one["cpu"] for _, one in rounds)
    memory = min(one["memory"] for _, one in rounds)
    settled = min(one["settled"] for _, one in rounds)
    edit = min(one["edit"] for _, one in rounds)
    allowed = 1.5 * text_bytes + _BYTES_A_DOCUMENT * count
    subject = f"{count:,} documents"
    yield Figure(subject, "bare reading", bare * 1_000, "ms", 1.0)
    yield Figure(subject, "start", ours * 1_000, "ms", ours / bare, at_most=2.0)
    yield Figure(subject, "memory, to the allowed", memory / 1e6, "MB", memory / allowed, at_most=1)
    yield Figure(
        *(subject, "memory with the search index", settled / 1e6, "MB", settled / allowed),
        at_most=1,
    )
    yield Figure(subject, "one edit", edit * 1_000, "ms", edit / ours, at_most=0.05)


def _run(what: str, folder: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.scale", what, str(folder)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    measured: dict[str, float] = json.loads(told)
    return measured


def _bare(folder: Path) -> dict[str, float]:
    handler = YAMLHandler()

    def read() -> list[tuple[Any, str]]:
        return [_split(handler, path) for path in sorted((folder / "posts").iterdir())]

    return _taken(read)[0]


def _split(handler: Any, path: Path) -> tuple[Any, str]:
    written, body = handler.split(path.read_text(encoding="utf-8"))
    return yaml.load(written, yaml.CSafeLoader), body


def _majlis(folder: Path) -> dict[str, float]:
    content_store = ContentStore(folder)
    empty = _resident()
    measured, _ = _taken(content_store.reload)
    costs = []
    for number in range(3):
        path = f"posts/post-{number}.md"
        post = folder / path
        post.write_text(post.read_text() + f"\nEdited {number}.\n")
        started = process_time()
        content_store.reload({path})
        costs.append(process_time() - started)
    content_store.compact(hold_no_breath)
    return {**measured, "edit": min(costs), "settled": _resident() - empty}


def _taken(measured: Callable[[], Any]) -> tuple[dict[str, float], Any]:
    before, started = _resident(), process_time()
    kept = measured()
    return {"cpu": process_time() - started, "memory": _resident() - before}, kept


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    _, wanted, place = sys.argv
    sys.stdout.write(json.dumps({"bare": _bare, "majlis": _majlis}[wanted](Path(place))))
