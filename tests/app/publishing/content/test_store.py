"""Editions: each is one consistent state of the folder, even while releases are switched."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count, cycle
from pathlib import Path
from threading import Event, Thread
from time import time
from typing import Any

import pytest
from contract.visitor import write_tree

import app.publishing.content.folder
from app.platform.observability.metrics import RELOADS
from app.publishing.content.store import ContentStore
from knowledge.documents.body import body_excerpt
from knowledge.documents.document import Document
from knowledge.sections.sections import document_sections
from knowledge.snapshot.loading import LoadedContent, load_consistent

PAGES = [f"pages/page-{number}.md" for number in range(20)]


def titles(content_store: ContentStore) -> set[str]:
    """Return all titles of the current edition."""
    files = content_store.current.content.files.values()
    return {(file.document.fields.title or {})["en"] for file in files if file.document}


def switch(link: Path, release: Path) -> None:
    """Switch a link to a release atomically, as deployments do."""
    temporary = link.with_name("content.new")
    temporary.symlink_to(release)
    temporary.replace(link)


def a_moment_ago(path: Path) -> None:
    """Set the modification time so that the file counts as just written."""
    soon = time() + 3_600
    os.utime(path, (soon, soon))


@pytest.fixture
def releases(tmp_path: Path) -> list[Path]:
    """Return two releases; all pages of a release have the same title."""
    return [
        write_tree(tmp_path / name, dict.fromkeys(PAGES, f"---\ntitle: {name}\n---\n"))
        for name in ("one", "two")
    ]


@contextmanager
def switching(link: Path, releases: list[Path]) -> Iterator[None]:
    """Switch a link between the releases all the time."""
    over = Event()

    def switch_repeatedly() -> None:
        for release in cycle(releases):
            if over.is_set():
                return
            switch(link, release)

    switcher = Thread(target=switch_repeatedly)
    switcher.start()
    try:
        yield
    finally:
        over.set()
        switcher.join()


def test_an_edition_is_of_one_release(tmp_path: Path, releases: list[Path]) -> None:
    """This holds however often the link is switched while files are read."""
    link = tmp_path / "content"
    switch(link, releases[0])
    content_store = ContentStore(link)
    seen: set[str] = set()
    with switching(link, releases):
        for number in count():
            content_store.reload()
            current = titles(content_store)
            assert len(current) == 1
            seen |= current
            if number >= 100 and len(seen) == 2:
                break


def test_changed_paths_of_one_release_are_ignored_for_the_next(
    tmp_path: Path, releases: list[Path]
) -> None:
    """An edit is noticed just after the link was switched."""
    link = tmp_path / "content"
    switch(link, releases[0])
    content_store = ContentStore(link)
    content_store.reload()
    switch(link, releases[1])
    content_store.reload({PAGES[0]})
    assert titles(content_store) == {"two"}


def test_a_release_deleted_during_the_load_loses_no_pages(
    tmp_path: Path, releases: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The link is switched, and the old release is half deleted, when its load begins."""
    link = tmp_path / "content"
    switch(link, releases[0])

    def too_late(folder: Path, *others: Any) -> LoadedContent:
        if folder == releases[0]:
            switch(link, releases[1])
            (folder / PAGES[0]).unlink()
        return load_consistent(folder, *others)

    monkeypatch.setattr(app.publishing.content.folder, "load_consistent", too_late)
    content_store = ContentStore(link)
    content_store.reload()
    assert titles(content_store) == {"two"}
    assert {*content_store.current.content.files} == {*PAGES}


def test_a_start_waits_for_the_page_that_is_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Editors that write in place truncate a file first, and there is no earlier version."""
    folder = write_tree(tmp_path, {PAGES[0]: ""})
    a_moment_ago(folder / PAGES[0])

    def in_the_meantime(_: float) -> None:
        write_tree(folder, {PAGES[0]: "---\ntitle: whole\n---\n"})

    monkeypatch.setattr(app.publishing.content.folder, "sleep", in_the_meantime)
    content_store = ContentStore(folder)
    content_store.reload()
    assert titles(content_store) == {"whole"}


def test_a_file_that_stays_broken_is_not_waited_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Less than a second; it is left out like any broken file."""
    waits: list[float] = []
    monkeypatch.setattr(app.publishing.content.folder, "sleep", waits.append)
    folder = write_tree(tmp_path, {PAGES[0]: "", PAGES[1]: "---\ntitle: whole\n---\n"})
    a_moment_ago(folder / PAGES[0])
    content_store = ContentStore(folder)
    content_store.reload()
    assert titles(content_store) == {"whole"}
    assert sum(waits) < 1


