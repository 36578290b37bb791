"""A scan of changed paths gives the same result as a full scan."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given
from hypothesis import strategies as st

from knowledge.documents.files import scan
from knowledge.snapshot.loading import load_content

NAMES = st.sampled_from(["a.md", "b.png", "a", "a-b.md", "_hidden", ".git", "posts", "x.txt"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
STEPS = st.lists(
    st.tuples(st.sampled_from(["write", "remove", "folder", "link", "move"]), PATHS, PATHS),
    max_size=12,
)


def remove(path: Path) -> None:
    """Remove a file, link or folder, if it exists."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def change(root: Path, step: str, path: str, other: str) -> None:
    """Make one edit of an author; an edit that the file system refuses is skipped."""
    target = root / path
    try:
        if step == "write":
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(f"---\ntitle: {other}\n---\n")
        elif step == "folder":
            target.mkdir(parents=True, exist_ok=True)
        elif step == "link":
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to(root / other)
        elif step == "move":
            (root / other).parent.mkdir(parents=True, exist_ok=True)
            target.rename(root / other)
        else:
            remove(target)
    except OSError:
        pass


def reported_paths(root: Path, *paths: str) -> set[str]:
    """Return what a watcher reports: each path and its parent folders, also with links resolved."""
    prefixes = {"/".join(path.split("/")[:depth]) for path in paths for depth in (1, 2, 3)}
    real = {os.path.realpath(root / prefix) for prefix in prefixes}
    return prefixes | {
        path.removeprefix(f"{root}/") for path in real if path.startswith(f"{root}/")
    }


@given(STEPS)
@example([("write", "a.md", "a"), ("link", "b.png", "a.md/a.md"), ("link", "a/b.png", "a/b.png")])
def test_a_scan_of_changed_paths_equals_a_full_scan(
    steps: list[tuple[str, str, str]],
) -> None:
    """The same documents and assets in the same order, and the same diagnostics."""
    with TemporaryDirectory() as name:
        root = Path(name).resolve()
        scanned = scan(root)
        for step, path, other in steps:
            before = reported_paths(root, path, other)
            change(root, step, path, other)
            scanned = scan(root, scanned, before | reported_paths(root, path, other))
            full = scan(root)
            assert [*scanned.documents.items()] == [*full.documents.items()]
            assert [*scanned.assets.items()] == [*full.assets.items()]
            assert set(scanned.diagnostics) == set(full.diagnostics)


def test_only_reported_files_are_read_again(tmp_path: Path) -> None:
    """The other documents are the same objects."""
    for slug in ("one", "two"):
        (tmp_path / "pages").mkdir(exist_ok=True)
        (tmp_path / "pages" / f"{slug}.md").write_text(f"---\ntitle: {slug}\n---\nText.\n")
    first = load_content(tmp_path)
    (tmp_path / "pages" / "one.md").write_text("---\ntitle: Edited\n---\nText.\n")
    (tmp_path / "pages" / "two.md").write_text("---\ntitle: Not reported\n---\nText.\n")
    second = load_content(tmp_path, first, {"pages/one.md"})
    assert second.files["pages/one.md"].document != first.files["pages/one.md"].document
    assert second.files["pages/two.md"] is first.files["pages/two.md"]


def test_a_deleted_file_with_a_wrong_name_is_no_longer_reported(tmp_path: Path) -> None:
    """Its name is not checked if there is no such file."""
    path = tmp_path / "a\nb.md"
    path.touch()
    scanned = scan(tmp_path)
    assert len(scanned.diagnostics) == 1
    path.unlink()
    assert not scan(tmp_path, scanned, {path.name}).diagnostics


def test_a_full_scan_keeps_what_is_the_same(tmp_path: Path) -> None:
    """Loads and processes tell by the objects what changed, and copy no other memory."""
    for name in ("a.md", "b.md", "c.png", "_d.md"):
        (tmp_path / name).write_text("x")
    before = scan(tmp_path)
    same = scan(tmp_path, before)
    assert same.documents is before.documents
    assert same.assets is before.assets
    assert same.ignored is before.ignored
    (tmp_path / "a.md").write_text("edited")
    edited = scan(tmp_path, before)
    assert edited.documents["a.md"] != before.documents["a.md"]
    assert edited.documents["b.md"] is before.documents["b.md"]
