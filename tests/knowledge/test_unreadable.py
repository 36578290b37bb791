"""What cannot be looked at keeps what is known of it, and is a fault."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from contract.visitor import write_tree

from knowledge.diagnostics import Severity
from knowledge.loading import LoadedContent, load_content

NOBODY = 65534
FILES = {
    "pages/a.md": "---\ntitle: A\n---\n",
    "posts/b.md": "---\ntitle: B\n---\n",
    "posts/inner/c.png": "x",
    "products/d.md": "---\ntitle: D\n---\n",
}


@pytest.fixture
def root() -> Iterator[Path]:
    """A content folder that every user may read."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder).resolve()
        path.chmod(0o755)
        yield write_tree(path, FILES)
        for each in ("posts", "posts/inner"):
            (path / each).chmod(0o755)


@contextmanager
def bound_by_permissions() -> Iterator[None]:
    """Be a user whom permissions apply to."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def shut(root: Path, path: str, mode: int, as_nobody: bool = True) -> None:
    """Take permission away; the owner is who reads."""
    if os.geteuid() == 0 and as_nobody:
        os.chown(root / path, NOBODY, NOBODY)
    (root / path).chmod(mode)


def read(root: Path, before: LoadedContent, changed: Collection[str] | None) -> LoadedContent:
    """What a service reads."""
    with bound_by_permissions():
        return load_content(root, before, changed)


def errors(reading: LoadedContent) -> list[str]:
    """The paths of faults."""
    return [
        diagnostic.path
        for diagnostic in reading.diagnostics
        if diagnostic.severity is Severity.ERROR
    ]


@pytest.mark.parametrize("changed", [None, {"posts"}, {"posts/b.md"}])
@pytest.mark.parametrize("mode", [0o000, 0o444])
def test_a_folder_without_permission_keeps_its_documents(
    root: Path, mode: int, changed: Collection[str] | None
) -> None:
    """Neither to list it, nor to go into it: texts and images stay, and a fault names it."""
    first = load_content(root)
    shut(root, "posts", mode)
    second = read(root, first, changed)
    assert second.files.keys() == first.files.keys()
    assert list(second.scanned.documents) == list(first.scanned.documents)
    assert second.snapshot.assets == {"posts/inner/c.png"}
    assert any(path.startswith("posts") for path in errors(second))


@pytest.mark.parametrize("changed", [None, {"pages/a.md"}])
def test_it_is_looked_at_again_without_being_told(
    root: Path, changed: Collection[str] | None
) -> None:
    """When permission returns the fault is gone, and what was deleted meanwhile is, too."""
    first = load_content(root)
    shut(root, "posts", 0)
    second = read(root, first, {"posts"})
    assert errors(second) == ["posts"]
    (root / "posts").chmod(0o755)
    (root / "posts/b.md").unlink()
    third = read(root, second, changed)
    assert errors(third) == []
    assert third.files.keys() == {"pages/a.md", "products/d.md"}


def test_an_edit_elsewhere_is_read_meanwhile(root: Path) -> None:
    """The other folders go on as usual."""
    first = load_content(root)
    shut(root, "posts", 0)
    second = read(root, first, {"posts"})
    write_tree(root, {"pages/a.md": "---\ntitle: Edited\n---\n"})
    third = read(root, second, {"pages/a.md"})
    document = third.files["pages/a.md"].document
    assert document is not None
    assert document.metadata["title"]["en"] == "Edited"
    assert third.files["posts/b.md"] is first.files["posts/b.md"]


def test_a_start_has_nothing_to_keep(root: Path) -> None:
    """The rest is served, and the fault is there from the start."""
    shut(root, "posts", 0)
    with bound_by_permissions():
        reading = load_content(root)
    assert reading.files.keys() == {"pages/a.md", "products/d.md"}
    assert errors(reading) == ["posts"]
