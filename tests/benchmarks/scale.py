"""Scale of content: time of a start and of an edit, and memory.

Run as a command with a folder, it measures a start in this process and prints it as JSON.
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

from app.publishing.content.store import ContentStore

METHOD = (
    "Posts of about 3.5 kB with typical front matter. Each start runs in a new process, in turn "
    "with bare reading (python-frontmatter's handler with yaml.CSafeLoader, text kept in "
    "memory), three times; the best counts. Times are CPU times, because both only read and "
    "parse. Memory is the growth of the resident set; allowed are 1.5 times the text and 2 kB "
    "per document. It is measured again after the search index is built. An edit rewrites one "
    "file; its cost is the CPU time of the reload, and the ratio is to the start."
)
_ROUNDS = 3
_BYTES_PER_DOCUMENT = 2_000


def measure(count: int) -> Iterator[Figure]:
    """Measure a folder of `count` posts."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_posts(folder, count)
        text_bytes = sum(path.stat().st_size for path in (folder / "posts").iterdir())
        rounds = [(_run("bare", folder), _run("majlis", folder)) for _ in range(_ROUNDS)]
    bare = min(one["cpu"] for one, _ in rounds)
    ours = min(one["cpu"] for _, one in rounds)
    memory = min(one["memory"] for _, one in rounds)
    compacted = min(one["compacted"] for _, one in rounds)
    edit = min(one["edit"] for _, one in rounds)
    allowed = 1.5 * text_bytes + _BYTES_PER_DOCUMENT * count
    subject = f"{count:,} documents"
    yield Figure(subject, "bare reading", bare * 1_000, "ms", 1.0)
    yield Figure(subject, "start", ours * 1_000, "ms", ours / bare, at_most=2.0)
    yield Figure(
        subject, "memory, ratio to the allowed", memory / 1e6, "MB", memory / allowed, at_most=1
    )
    yield Figure(
        *(subject, "memory with the search index", compacted / 1e6, "MB", compacted / allowed),
        at_most=1,
    )
    yield Figure(subject, "one edit", edit * 1_000, "ms", edit / ours, at_most=0.05)


def _run(what: str, folder: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.scale", what, str(folder)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    measured: dict[str, float] = json.loads(output)
    return measured


def _bare(folder: Path) -> dict[str, float]:
    handler = YAMLHandler()

    def read() -> list[tuple[Any, str]]:
        return [_split(handler, path) for path in sorted((folder / "posts").iterdir())]

    return _measure_call(read)[0]


def _split(handler: Any, path: Path) -> tuple[Any, str]:
    written, body = handler.split(path.read_text(encoding="utf-8"))
    return yaml.load(written, yaml.CSafeLoader), body


def _majlis(folder: Path) -> dict[str, float]:
    content_store = ContentStore(folder)
    empty = resident_bytes()
    measured, _ = _measure_call(content_store.reload)
    costs = []
    for number in range(3):
        path = f"posts/post-{number}.md"
        post = folder / path
        post.write_text(post.read_text() + f"\nEdited {number}.\n")
        started = process_time()
        content_store.reload({path})
        costs.append(process_time() - started)
    content_store.compact(lambda: None)
    return {**measured, "edit": min(costs), "compacted": resident_bytes() - empty}


def _measure_call(measured: Callable[[], Any]) -> tuple[dict[str, float], Any]:
    before, started = resident_bytes(), process_time()
    kept = measured()
    return {"cpu": process_time() - started, "memory": resident_bytes() - before}, kept


def resident_bytes() -> int:
    """Return the memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    _, what, path = sys.argv
    sys.stdout.write(json.dumps({"bare": _bare, "majlis": _majlis}[what](Path(path))))
