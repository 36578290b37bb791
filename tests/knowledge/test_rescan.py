"""Looking at what changed gives the same listing as looking through everything."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from knowledge.files import rescan, scan
from knowledge.loading import load_content

NAMES = st.sampled_from(["a.md", "b.png", "a", "a-b.md", "_hidden", ".git", "posts", "x.txt"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
STEPS = st.lists(
    st.tuples(st.sampled_from(["write", "remove", "folder", "link", "move"]), PATHS, PATHS),
    max_size=12,
)


def remove(path: Path) -> None:
    """Remove whatever is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def change(root: Path, step: str, path: str, other: str) -> None:
    """One thing that an author may do; what cannot be done is not."""
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


def touched(root: Path, *paths: str) -> set[str]:
    """What a watcher tells: each path and the folders on the way, where they really are."""
    ways = {"/".join(path.split("/")[:depth]) for path in paths for depth in (1, 2, 3)}
    real = {os.path.realpath(root / way) for way in ways}
    return ways | {each.removeprefix(f"{root}/") for each in real if each.startswith(f"{root}/")}


@given(STEPS)
def test_what_is_looked_at_again_is_what_a_walk_finds(
    steps: list[tuple[str, str, str]],
) -> None:
    """Documents, assets and faults, in the same order, after each of many changes."""
    with TemporaryDirectory() as name:
        root = Path(name).resolve()
        scanned = scan(root)
        for step, path, other in steps:
            before = touched(root, path, other)
            change(root, step, path, other)
            scanned = rescan(root, scanned, before | touched(root, path, other))
            whole = scan(root)
            assert [*scanned.documents.items()] == [*whole.documents.items()]
            assert [*scanned.assets.items()] == [*whole.assets.items()]
            # A link in a circle is told of in other words.
            assert {diagnostic.path for diagnostic in scanned.diagnostics} == {
                f.path for f in whole.diagnostics
            }


def test_an_edit_reads_the_file_that_changed_and_no_other(tmp_path: Path) -> None:
    """The other documents are the very same objects."""
    for slug in ("one", "two"):
        (tmp_path / "pages").mkdir(exist_ok=True)
        (tmp_path / "pages" / f"{slug}.md").write_text(f"---\ntitle: {slug}\n---\nText.\n")
    first = load_content(tmp_path)
    (tmp_path / "pages" / "one.md").write_text("---\ntitle: Edited\n---\nText.\n")
    (tmp_path / "pages" / "two.md").write_text("---\ntitle: Not told\n---\nText.\n")
    second = load_content(tmp_path, first, {"pages/one.md"})
    assert second.files["pages/one.md"].document != first.files["pages/one.md"].document
    assert second.files["pages/two.md"] is first.files["pages/two.md"]