def versions_in_memory(path: str) -> int:
    """Return how many versions of a file are still in memory."""
    gc.collect()
    documents = (item for item in gc.get_objects() if isinstance(item, Document))
    return sum(document.path == path for document in documents)


def test_a_reload_without_changes_keeps_the_edition(tmp_path: Path) -> None:
    """Its caches and its index stay; the reload is still counted."""
    write_tree(tmp_path, {"pages/a.md": "one"})
    content_store = ContentStore(tmp_path)
    content_store.reload()
    first = content_store.current
    content_store.reload()
    assert content_store.current is first
    assert {name: value for name, _, value in content_store.metrics_samples()}[RELOADS] == 2


@pytest.mark.slow
def test_past_versions_are_released(tmp_path: Path) -> None:
    """This also holds for versions whose parsed sections were cached for a while."""
    path = "posts/long.md"
    content_store = ContentStore(tmp_path)
    for number in range(40):
        text = f"---\ntitle: {number}\n---\n" + "Many words.\n\n" * 10_000
        write_tree(tmp_path, {path: text})
        content_store.reload({path})
        document = content_store.current.content.files[path].document
        assert document is not None
        document_sections(document)
        body_excerpt(document)
    assert versions_in_memory(path) < 15


def test_a_preloaded_store_has_started_no_thread(tmp_path: Path) -> None:
    """The process forks then; the first reload reads nothing again."""
    folder = write_tree(tmp_path / "content", dict.fromkeys(PAGES, "---\ntitle: One\n---\n"))
    indexed = ContentStore(folder, tmp_path / "indexes")
    indexed.reload()
    indexed.compact(lambda: None)
    before = set(Path("/proc/self/task").iterdir())
    content_store = ContentStore(folder, tmp_path / "indexes")
    snapshot = content_store.preload()
    assert set(Path("/proc/self/task").iterdir()) <= before
    assert not content_store.loaded
    content_store.reload()
    assert content_store.current.snapshot is snapshot
    assert content_store.current.passages is not None
    assert content_store.current.passages.is_settled
    assert content_store.current.similar.is_prepared


def test_an_edit_after_the_preload_is_loaded(tmp_path: Path) -> None:
    """The second reload compares with the folder as usual."""
    folder = write_tree(tmp_path / "content", dict.fromkeys(PAGES, "---\ntitle: One\n---\n"))
    content_store = ContentStore(folder)
    content_store.preload()
    (folder / PAGES[0]).write_text("---\ntitle: Two\n---\n")
    content_store.reload()
    content_store.reload()
    assert titles(content_store) == {"One", "Two"}


def test_a_folder_that_cannot_be_preloaded_is_reported_by_the_reload(tmp_path: Path) -> None:
    """And loaded as soon as it is there."""
    content_store = ContentStore(tmp_path / "content")
    assert content_store.preload() is None
    content_store.reload()
    assert content_store.first_error is not None
    write_tree(tmp_path / "content", {PAGES[0]: "---\ntitle: One\n---\n"})
    content_store.reload()
    assert titles(content_store) == {"One"}


def test_a_missing_folder_is_logged_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It is looked for twice a second; its return is logged as well."""
    caplog.set_level("INFO")
    content_store = ContentStore(tmp_path / "content")
    for _ in range(3):
        content_store.reload()
    write_tree(tmp_path / "content", {"pages/a.md": "# A\n"})
    content_store.reload()
    content_store.reload()
    problem, again = (record.message for record in caplog.records[:2])
    assert problem.startswith("The content folder cannot be read: no such file or directory. Set")
    assert again == "The content folder can be read again."
    assert caplog.text.count("The content folder") == 2
