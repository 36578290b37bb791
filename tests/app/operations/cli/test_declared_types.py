"""Content types: every command knows them all, whatever else it imports."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from knowledge.resources.declarations import DECLARED_TYPES


@pytest.mark.parametrize(
    "module",
    [
        "app.features.previews.commands",
        "app.features.images.commands",
        "app.features.orders.commands",
        "app.operations.cli.content",
        "app.operations.cli.index",
        "knowledge.snapshot.loading",
    ],
)
def test_content_is_loaded_with_all_types(module: str, tmp_path: Path) -> None:
    """In a process that has imported only one command."""
    for kind in DECLARED_TYPES:
        (tmp_path / kind.folder).mkdir()
        (tmp_path / kind.folder / "a.md").write_text("---\ntitle: A\n---\nText.\n")
    program = f"""
import {module}
from pathlib import Path
from knowledge.snapshot.loading import load_content
loaded = load_content(Path({str(tmp_path)!r}))
print([str(each) for each in loaded.diagnostics if "Unknown content folder" in str(each)])
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=False, text=True
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")
