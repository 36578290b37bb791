"""Text analysis: spelling variants and inflected forms that must, or must not, match."""

from __future__ import annotations

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from indexes.text.analysis import query_terms, stems
from indexes.text.words import Vocabulary, fold
from knowledge.documents.site_files import WordLists

VOCABULARY = Vocabulary()


def matches(one: str, other: str, vocabulary: Vocabulary = VOCABULARY) -> bool:
    """Return whether a query for one word matches a text with the other by stems."""
    text_stems = set(stems(fold(other), vocabulary))
    return all(term.meets(text_stems) for term in query_terms(one, vocabulary))


@cases(
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
        pytest.param("١٥٪", "15%", id="Arabic percent sign"),
        pytest.param("ﻻ", "لا", id="presentation forms"),
        pytest.param("Straße", "STRASSE", id="sharp s"),
        pytest.param("ＥＲＰ", "erp", id="full width"),
        pytest.param("e‑invoice", "e-invoice", id="non-breaking hyphen"),
        pytest.param("company’s", "company's", id="typographic apostrophe"),
        pytest.param("VA\u200bT\u202e", "vat", id="invisible characters"),
        pytest.param("VAT\x00\x07", "vat", id="control characters"),
    ],
)
def test_spellings_of_one_word_fold_to_the_same_text(one: str, other: str) -> None:
    """Keyboard, script and Unicode variants do not matter."""
    assert fold(one) == fold(other)


def test_folding_keeps_different_words_different() -> None:
    """Folding does not stem."""
    assert len({fold(word) for word in ("فاتورة", "فواتير", "VAT", "VATs")}) == 4


@given(st.text(max_size=60))
def test_folding_is_idempotent(text: str) -> None:
    """So the index and the query can fold independently."""
    assert fold(fold(text)) == fold(text)


@cases(
    ("one", "other"),
    [
        pytest.param("invoice", "invoices", id="plural"),
        pytest.param("invoicing", "invoices", id="-ing"),
        pytest.param("invoiced", "invoicing", id="-ed"),
        pytest.param("company", "companies", id="-ies"),
        pytest.param("tax", "taxes", id="-es"),
        pytest.param("company's", "companies", id="possessive"),
        pytest.param("analysis", "analyses", id="irregular plural"),
        pytest.param("centre", "center", id="two spellings"),
        pytest.param("e-invoices", "einvoicing", id="compound and joined"),
        pytest.param("einvoice", "E-Invoicing", id="joined and compound"),
        pytest.param("point-of-sale", "point of sale", id="compound and words"),
        pytest.param("multi-branch", "multi branches", id="compound, its last word inflected"),
        pytest.param("الفاتورة", "فاتورة", id="article"),
        pytest.param("والفاتورة", "فاتورة", id="and the"),
        pytest.param("بالفاتورة", "فاتورة", id="by the"),
        pytest.param("للفاتورة", "الفاتورة", id="for the"),
        pytest.param("وللفاتورة", "فاتورة", id="and for the"),
        pytest.param("كالفاتورة", "فاتورة", id="like the"),
        pytest.param("لفاتورة", "الفاتورة", id="for a"),
        pytest.param("لإدارة", "الإدارة", id="for, before hamza"),
        pytest.param("ونظام", "النظام", id="and a"),
        pytest.param("فاتورتنا", "فاتورة", id="our"),
        pytest.param("فواتيرها", "فواتير", id="her"),
        pytest.param("شركاتهم", "شركة", id="their, of a plural"),
        pytest.param("فواتير", "فاتورة", id="broken plural"),
        pytest.param("والفواتير", "بفاتورة", id="broken plural with particles"),
        pytest.param("الضرائب", "ضريبة", id="broken plural with hamza"),
        pytest.param("المتاجر", "متجر", id="another"),
        pytest.param("موظفين", "الموظفون", id="sound plural in two cases"),
        pytest.param("شركات", "شركة", id="feminine plural"),
        pytest.param(
            "الإلكترونية", "إلكتروني", id="adjective, and a word that starts like an article"
        ),
        pytest.param("الالتزام", "التزام", id="a word that begins like an article"),
        pytest.param("السعودية", "سعودي", id="adjective of a country"),
        pytest.param("الوزارة", "وزارة", id="a first letter that is not the particle and"),
        pytest.param("البرمجيات", "برمجية", id="plural of an adjective"),
        pytest.param("الـERP", "ERP", id="an article before a Latin word"),
        pytest.param("العملات", "عملة", id="a protected word and its plural"),
    ],
)
def test_forms_of_one_word_match(one: str, other: str) -> None:
    """Either may be the query."""
    assert matches(one, other)
    assert matches(other, one)


@cases(
    ("one", "other"),
    [
        pytest.param("business", "busy", id="an ending that is part of the word"),
        pytest.param("universe", "university", id="long words with the same beginning"),
        pytest.param("policy", "police", id="other words"),
        pytest.param("hospital", "hospitality", id="hospital, hospitality"),
        pytest.param("customer", "customs", id="customer, customs"),
        pytest.param("e-invoicing", "e-mail invoicing", id="a letter and a word elsewhere"),
        pytest.param("12.5", "5 boxes of 12", id="digits of a number"),
        pytest.param("بطاقة", "طاقة", id="card, energy"),
        pytest.param("فكرة", "كرة", id="idea, ball"),
        pytest.param("وجهة", "جهة", id="destination, party"),
        pytest.param("كامل", "أمل", id="whole, hope"),
        pytest.param("البحرين", "البحر", id="Bahrain, the sea"),
        pytest.param("عمل", "عملة", id="work, currency"),
        pytest.param("مكتب", "مكتبة", id="office, library"),
        pytest.param("كاتب", "كتاب", id="writer, book"),
        pytest.param("قطر", "قطار", id="Qatar, train"),
        pytest.param("ميزان", "ميزة", id="scales, advantage"),
        pytest.param("عام", "عمان", id="year, Oman"),
    ],
)
def test_different_words_do_not_match(one: str, other: str) -> None:
    """One may contain the letters of the other, but the stems differ."""
    assert not matches(one, other)
    assert not matches(other, one)


def test_an_operators_words_match_and_leave_their_built_in_group() -> None:
    """A word alone on a line has no synonyms."""
    lists = WordLists(groups=(("till", "counter"), ("فواتير",)))
    assert matches("tills", "counter", Vocabulary(lists))
    assert not matches("till", "counter")
    assert not matches("فواتير", "فاتورة", Vocabulary(lists))


@cases("query", ["", " ", "*", "? !", "🎉", "--", "\u064b", "ـ", "\x00", "❤️"])
def test_a_query_without_letters_and_digits_has_no_terms(query: str) -> None:
    """They find nothing rather than everything."""
    assert query_terms(query, VOCABULARY) == ()


@given(st.text(max_size=60))
def test_any_query_has_folded_terms(query: str) -> None:
    """No term is empty or contains whitespace."""
    terms = query_terms(query, VOCABULARY)
    assert all(term.letters and not set(term.letters) & set(" \t\n") for term in terms)
