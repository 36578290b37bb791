"""Rendering for `majlis check`: the same diagnostics from one process and from several."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from contract.visitor import write_tree

PROGRAM = """
import json, os, sys
from datetime import UTC, datetime
from pathlib import Path
from app.operations.cli import rendering
from knowledge.fields.content_types import POST
from knowledge.snapshot.loading import load_content

now = datetime(2026, 6, 1, tzinfo=UTC)
os.cpu_count = lambda: 3
for pages in (1_000, 2):
    rendering._PAGES_FOR_A_PROCESS = pages
    snapshot = load_content(Path(sys.argv[1])).snapshot
    fields = snapshot.entry(POST, "broken").documents[0].fields
    object.__setattr__(fields, "updated_at", "no date at all")
    with rendering.rendering(snapshot, now) as found:
        print(json.dumps(sorted({(each.path, each.kind, each.message) for each in found})))
"""


def test_several_processes_find_what_one_finds(tmp_path: Path) -> None:
    """In a process without threads, as the command is."""
    posts = {f"posts/p{number}.md": f"---\ntitle: P{number}\n---\nx\n" for number in range(8)}
    broken = {"posts/broken.md": "---\ntitle: B\n---\nx\n"}
    folder = write_tree(tmp_path, {**posts, **broken})
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder)], capture_output=True, text=True, check=True
    )
    one, several = map(json.loads, done.stdout.splitlines())
    assert one == several
    assert {path for path, *_ in one} == {"posts/broken.md"}
