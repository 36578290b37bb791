"""Ranking by meaning: vectors of texts in one file, made in the background."""

from __future__ import annotations

import fcntl
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from cases import cases
from meanings import meaning_in
from search_pages import ANALYZER, READER, FixedPages, passage

from indexes.bases import no_progress
from indexes.passages.index import PassageIndex, Writing, index_of
from indexes.passages.meaning import VectorMeaning

BODIES = {
    "refund": "Send a device back within fourteen days and what it has cost is paid back.",
    "hours": "The office in Riyadh is staffed from Sunday to Thursday, from eight to five.",
    "demo": "A consultant shows you the whole system with your own data before you buy.",
}
PASSAGES = [passage(page, page, f"Wahat: {body}") for page, body in BODIES.items()]
PAGES = FixedPages(*PASSAGES)
RECORD = 8 + 512
"""Bytes of a vector with its name; a passage has one of its body and one of its title."""


def index_with(meaning: VectorMeaning, pages: FixedPages = PAGES) -> PassageIndex:
    """Index pages, to be ranked by their meaning too."""
    return index_of(Writing(pages, ANALYZER, no_progress).write(None, None), ANALYZER, meaning)


def order(index: PassageIndex, query: str) -> Sequence[str]:
    """Return the pages found, best first."""
    return [hit.page for hit in index.find(query, READER, 5).hits]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the vectors of the pages."""
    folder = tmp_path_factory.mktemp("meaning")
    meaning_in(folder).complete(PAGES, no_progress)
    return folder


@cases(
    ("query", "page"),
    [
        ("can I get my money returned by Wahat", "refund"),
        ("هل أسترد النقود من Wahat إذا أعدت الجهاز؟", "refund"),
        ("opening times of Wahat", "hours"),
        ("Wahat presentation", "demo"),
    ],
)
def test_what_words_do_not_tell_meaning_does(folder: Path, query: str, page: str) -> None:
    """In either language, also beside a word that all passages have."""
    assert order(index_with(meaning_in(folder)), query)[0] == page


def test_meaning_finds_what_has_no_word_of_the_question(folder: Path) -> None:
    """But not what is far from it, and nothing beside a phrase in quotes."""
    index = index_with(meaning_in(folder))
    assert order(index, "reimbursement")[0] == "refund"
    assert order(index, "photosynthesis of algae") == []
    assert order(index, '"reimbursement"') == []


def test_meaning_finds_only_what_the_visitor_may_see(folder: Path) -> None:
    """However near others are."""
    hidden = [replace(each, audience=frozenset({"sa/ar"})) for each in PASSAGES]
    assert order(index_with(meaning_in(folder), FixedPages(*hidden)), "reimbursement") == []


def test_closeness_adds_to_relevance_as_far_as_it_is_known(folder: Path, tmp_path: Path) -> None:
    """What is far in meaning is less likely to answer than its words alone say."""
    by_words, by_meaning = (index_with(meaning_in(each)) for each in (tmp_path, folder))

    def gain(query: str) -> float:
        results = [index.find(query, READER, 5) for index in (by_words, by_meaning)]
        return results[1].relevance - results[0].relevance

    assert gain("do I get my money back when I return a device?") > 0
    assert gain("device football") < 0


def test_a_text_without_a_vector_ranks_by_its_words(folder: Path) -> None:
    """It neither gains nor loses by what the others have."""
    meaning = meaning_in(folder)
    new = passage("new", "new", "Wahat: parking places")
    index = index_with(meaning, FixedPages(*PASSAGES, new))
    assert order(index, "parking at Wahat")[0] == "new"


def test_an_edit_needs_only_the_vectors_of_new_texts(tmp_path: Path) -> None:
    """Pages that did not change are not cut again, nor is anything after a restart."""
    meaning, cut = meaning_in(tmp_path), []
    meaning.complete(PAGES, no_progress)
    size = _size(tmp_path)
    edited = FixedPages(*PASSAGES[1:], passage("refund", "refund", "Wahat refunds nothing."))
    assert not meaning.covers(edited)
    meaning.complete(edited, lambda done, total: cut.append((done, total)))
    assert edited.cut == ["refund"]
    assert cut[-1] == (1, 1)
    assert meaning.covers(edited)
    assert _size(tmp_path) - size == RECORD
    restarted = meaning_in(tmp_path)
    edited.cut.clear()
    restarted.complete(edited, no_progress)
    assert restarted.covers(edited)
    assert edited.cut == []


def test_one_process_makes_vectors_and_the_others_read_them(tmp_path: Path) -> None:
    """Those do not wait."""
    one, other = meaning_in(tmp_path), meaning_in(tmp_path)
    with (tmp_path / ".lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        other.complete(PAGES, no_progress)
    assert not other.covers(PAGES)
    one.complete(PAGES, no_progress)
    other.complete(PAGES, no_progress)
    assert other.covers(PAGES)
    assert order(index_with(other), "can I get my money returned by Wahat")[0] == "refund"


def test_an_abandoned_or_torn_file_is_completed(tmp_path: Path) -> None:
    """As after a stop, or a power failure in the middle of a record."""

    def stop(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        meaning_in(tmp_path).complete(PAGES, stop)
    with meaning_in(tmp_path)._file._path.open("ab") as opened:
        opened.write(b"torn")
    meaning = meaning_in(tmp_path)
    meaning.complete(PAGES, no_progress)
    assert _size(tmp_path) == RECORD * 6
    assert order(index_with(meaning), "can I get my money returned by Wahat")[0] == "refund"


def test_vectors_of_texts_that_are_gone_are_dropped(tmp_path: Path) -> None:
    """At a start, once they are most of the file."""
    old = FixedPages(*(passage(f"p{number}", "", f"text {number}") for number in range(9)))
    meaning_in(tmp_path).complete(old, no_progress)
    meaning = meaning_in(tmp_path)
    meaning.complete(PAGES, no_progress)
    assert _size(tmp_path) == RECORD * 6
    assert order(index_with(meaning), "can I get my money returned by Wahat")[0] == "refund"


def test_a_folder_that_cannot_be_written_leaves_the_order_to_the_words(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It is told, and the pages count as covered, so that nobody tries again and again."""
    meaning = meaning_in(tmp_path)
    meaning._file._path.mkdir()
    meaning.complete(PAGES, no_progress)
    assert meaning.covers(PAGES)
    assert caplog.text.count("Words alone rank new texts") == 1
    assert {*order(index_with(meaning), "Wahat")} == {*BODIES}


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("*.vectors"))
