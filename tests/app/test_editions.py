"""Editions: each is of one state of the folder, also while that turns to another release."""

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

import app.content.folder
from app.content.store import ContentStore
from app.observability.metrics import RELOADS
from knowledge.documents import Document
from knowledge.excerpts import first_paragraph
from knowledge.loading import LoadedContent, load_consistent
from knowledge.sections import document_sections

PAGES = [f"pages/page-{number}.md" for number in range(20)]


def titles(content_store: ContentStore) -> set[str]:
    """All titles of the edition of now."""
    files = content_store.current.content.files.values()
    return {file.document.metadata["title"]["en"] for file in files if file.document}


def turn(link: Path, release: Path) -> None:
    """Turn a link to a release, as deployments do: at once."""
    beside = link.with_name("content.new")
    beside.symlink_to(release)
    beside.replace(link)


def a_moment_ago(path: Path) -> None:
    """Make it look as if it had just been written, however long the test takes."""
    soon = time() + 3_600
    os.utime(path, (soon, soon))


@pytest.fixture
def releases(tmp_path: Path) -> list[Path]:
    """Two releases; of each all pages have one title."""
    return [
        write_tree(tmp_path / name, dict.fromkeys(PAGES, f"---\ntitle: {name}\n---\n"))
        for name in ("one", "two")
    ]


@contextmanager
def turning(link: Path, releases: list[Path]) -> Iterator[None]:
    """A link that turns all the time."""
    over = Event()

    def turn_on() -> None:
        for release in cycle(releases):
            if over.is_set():
                return
            turn(link, release)

    turner = Thread(target=turn_on)
    turner.start()
    try:
        yield
    finally:
        over.set()
        turner.join()


def test_an_edition_is_of_one_release(tmp_path: Path, releases: list[Path]) -> None:
    """However often the link turns while the files are read."""
    link = tmp_path / "content"
    turn(link, releases[0])
    content_store = ContentStore(link)
    seen: set[str] = set()
    with turning(link, releases):
        for number in count():
            content_store.reload()
            found = titles(content_store)
            assert len(found) == 1
            seen |= found
            if number >= 100 and len(seen) == 2:
                break


def test_what_changed_in_one_release_says_nothing_of_the_next(
    tmp_path: Path, releases: list[Path]
) -> None:
    """An edit that is noticed just after the link has turned."""
    link = tmp_path / "content"
    turn(link, releases[0])
    content_store = ContentStore(link)
    content_store.reload()
    turn(link, releases[1])
    content_store.reload({PAGES[0]})
    assert titles(content_store) == {"two"}


def test_a_release_that_goes_while_it_is_read_takes_nothing_with_it(
    tmp_path: Path, releases: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The link turns, and the release before is half deleted, when its reading begins."""
    link = tmp_path / "content"
    turn(link, releases[0])

    def too_late(folder: Path, *others: Any) -> LoadedContent:
        if folder == releases[0]:
            turn(link, releases[1])
            (folder / PAGES[0]).unlink()
        return load_consistent(folder, *others)

    monkeypatch.setattr(app.content.folder, "load_consistent", too_late)
    content_store = ContentStore(link)
    content_store.reload()
    assert titles(content_store) == {"two"}
    assert {*content_store.current.content.files} == {*PAGES}


def test_a_start_waits_for_the_page_that_is_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Editors that write in place empty a file first, and there is no version from before."""
    folder = write_tree(tmp_path, {PAGES[0]: ""})
    a_moment_ago(folder / PAGES[0])

    def in_the_meantime(_: float) -> None:
        write_tree(folder, {PAGES[0]: "---\ntitle: whole\n---\n"})

    monkeypatch.setattr(app.content.folder, "sleep", in_the_meantime)
    content_store = ContentStore(folder)
    content_store.reload()
    assert titles(content_store) == {"whole"}


def test_what_stays_broken_holds_nothing_up(tmp_path: Path) -> None:
    """It is left out, as if it had been broken for long."""
    folder = write_tree(tmp_path, {PAGES[0]: "", PAGES[1]: "---\ntitle: whole\n---\n"})
    a_moment_ago(folder / PAGES[0])
    content_store = ContentStore(folder)
    content_store.reload()
    assert titles(content_store) == {"whole"}


def versions_in_memory(path: str) -> int:
    """How many versions of a file are still held by somebody."""
    gc.collect()
    found = (each for each in gc.get_objects() if isinstance(each, Document))
    return sum(each.path == path for each in found)


def test_a_look_that_finds_nothing_new_keeps_the_edition(tmp_path: Path) -> None:
    """With its answers and its index; it is a reading all the same."""
    write_tree(tmp_path, {"pages/a.md": "one"})
    content_store = ContentStore(tmp_path)
    content_store.reload()
    first = content_store.current
    content_store.reload()
    assert content_store.current is first
    assert {name: value for name, _, value in content_store.metrics_samples()}[RELOADS] == 2


def test_past_versions_are_forgotten(tmp_path: Path) -> None:
    """Also those that were read, whose sections and paragraphs are remembered for a while."""
    path = "posts/long.md"
    content_store = ContentStore(tmp_path)
    for number in range(40):
        text = f"---\ntitle: {number}\n---\n" + "Many words.\n\n" * 10_000
        write_tree(tmp_path, {path: text})
        content_store.reload({path})
        document = content_store.current.content.files[path].document
        assert document is not None
        document_sections(document)
        first_paragraph(document)
    assert versions_in_memory(path) < 15
