"""The deletion guard: what is held back, what is not, and what ends it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from time import time_ns

import pytest
from cases import cases
from contract.visitor import write_tree

from app.platform.observability.metrics import CONTENT_STALE
from app.publishing.content.folder import (
    ACCEPTANCE_FILE,
    DeletionGuard,
    is_mass_deletion,
    read_acceptance,
    write_acceptance,
)
from app.publishing.content.store import ContentStore
from knowledge.documents.files import scan
from knowledge.snapshot.loading import load_content

HOUR_NS = 3_600 * 1_000_000_000


def pages(number: int, start: int = 0) -> dict[str, str]:
    """Return a number of pages by path."""
    numbers = range(start, start + number)
    return {f"pages/page-{n}.md": f"---\ntitle: Page {n}\n---\nText.\n" for n in numbers}


def delete(root: Path, number: int, start: int = 0) -> None:
    """Delete a number of them."""
    for path in pages(number, start):
        (root / path).unlink()


def served(content_store: ContentStore) -> int:
    """Return the number of documents in the current edition."""
    return content_store.current.content.document_count


def accept(root: Path) -> None:
    """Accept the documents in the folder, as `majlis content accept` does."""
    write_acceptance(root, scan(root).documents)


def set_acceptance_time(root: Path, time_ns: int) -> None:
    """Set the modification time of the acceptance."""
    os.utime(root / ACCEPTANCE_FILE, ns=(time_ns, time_ns))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder of 100 pages."""
    return write_tree(tmp_path / "content", pages(100))


@pytest.fixture
def content_store(root: Path) -> ContentStore:
    """Return a store that has loaded them."""
    loaded = ContentStore(root)
    loaded.reload()
    return loaded


@cases(
    ("before", "after", "is_held"),
    [(0, 0, False), (20, 0, False), (21, 0, True), (40, 20, False), (41, 20, True),
     (42, 21, False), (43, 21, True), (100, 50, False), (100, 49, True), (10, 1_000, False)],
)  # fmt: skip
def test_more_than_half_and_more_than_twenty_are_held_back(
    before: int, after: int, is_held: bool
) -> None:
    """Both conditions must hold."""
    assert is_mass_deletion(before, after) is is_held


def test_an_empty_folder_leaves_the_last_edition(root: Path, content_store: ContentStore) -> None:
    """The error says what happened and what to do, without an absolute path."""
    edition = content_store.current
    delete(root, 100)
    content_store.reload()
    assert content_store.current is edition
    error = content_store.first_error or ""
    assert "0 of 100 documents" in error
    assert "majlis content accept" in error
    assert str(root) not in error
    stale = {
        labels: value
        for family, labels, value in content_store.metrics_samples()
        if family is CONTENT_STALE
    }
    assert stale == {("documents_deleted",): 1, ("folder_unreadable",): 0}


def test_documents_that_return_end_it(root: Path, content_store: ContentStore) -> None:
    """The edition is still the same object, so nothing is loaded again."""
    edition = content_store.current
    (root / "pages").rename(root / "_away")
    content_store.reload()
    assert "0 of 100" in (content_store.first_error or "")
    (root / "_away").rename(root / "pages")
    content_store.reload()
    assert content_store.current is edition
    assert content_store.first_error is None


def test_a_deletion_within_the_limit_is_served(root: Path, content_store: ContentStore) -> None:
    """Half of the documents may be deleted."""
    delete(root, 50)
    content_store.reload()
    assert (served(content_store), content_store.first_error) == (50, None)


def test_renaming_all_documents_is_not_a_deletion(root: Path, content_store: ContentStore) -> None:
    """A release may rename them all."""
    (root / "pages").rename(root / "posts")
    content_store.reload()
    assert (served(content_store), content_store.first_error) == (100, None)


def test_a_release_with_few_documents_is_held_back(tmp_path: Path, root: Path) -> None:
    """Switching the symbolic link counts like a deletion."""
    link = tmp_path / "link"
    link.symlink_to(root)
    content_store = ContentStore(link)
    content_store.reload()
    link.unlink()
    link.symlink_to(write_tree(tmp_path / "next", pages(3)))
    content_store.reload()
    assert served(content_store) == 100
    accept(link)
    content_store.reload()
    assert served(content_store) == 3


def test_steps_of_one_deletion_count_together(root: Path, content_store: ContentStore) -> None:
    """The content from before the first step is served again."""
    edition = content_store.current
    delete(root, 30)
    content_store.reload()
    assert served(content_store) == 70
    delete(root, 30, start=30)
    content_store.reload()
    assert content_store.current.content is edition.content
    assert "40 of 100 documents" in (content_store.first_error or "")


def test_an_edit_waits_while_a_deletion_is_held_back(
    root: Path, content_store: ContentStore
) -> None:
    """A reload of changed paths does not hide the deletion."""
    delete(root, 60)
    content_store.reload()
    write_tree(root, {"pages/page-99.md": "---\ntitle: Edited\n---\n"})
    content_store.reload({"pages/page-99.md"})
    assert served(content_store) == 100
    assert "edits are not applied" in (content_store.first_error or "")
    accept(root)
    content_store.reload({ACCEPTANCE_FILE})
    assert served(content_store) == 40
    assert content_store.current.content.files["pages/page-99.md"].document


