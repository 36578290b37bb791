"""The bases on disk: opened, made, and thrown away."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Callable
from pathlib import Path
from threading import Barrier, Thread

import pytest
from search_pages import ANALYZER, FixedPages, found, passage, replace_file

from app.platform.artefacts import Artefacts
from indexes.passages.analysis import Analyzer
from indexes.passages.index import PassageFolder, PassageIndex
from indexes.text.words import Vocabulary
from knowledge.documents.site_files import WordLists


def _pages(body: str = "stock counts") -> FixedPages:
    return FixedPages(passage("a", "", "a rollout"), passage("b", "", body))


def _bases(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.is_dir()]


def test_a_base_is_made_once_and_opened_after_that(tmp_path: Path) -> None:
    """Opening cuts no page."""
    folder, progress = PassageFolder(tmp_path / "var" / "index", ANALYZER), []
    assert folder.open(_pages()) is None
    made = folder.make(_pages(), lambda done, total: progress.append((done, total)))
    assert progress == [(1, 2), (2, 2)]
    for opened in (PassageFolder.open, PassageFolder.make):
        pages = _pages()
        again = opened(folder, pages)
        assert again is not None
        assert pages.cut == []
        assert found(again, "counting rollouts") == found(made, "counting rollouts")


def test_a_restart_adds_only_what_differs(tmp_path: Path) -> None:
    """The base stays the same."""
    folder = PassageFolder(tmp_path, ANALYZER)
    folder.make(_pages())
    bases, pages = _bases(tmp_path), _pages("invoices")
    opened = folder.open(pages)
    assert opened is not None
    assert _bases(tmp_path) == bases
    assert pages.cut == ["b"]
    assert found(opened, "invoice") == ["b"]
    assert found(opened, "stock") == []


def test_a_base_that_differs_too_much_is_not_opened(tmp_path: Path) -> None:
    """It would be faster to make a new one."""
    folder = PassageFolder(tmp_path, ANALYZER)
    folder.make(_pages())
    assert folder.open(FixedPages(*(passage(f"new {number}") for number in range(200)))) is None


def test_a_new_base_replaces_the_old_one(tmp_path: Path) -> None:
    """An index that is in use goes on; files of others stay."""
    folder = PassageFolder(tmp_path, ANALYZER)
    old = folder.make(_pages())
    (tmp_path / "notes").mkdir()
    (tmp_path / "unfinished-x").mkdir()
    new = folder.make(_pages("invoices"))
    assert len(_bases(tmp_path)) == 2
    assert (tmp_path / "notes").exists()
    assert (found(old, "stock"), found(new, "invoices")) == (["b"], ["b"])


def test_an_index_of_other_word_lists_is_outdated(tmp_path: Path) -> None:
    """It is not opened, and deleted when the new one is made."""
    PassageFolder(tmp_path, ANALYZER).make(_pages())
    lists = WordLists(groups=(("stock", "goods"),))
    folder = PassageFolder(tmp_path, Analyzer(Vocabulary(lists)))
    assert folder.open(_pages()) is None
    assert found(folder.make(_pages()), "goods") == ["b"]
    assert len(_bases(tmp_path)) == 1


def _flip_bit(base: Path) -> None:
    largest = max((base / "passages").iterdir(), key=lambda path: path.stat().st_size)
    data = bytearray(largest.read_bytes())
    data[len(data) // 2] ^= 1
    replace_file(largest, bytes(data))


def _truncate(base: Path) -> None:
    for path in (base / "words").iterdir():
        replace_file(path, path.read_bytes()[:10])


def _name_other_pages(base: Path) -> None:
    manifest = json.loads((base / "manifest.json").read_text())
    manifest["versions"] = {"a": "other"}
    (base / "manifest.json").write_text(json.dumps(manifest))


def _remove_passages(base: Path) -> None:
    for path in (base / "passages").iterdir():
        path.unlink()


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(_flip_bit, id="a bit flipped"),
        pytest.param(_truncate, id="cut short"),
        pytest.param(_name_other_pages, id="of other pages"),
        pytest.param(_remove_passages, id="files missing"),
        pytest.param(lambda base: (base / "manifest.json").write_text("[]"), id="no manifest"),
        pytest.param(lambda base: (base / "manifest.json").write_bytes(b"\xff{"), id="no JSON"),
        pytest.param(lambda base: (base / "extra").symlink_to(base), id="nothing wrong"),
    ],
)
def test_a_damaged_base_is_made_anew(tmp_path: Path, damage: Callable[[Path], object]) -> None:
    """One with nothing wrong is opened."""
    folder = PassageFolder(tmp_path, ANALYZER)
    folder.make(_pages())
    damage(_bases(tmp_path)[0])
    pages = _pages()
    assert found(folder.make(pages), "stock") == ["b"]
    assert bool(pages.cut) != (_bases(tmp_path)[0] / "extra").exists()
    reopened = folder.open(_pages())
    assert reopened is not None
    assert found(reopened, "stock") == ["b"]


def test_a_folder_that_cannot_be_written_leaves_the_index_in_memory(tmp_path: Path) -> None:
    """Here a file stands in its place."""
    (tmp_path / "index").write_text("")
    folder = PassageFolder(tmp_path / "index", ANALYZER)
    assert folder.open(_pages()) is None
    assert found(folder.make(_pages()), "stock") == ["b"]


def test_of_several_processes_one_makes_the_base(tmp_path: Path) -> None:
    """The others wait for it and open it: threads with locks of their own stand for them."""
    all_pages, made = [_pages() for _ in range(4)], []
    together = Barrier(len(all_pages))

    def make(pages: FixedPages) -> None:
        together.wait()
        made.append(PassageFolder(tmp_path, ANALYZER).make(pages))

    threads = [Thread(target=make, args=(pages,)) for pages in all_pages]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(bool(pages.cut) for pages in all_pages) == 1
    assert all(_finds_stock(index) for index in made)


def _finds_stock(index: PassageIndex) -> bool:
    return found(index, "stock") == ["b"]


def test_waiting_for_another_process_can_be_given_up(tmp_path: Path) -> None:
    """The callback hears of it, and may raise; the lock stays with the other process."""
    folder, waited = PassageFolder(tmp_path, ANALYZER), []

    def give_up(done: int, total: int) -> None:
        waited.append((done, total))
        raise LookupError

    with (tmp_path / ".lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        with pytest.raises(LookupError):
            folder.make(_pages(), give_up)
    assert waited == [(0, 2)]
    assert found(folder.make(_pages()), "rollout") == ["a"]


def test_a_base_that_another_made_meanwhile_counts_for_edited_pages(tmp_path: Path) -> None:
    """Else each edit while the first index is made would make one more."""
    folder, edited = PassageFolder(tmp_path, ANALYZER), _pages("invoices")

    def make_the_other(*_: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)
        folder.make(_pages())

    with (tmp_path / ".lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        index = PassageFolder(tmp_path, ANALYZER).make(edited, make_the_other)
    assert edited.cut == ["b"]
    assert (found(index, "invoices"), len(_bases(tmp_path))) == (["b"], 1)


def test_what_others_fetch_is_the_base_of_exactly_these_pages(tmp_path: Path) -> None:
    """Also if one of similar pages was opened."""
    source, pages = Artefacts(str(tmp_path / "shared")), _pages("invoices")
    folder = PassageFolder(tmp_path / "index", ANALYZER)
    folder.make(_pages())
    folder.put(pages, source)
    same = _pages("invoices")
    fetched = PassageFolder(tmp_path / "other", ANALYZER, source=source).make(same)
    assert (same.cut, found(fetched, "invoices")) == ([], ["b"])
