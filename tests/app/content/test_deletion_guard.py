"""The deletion guard: what is held back, what is not, and what ends it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from time import time_ns

import pytest
from contract.visitor import write_tree

from app.content.acceptance import ACCEPTANCE_FILE, read_acceptance, write_acceptance
from app.content.deletion_guard import DeletionGuard, is_mass_deletion
from app.content.store import ContentStore
from app.observability.metrics import CONTENT_STALE
from knowledge.files import scan
from knowledge.loading import load_content

HOUR_NS = 3_600 * 1_000_000_000


def pages(number: int, start: int = 0) -> dict[str, str]:
    """So many pages."""
    numbers = range(start, start + number)
    return {f"pages/page-{each}.md": f"---\ntitle: Page {each}\n---\nText.\n" for each in numbers}


def delete(root: Path, number: int, start: int = 0) -> None:
    """Delete so many of them."""
    for path in pages(number, start):
        (root / path).unlink()


def served(content_store: ContentStore) -> int:
    """How many documents the current edition has."""
    return content_store.current.content.document_count


def accept(root: Path) -> None:
    """What `majlis content accept` does."""
    write_acceptance(root, scan(root).documents)


def written(root: Path, at_ns: int) -> None:
    """Give the acceptance another time."""
    os.utime(root / ACCEPTANCE_FILE, ns=(at_ns, at_ns))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder of 100 pages."""
    return write_tree(tmp_path / "content", pages(100))


@pytest.fixture
def content_store(root: Path) -> ContentStore:
    """Editions that have read them."""
    loaded = ContentStore(root)
    loaded.reload()
    return loaded


@pytest.mark.parametrize(
    ("before", "after", "is_held"),
    [(0, 0, False), (20, 0, False), (21, 0, True), (40, 20, False), (41, 20, True),
     (42, 21, False), (43, 21, True), (100, 50, False), (100, 49, True), (10, 1_000, False)],
)  # fmt: skip
def test_more_than_half_and_more_than_twenty_are_held_back(
    before: int, after: int, is_held: bool
) -> None:
    """Both must be so."""
    assert is_mass_deletion(before, after) is is_held


def test_an_empty_folder_leaves_the_last_edition(root: Path, content_store: ContentStore) -> None:
    """The fault says what happened and what to do, without a path of the machine."""
    edition = content_store.current
    delete(root, 100)
    content_store.reload()
    assert content_store.current is edition
    told = content_store.first_error or ""
    assert "0 of 100 documents" in told
    assert "majlis content accept" in told
    assert str(root) not in told
    stale = {
        labels: value
        for family, labels, value in content_store.metrics_samples()
        if family is CONTENT_STALE
    }
    assert stale == {("documents_deleted",): 1, ("folder_unreadable",): 0}


def test_documents_that_return_end_it(root: Path, content_store: ContentStore) -> None:
    """The edition is the same one, so nothing is read or computed anew."""
    edition = content_store.current
    (root / "pages").rename(root / "_away")
    content_store.reload()
    assert "0 of 100" in (content_store.first_error or "")
    (root / "_away").rename(root / "pages")
    content_store.reload()
    assert content_store.current is edition
    assert content_store.first_error is None


def test_a_deletion_within_the_limit_is_served(root: Path, content_store: ContentStore) -> None:
    """Half of the documents may go."""
    delete(root, 50)
    content_store.reload()
    assert (served(content_store), content_store.first_error) == (50, None)


def test_all_documents_under_other_names_are_no_deletion(
    root: Path, content_store: ContentStore
) -> None:
    """A release may rename them all."""
    (root / "pages").rename(root / "posts")
    content_store.reload()
    assert (served(content_store), content_store.first_error) == (100, None)


