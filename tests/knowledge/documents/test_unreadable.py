"""Paths that cannot be scanned keep their earlier results and are reported."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
from contract.visitor import write_tree
from permissions import NOBODY, bound_by_permissions

from knowledge.diagnostics.diagnostic import Severity
from knowledge.snapshot.loading import LoadedContent, load_content

FILES = {
    "pages/a.md": "---\ntitle: A\n---\n",
    "posts/b.md": "---\ntitle: B\n---\n",
    "posts/inner/c.png": "x",
    "products/d.md": "---\ntitle: D\n---\n",
}


@pytest.fixture
def root() -> Iterator[Path]:
    """Return a content folder that every user may read."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder).resolve()
        path.chmod(0o755)
        yield write_tree(path, FILES)
        for folder_name in ("posts", "posts/inner"):
            (path / folder_name).chmod(0o755)


def restrict(root: Path, path: str, mode: int, as_nobody: bool = True) -> None:
    """Set a path's mode, and make the reading user its owner."""
    if os.geteuid() == 0 and as_nobody:
        os.chown(root / path, NOBODY, NOBODY)
    (root / path).chmod(mode)


def read(root: Path, before: LoadedContent, changed: Collection[str] | None) -> LoadedContent:
    """Load the folder as a service does."""
    with bound_by_permissions():
        return load_content(root, before, changed)


def errors(loaded: LoadedContent) -> list[str]:
    """Return the paths with errors."""
    return [
        diagnostic.path
        for diagnostic in loaded.diagnostics
        if diagnostic.severity is Severity.ERROR
    ]


@pytest.mark.parametrize("changed", [None, {"posts"}, {"posts/b.md"}])
@pytest.mark.parametrize("mode", [0o000, 0o444])
def test_a_folder_without_permission_keeps_its_documents(
    root: Path, mode: int, changed: Collection[str] | None
) -> None:
    """Its texts and images stay, with an error, whether it cannot be listed or not entered."""
    first = load_content(root)
    restrict(root, "posts", mode)
    second = read(root, first, changed)
    assert second.files.keys() == first.files.keys()
    assert list(second.scanned.documents) == list(first.scanned.documents)
    assert second.snapshot.assets == {"posts/inner/c.png"}
    assert any(path.startswith("posts") for path in errors(second))


@pytest.mark.parametrize("changed", [None, {"pages/a.md"}])
def test_an_unreadable_folder_is_scanned_again(root: Path, changed: Collection[str] | None) -> None:
    """Once it is readable, the error disappears, and so do files deleted in the meantime."""
    first = load_content(root)
    restrict(root, "posts", 0)
    second = read(root, first, {"posts"})
    assert errors(second) == ["posts"]
    (root / "posts").chmod(0o755)
    (root / "posts/b.md").unlink()
    third = read(root, second, changed)
    assert errors(third) == []
    assert third.files.keys() == {"pages/a.md", "products/d.md"}


def test_edits_in_other_folders_are_loaded(root: Path) -> None:
    """An unreadable folder does not affect the others."""
    first = load_content(root)
    restrict(root, "posts", 0)
    second = read(root, first, {"posts"})
    write_tree(root, {"pages/a.md": "---\ntitle: Edited\n---\n"})
    third = read(root, second, {"pages/a.md"})
    document = third.files["pages/a.md"].document
    assert document is not None
    assert document.fields.title == {"en": "Edited"}
    assert third.files["posts/b.md"] is first.files["posts/b.md"]


def test_a_folder_unreadable_from_the_start_is_left_out(root: Path) -> None:
    """The other folders are served, and the error is reported."""
    restrict(root, "posts", 0)
    with bound_by_permissions():
        loaded = load_content(root)
    assert loaded.files.keys() == {"pages/a.md", "products/d.md"}
    assert errors(loaded) == ["posts"]