def test_new_documents_end_it_without_acceptance(root: Path, content_store: ContentStore) -> None:
    """Other documents replace the deleted ones: a release that is copied file by file."""
    delete(root, 100)
    content_store.reload()
    assert served(content_store) == 100
    write_tree(root, pages(60, start=200))
    content_store.reload()
    assert (served(content_store), content_store.first_error) == (60, None)


def test_a_restart_serves_the_folder_as_it_is(root: Path, content_store: ContentStore) -> None:
    """A restart accepts the deletion."""
    delete(root, 100)
    content_store.reload()
    again = ContentStore(root)
    again.reload()
    assert (served(again), again.first_error) == (0, None)


class Clock:
    """A monotonic clock that the test sets."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        """Return the time in seconds."""
        return self.seconds


def counts_served(root: Path, interval_seconds: float, deletions: int) -> list[int]:
    """Return the documents served after each of several deletions of ten documents."""
    clock = Clock()
    guard = DeletionGuard(root, clock)
    content = guard.choose(None, load_content(root), time_ns())
    counts = []
    for number in range(deletions):
        clock.seconds += interval_seconds
        delete(root, 10, start=10 * number)
        content = guard.choose(content, load_content(root, content), time_ns())
        counts.append(content.document_count)
    return counts


def test_deletions_far_apart_are_counted_separately(root: Path) -> None:
    """Ten documents per minute may be deleted until none is left."""
    assert counts_served(root, 60.0, 9) == [90, 80, 70, 60, 50, 40, 30, 20, 10]


def test_deletions_close_together_are_counted_together(root: Path) -> None:
    """Ten deletions per second look like `rm -rf`."""
    assert counts_served(root, 1.0, 9) == [90, 80, 70, 60, 50, 100, 100, 100, 100]


def test_an_acceptance_may_come_first(root: Path, content_store: ContentStore) -> None:
    """A deployment deletes and accepts before the service has noticed the deletion."""
    delete(root, 100)
    accept(root)
    content_store.reload()
    assert (served(content_store), content_store.first_error) == (0, None)


def test_an_old_acceptance_does_not_accept_the_next_deletion(
    root: Path, content_store: ContentStore
) -> None:
    """An empty mount point was accepted once; the mount came back, and is lost again."""
    delete(root, 100)
    accept(root)
    content_store.reload()
    write_tree(root, pages(100))
    content_store.reload()
    delete(root, 100)
    content_store.reload()
    assert served(content_store) == 100


def test_an_acceptance_of_something_else_does_not_count(
    root: Path, content_store: ContentStore
) -> None:
    """It contains a hash of the documents that are left."""
    delete(root, 90)
    accept(root)
    delete(root, 5, start=90)
    content_store.reload()
    assert served(content_store) == 100


@pytest.mark.parametrize("offset_ns", [-HOUR_NS, HOUR_NS])
def test_clocks_that_differ_do_not_matter_once_it_is_held(
    root: Path, content_store: ContentStore, offset_ns: int
) -> None:
    """The command ran on another machine, or the clock was set."""
    delete(root, 100)
    content_store.reload()
    assert served(content_store) == 100
    accept(root)
    set_acceptance_time(root, time_ns() + offset_ns)
    content_store.reload()
    assert served(content_store) == 0


def nothing(root: Path) -> None:
    """Create no acceptance."""


def a_folder(root: Path) -> None:
    """Create a folder in its place."""
    (root / ACCEPTANCE_FILE).mkdir()


def a_pipe(root: Path) -> None:
    """Create a pipe, for which the reader must not wait."""
    os.mkfifo(root / ACCEPTANCE_FILE)


def a_link(root: Path) -> None:
    """Create a symbolic link, which is not followed."""
    accept(root)
    (root / ACCEPTANCE_FILE).rename(root / "elsewhere")
    (root / ACCEPTANCE_FILE).symlink_to("elsewhere")


def garbage(root: Path) -> None:
    """Write bytes that are not a fingerprint."""
    (root / ACCEPTANCE_FILE).write_bytes(b"\xff" * 1_000)


@pytest.mark.parametrize("make", [nothing, a_folder, a_pipe, a_link, garbage])
def test_an_invalid_acceptance_accepts_nothing(
    root: Path, content_store: ContentStore, make: Callable[[Path], None]
) -> None:
    """It causes no error either."""
    delete(root, 100)
    make(root)
    content_store.reload()
    assert served(content_store) == 100


def test_an_acceptance_is_not_a_document(root: Path) -> None:
    """Its name is hidden, so it is neither listed nor published."""
    accept(root)
    assert read_acceptance(root) is not None
    assert len(scan(root).documents) == 100
    assert scan(root).assets == {}