def test_a_release_with_few_documents_is_held_back(tmp_path: Path, root: Path) -> None:
    """A link that turns is the same as a deletion."""
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
    """What was served before the first of them comes back."""
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
    """The paths that changed do not make it forget what is gone."""
    delete(root, 60)
    content_store.reload()
    write_tree(root, {"pages/page-99.md": "---\ntitle: Edited\n---\n"})
    content_store.reload({"pages/page-99.md"})
    assert served(content_store) == 100
    assert "edits wait" in (content_store.first_error or "")
    accept(root)
    content_store.reload({ACCEPTANCE_FILE})
    assert served(content_store) == 40
    assert content_store.current.content.files["pages/page-99.md"].document


def test_growth_ends_it_without_a_word(root: Path, content_store: ContentStore) -> None:
    """Other documents instead of those that are gone: a release that is copied file by file."""
    delete(root, 100)
    content_store.reload()
    assert served(content_store) == 100
    write_tree(root, pages(60, start=200))
    content_store.reload()
    assert (served(content_store), content_store.first_error) == (60, None)


def test_a_new_start_takes_the_folder_as_it_is(root: Path, content_store: ContentStore) -> None:
    """A restart accepts."""
    delete(root, 100)
    content_store.reload()
    again = ContentStore(root)
    again.reload()
    assert (served(again), again.first_error) == (0, None)


class Clock:
    """Monotonic seconds, set by the test."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        """The time."""
        return self.seconds


def counts_served(root: Path, wait_or_stop: float, deletions: int) -> list[int]:
    """What is served after each of several deletions of ten, so far apart."""
    clock = Clock()
    require_partner = DeletionGuard(root, clock)
    reading = require_partner.choose(None, load_content(root), time_ns())
    counts = []
    for number in range(deletions):
        clock.seconds += wait_or_stop
        delete(root, 10, start=10 * number)
        reading = require_partner.choose(reading, load_content(root, reading), time_ns())
        counts.append(reading.document_count)
    return counts


def test_deletions_far_apart_are_single_ones(root: Path) -> None:
    """Ten documents a minute may go until none is left."""
    assert counts_served(root, 60.0, 9) == [90, 80, 70, 60, 50, 40, 30, 20, 10]


def test_deletions_close_together_are_one(root: Path) -> None:
    """Ten each second are `rm -rf` at work."""
    assert counts_served(root, 1.0, 9) == [90, 80, 70, 60, 50, 100, 100, 100, 100]


def test_an_acceptance_may_come_first(root: Path, content_store: ContentStore) -> None:
    """A deployment deletes and accepts at once, before the service has noticed either."""
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
    """It names the documents that are left."""
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
    written(root, time_ns() + offset_ns)
    content_store.reload()
    assert served(content_store) == 0


def content_of_nothing(root: Path) -> None:
    """No acceptance."""


def a_folder(root: Path) -> None:
    """A folder in its place."""
    (root / ACCEPTANCE_FILE).mkdir()


def a_pipe(root: Path) -> None:
    """A pipe, which nobody may wait for."""
    os.mkfifo(root / ACCEPTANCE_FILE)


def a_link(root: Path) -> None:
    """A link, which is not followed."""
    accept(root)
    (root / ACCEPTANCE_FILE).rename(root / "elsewhere")
    (root / ACCEPTANCE_FILE).symlink_to("elsewhere")


def garbage(root: Path) -> None:
    """Bytes that are no fingerprint."""
    (root / ACCEPTANCE_FILE).write_bytes(b"\xff" * 1_000)


@pytest.mark.parametrize("make", [content_of_nothing, a_folder, a_pipe, a_link, garbage])
def test_what_is_no_acceptance_accepts_nothing(
    root: Path, content_store: ContentStore, make: Callable[[Path], None]
) -> None:
    """And does no harm."""
    delete(root, 100)
    make(root)
    content_store.reload()
    assert served(content_store) == 100


def test_an_acceptance_is_no_document(root: Path) -> None:
    """Its name is hidden, so it is neither listed nor published."""
    accept(root)
    assert read_acceptance(root) is not None
    assert len(scan(root).documents) == 100
    assert scan(root).assets == {}
