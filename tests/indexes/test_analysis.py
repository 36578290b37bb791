"""The form in which texts and queries meet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexes.analysis import fold, terms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("ERP", "erp", id="case"),
        pytest.param("Café", "cafe", id="accents"),
        pytest.param("أحمد", "احمد", id="hamza above"),
        pytest.param("إدارة", "اداره", id="hamza below, ta marbuta"),
        pytest.param("آلة", "اله", id="madda"),
        pytest.param("مستشفى", "مستشفي", id="alef maqsura"),
        pytest.param("مسؤول", "مسوول", id="hamza on waw"),
        pytest.param("فَاتُورَةٌ", "فاتوره", id="vowel signs"),
        pytest.param("فـــاتورة", "فاتورة", id="tatweel"),
        pytest.param("کی", "كي", id="Persian letters"),
        pytest.param("٢٠٢٦", "2026", id="Arabic digits"),
        pytest.param("۲۰۲۶", "2026", id="Persian digits"),
        pytest.param("ﻻ", "لا", id="presentation forms"),
        pytest.param("Straße", "STRASSE", id="sharp s"),
        pytest.param("ＥＲＰ", "erp", id="full width"),
    ],
)
def test_spellings_of_one_word_meet(one: str, other: str) -> None:
    """Whatever the keyboard."""
    assert fold(one) == fold(other)


def test_different_words_stay_apart() -> None:
    """Folding is no stemming."""
    assert len({fold(word) for word in ("فاتورة", "فواتير", "VAT", "VATs")}) == 4


@given(st.text(max_size=60))
def test_folding_twice_is_folding_once(text: str) -> None:
    """An index and a query may fold independently."""
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize("query", ["", " ", "*", "? !", "🎉", "--", "\u064b", "ـ"])
def test_some_queries_hold_nothing_to_search_for(query: str) -> None:
    """They find nothing rather than everything."""
    assert terms(query) == ()


@given(st.text(max_size=60))
def test_any_query_has_folded_terms(query: str) -> None:
    """None is empty, and none holds a blank."""
    assert all(term and not set(term) & set(" \t\n") for term in terms(query))
