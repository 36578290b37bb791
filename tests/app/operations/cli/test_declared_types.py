"""Content types: every command knows them all, whatever else it imports."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from knowledge.resources.declarations import DECLARED_TYPES

MODULES = (
    "app.features.previews.commands",
    "app.features.images.commands",
    "app.features.orders.commands",
    "app.operations.cli.content",
    "app.operations.cli.index",
    "knowledge.snapshot.loading",
)
PROGRAM = """
import os, sys
import click, markupsafe, pydantic, pydantic_settings, yaml  # once, for all processes
from importlib import import_module
from pathlib import Path

for module in sys.argv[2:]:
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        continue
    import_module(module)
    from knowledge.snapshot.loading import load_content
    from knowledge.fields.page_type import PAGE_TYPES
    found = map(str, load_content(Path(sys.argv[1])).diagnostics)
    missing = [each for each in found if "Unknown content folder" in each]
    known = list(PAGE_TYPES.all)
    from knowledge.resources.declarations import DECLARED_PAGES
    missing += [page.name for page in DECLARED_PAGES if page not in known]
    print(module, missing, flush=True)
    os._exit(0)
"""


def test_content_is_loaded_with_all_types(tmp_path: Path) -> None:
    """In a process that has imported only one command."""
    for kind in DECLARED_TYPES:
        (tmp_path / kind.folder).mkdir()
        (tmp_path / kind.folder / "a.md").write_text("---\ntitle: A\n---\nText.\n")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, tmp_path, *MODULES],
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [f"{module} []" for module in MODULES]
