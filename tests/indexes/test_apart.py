"""The index of many texts is made in a process of its own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from conftest import ViewOf

from indexes.apart import index_made_apart
from indexes.breath import hold_no_breath
from indexes.catalogue import index_of
from indexes.memory import opened
from indexes.search import first_index
from indexes.vocabulary import Vocabulary
from knowledge.locale import DEFAULT_LOCALE
from knowledge.word_lists import WordLists

TEXTS = [("vat in oman", "e-invoicing at 15%"), ("فاتوره", "المرحله الثانيه"), ("", "stock")]
LISTS = WordLists(groups=(("stock", "goods"),), protected=("rates",), initial_root_letters=("وقف",))


def test_what_is_made_apart_is_what_is_made_here() -> None:
    """Every word of every field, and where it stands; the operator's words are known there."""
    here = opened(index_of(TEXTS, Vocabulary(LISTS)))
    there = opened(index_made_apart(TEXTS, Vocabulary(LISTS), hold_no_breath))
    assert [*there.all_terms()] == [*here.all_terms()]
    for field, word in here.all_terms():
        found = [[*each.postings(field, word).counted()] for each in (here, there)]
        assert found[0] == found[1]


def test_giving_up_ends_the_process() -> None:
    """Nobody waits for it any longer."""

    class GivenUp(Exception):
        """Raised on the first breath."""

    def give_up() -> None:
        raise GivenUp

    with pytest.raises(GivenUp):
        index_made_apart(TEXTS, Vocabulary(), give_up)


def test_where_no_process_can_be_started_the_index_is_made_all_the_same(
    view_of: ViewOf, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Among the readers, which is slower for them."""
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-python"))
    files = {f"posts/p{number}.md": f"---\ntitle: Post {number}\n---\nx" for number in range(600)}
    index = first_index(view_of(dict(files)).snapshot)
    settled = index.resting_on(index.new_catalogues())
    assert settled.is_settled
    assert len(settled.find(DEFAULT_LOCALE, "post")) == 600
