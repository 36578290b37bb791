"""Building the index of many texts in a subprocess."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from conftest import ViewOf
from gulf import DEFAULT_LOCALE

from indexes.apart import index_made_apart
from indexes.breath import hold_no_breath
from indexes.catalogue import index_of
from indexes.memory import opened
from indexes.search import first_index
from indexes.vocabulary import Vocabulary
from knowledge.word_lists import WordLists

TEXTS = [("vat in oman", "e-invoicing at 15%"), ("فاتوره", "المرحله الثانيه"), ("", "stock")]
LISTS = WordLists(groups=(("stock", "goods"),), protected=("rates",), initial_root_letters=("وقف",))


def test_the_subprocess_builds_the_same_index() -> None:
    """All postings are equal; the subprocess uses the operator's word lists too."""
    in_process = opened(index_of(TEXTS, Vocabulary(LISTS)))
    in_subprocess = opened(index_made_apart(TEXTS, Vocabulary(LISTS), hold_no_breath))
    assert [*in_subprocess.all_terms()] == [*in_process.all_terms()]
    for field, word in in_process.all_terms():
        expected = [*in_process.postings(field, word).counted()]
        assert [*in_subprocess.postings(field, word).counted()] == expected


def test_cancelling_kills_the_subprocess() -> None:
    """The exception of the callback is passed on."""

    class Cancelled(Exception):
        """Raised by the first call of the callback."""

    def cancel() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        index_made_apart(TEXTS, Vocabulary(), cancel)


def test_the_index_is_built_in_process_if_no_subprocess_can_start(
    view_of: ViewOf, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Requests are slower meanwhile, but search works."""
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-python"))
    files = {f"posts/p{number}.md": f"---\ntitle: Post {number}\n---\nx" for number in range(600)}
    index = first_index(view_of(dict(files)).snapshot)
    compacted = index.resting_on(index.new_catalogues())
    assert compacted.is_settled
    assert len(compacted.find(DEFAULT_LOCALE, "post")) == 600
