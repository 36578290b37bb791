"""The image store: pictures are made once, by one process, and never taken from a wrong file."""

from __future__ import annotations

import multiprocessing
import os
import shutil
from pathlib import Path
from threading import Thread
from time import sleep

import pytest

import app.features.images.store
from app.features.images.store import ImageStore
from app.platform.artefacts import Artefacts

NAME, OTHER = "aa-480.webp", "bb-480.webp"


class Maker:
    """Makes a picture and counts how often."""

    def __init__(self, picture: bytes = b"picture") -> None:
        self.picture = picture
        self.count = 0

    def __call__(self) -> bytes:
        """Return the picture."""
        self.count += 1
        return self.picture


def test_a_picture_is_made_once(tmp_path: Path) -> None:
    """Also for another process that starts later."""
    store, maker = ImageStore(tmp_path / "images"), Maker()
    assert store.read(NAME) is None
    assert (store.get(NAME, maker), store.get(NAME, maker)) == (b"picture", b"picture")
    assert (store.read(NAME), maker.count) == (b"picture", 1)
    assert ImageStore(tmp_path / "images").read(NAME) == b"picture"


def test_a_picture_of_a_source_is_not_made(tmp_path: Path) -> None:
    """Unless the source lacks it, or has another one by its name."""
    maker, source = Maker(), Artefacts(str(tmp_path / "source"))
    first = ImageStore(tmp_path / "images")
    first.get(NAME, maker)
    first.put(NAME, source)
    second = ImageStore(tmp_path / "others", source)
    assert (second.get(NAME, maker), maker.count) == (b"picture", 1)
    assert second.read(NAME) == b"picture"
    shutil.copy(tmp_path / "source" / NAME, tmp_path / "source" / OTHER)
    assert (second.get(OTHER, maker), maker.count) == (b"picture", 2)
    assert sorted(second.names("")) == sorted([NAME, OTHER, *second.names(".lock")])


def cut(path: Path) -> None:
    """Cut a file off."""
    path.write_bytes(path.read_bytes()[:-1])


def exchange(path: Path) -> None:
    """Change one byte."""
    path.write_bytes(b"P" + path.read_bytes()[1:])


def empty(path: Path) -> None:
    """Remove all bytes."""
    path.write_bytes(b"")


def rename(path: Path) -> None:
    """Put the file of another picture there."""
    ImageStore(path.parent).get(OTHER, Maker(b"other"))
    shutil.copy(path.with_name(OTHER), path)


def fill(path: Path) -> None:
    """Put a picture there that the service did not make."""
    path.write_bytes(b"RIFF a picture of somebody else WEBP")


@pytest.mark.parametrize("harm", [cut, exchange, empty, rename, fill])
def test_a_damaged_or_foreign_file_is_made_anew(tmp_path: Path, harm: object) -> None:
    """It is never sent."""
    store = ImageStore(tmp_path)
    store.get(NAME, Maker())
    assert callable(harm)
    harm(tmp_path / NAME)
    maker = Maker(b"anew")
    assert store.read(NAME) is None
    assert (store.get(NAME, maker), maker.count) == (b"anew", 1)
    assert ImageStore(tmp_path).read(NAME) == b"anew"


def _make_slowly(folder: Path) -> None:
    def make() -> bytes:
        with (folder / "made").open("a") as log:
            log.write("x")
        sleep(0.2)
        return b"picture"

    assert ImageStore(folder / "images").get(NAME, make) == b"picture"


def test_two_processes_never_make_the_same_picture(tmp_path: Path) -> None:
    """The others wait and read it."""
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_make_slowly, args=(tmp_path,)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(30)
    assert [process.exitcode for process in processes] == [0] * 4
    assert (tmp_path / "made").read_text() == "x"


def test_two_threads_never_make_the_same_picture(tmp_path: Path) -> None:
    """Nor do threads of one process."""
    threads = [Thread(target=_make_slowly, args=(tmp_path,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert (tmp_path / "made").read_text() == "x"


@pytest.fixture
def unwritable(tmp_path: Path) -> Path:
    """A folder that cannot be made, because a file has its name."""
    (tmp_path / "file").write_bytes(b"")
    return tmp_path / "file" / "images"


def test_without_a_disk_pictures_are_in_memory(unwritable: Path) -> None:
    """They are made once, too."""
    store, maker = ImageStore(unwritable), Maker()
    assert (store.get(NAME, maker), store.get(NAME, maker), maker.count) == (*[b"picture"] * 2, 1)
    assert store.read(NAME) == b"picture"
    assert store.prune(lambda _: False) == 0


def test_the_memory_is_bounded(unwritable: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The picture that was used longest ago goes."""
    monkeypatch.setattr(app.features.images.store, "MEMORY_BYTES", 20)
    store = ImageStore(unwritable)
    for name in (NAME, OTHER):
        store.get(name, Maker())
    assert store.read(NAME)
    store.get("cc-480.webp", Maker())
    assert (store.read(OTHER), store.read(NAME)) == (None, b"picture")


def test_what_no_longer_belongs_is_deleted_and_other_files_stay(tmp_path: Path) -> None:
    """So are pictures that were never finished."""
    store = ImageStore(tmp_path)
    for name in (NAME, OTHER):
        store.get(name, Maker())
    for name in ("unfinished-x", "notes.txt", ".keep"):
        (tmp_path / name).write_bytes(b"")
    os.utime(tmp_path / "unfinished-x", (0, 0))
    store.prune(lambda name: name == NAME)
    left = {path.name for path in tmp_path.iterdir() if not path.name.startswith(".lock")}
    assert left == {NAME, "notes.txt", ".keep"}
