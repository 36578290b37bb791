"""Editions: each is of one state of the folder, also while that turns to another release."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count, cycle
from pathlib import Path
from threading import Event, Thread

import pytest
from contract.visitor import write_tree

from app.edition import Editions
from app.metrics import RELOADS
from knowledge.documents import Document
from knowledge.excerpts import first_paragraph
from knowledge.sections import document_sections

PAGES = [f"pages/page-{number}.md" for number in range(20)]


def titles(editions: Editions) -> set[str]:
    """All titles of the edition of now."""
    files = editions.current.reading.files.values()
    return {file.document.metadata["title"]["en"] for file in files if file.document}


def turn(link: Path, release: Path) -> None:
    """Turn a link to a release, as deployments do: at once."""
    beside = link.with_name("content.new")
    beside.symlink_to(release)
    beside.replace(link)


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
    editions = Editions(link)
    seen: set[str] = set()
    with turning(link, releases):
        for number in count():
            editions.reload()
            found = titles(editions)
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
    editions = Editions(link)
    editions.reload()
    turn(link, releases[1])
    editions.reload({PAGES[0]})
    assert titles(editions) == {"two"}


def versions_in_memory(path: str) -> int:
    """How many versions of a file are still held by somebody."""
    gc.collect()
    found = (each for each in gc.get_objects() if isinstance(each, Document))
    return sum(each.path == path for each in found)


def test_a_look_that_finds_nothing_new_keeps_the_edition(tmp_path: Path) -> None:
    """With its answers and its index; it is a reading all the same."""
    write_tree(tmp_path, {"pages/a.md": "one"})
    editions = Editions(tmp_path)
    editions.reload()
    first = editions.current
    editions.reload()
    assert editions.current is first
    assert {name: value for name, _, value in editions.figures()}[RELOADS] == 2


def test_past_versions_are_forgotten(tmp_path: Path) -> None:
    """Also those that were read, whose sections and paragraphs are remembered for a while."""
    path = "posts/long.md"
    editions = Editions(tmp_path)
    for number in range(40):
        text = f"---\ntitle: {number}\n---\n" + "Many words.\n\n" * 10_000
        write_tree(tmp_path, {path: text})
        editions.reload({path})
        document = editions.current.reading.files[path].document
        assert document is not None
        document_sections(document)
        first_paragraph(document)
    assert versions_in_memory(path) < 15
