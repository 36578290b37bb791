"""What the sample's word list, prices and pages contribute to the passage search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cases import cases
from conftest import locale_of
from retrieval.sample_search import SampleSearch


@cases(
    ("locale", "query", "word"),
    [
        pytest.param("sa/ar", "ZATCA", "هيئة الزكاة والضريبة والجمارك", id="a phrase"),
        pytest.param("sa/ar", "زاتكا", "هيئة الزكاة والضريبة والجمارك", id="its sound"),
        pytest.param("om/ar", "point of sale", "نقاط البيع", id="a phrase in another script"),
        pytest.param("om/ar", "كفالة", "ضمان", id="an Arabic word"),
        pytest.param("om/en", "guarantee", "warranty", id="an English word"),
        pytest.param("qa/ar", "شفتات", "المناوبات", id="a word of the Gulf in the plural"),
    ],
)
def test_a_word_finds_its_synonyms(
    search: SampleSearch, locale: str, query: str, word: str
) -> None:
    """From `_synonyms.txt`."""
    found = search.find(query, locale_of(locale), 5)
    assert any(word in f"{each.page.title} {each.headings} {each.text}" for each in found)


@cases(
    ("locale", "query"),
    [
        pytest.param("om/ar", "طابعة الملصقات بالريال العماني", id="rials"),
        pytest.param("kw/ar", "كم دينار كويتي طابعة الملصقات", id="dinars"),
        pytest.param("ae/en", "label printer dirhams", id="dirhams"),
    ],
)
def test_a_price_is_found_by_the_name_of_its_currency(
    search: SampleSearch, locale: str, query: str
) -> None:
    """The page shows its sign."""
    first = search.find(query, locale_of(locale), 1)[0]
    assert first.page.address.slug == "printer-label-4"
    assert "**Price**" in first.text or "**السعر**" in first.text


@pytest.mark.parametrize(
    ("locale", "query"), [("ae/en", "Related articles"), ("ae/ar", "مقالات ذات صلة")]
)
def test_the_links_below_a_post_are_no_passage(
    search: SampleSearch, locale: str, query: str
) -> None:
    """Nor is their heading."""
    found = search.find(query, locale_of(locale), 20)
    assert found
    for passage in found:
        assert query not in passage.text
        assert query not in passage.headings


@cases(
    ("locale", "query", "pages"),
    [
        pytest.param("ae/en", "demo", ("faqs", "contact", "pricing"), id="demo"),
        pytest.param("ae/en", "plan prices", ("pricing",), id="prices"),
        pytest.param("ae/en", "subscription fee", ("pricing",), id="fee"),
        pytest.param("ae/ar", "كلفة الاشتراك", ("pricing",), id="fee in Arabic"),
        pytest.param("om/en", "plans in Oman", ("pricing",), id="plans in a country"),
        pytest.param("qa/en", "prices in Qatar", ("pricing",), id="prices in a country"),
        pytest.param("sa/ar", "أسعار الباقات في السعودية", ("pricing",), id="plans in Arabic"),
        pytest.param(
            "ae/ar", "كم يكلف قارئ الباركود", ("scanner-handheld-2d",), id="cost as a verb"
        ),
        pytest.param("ae/ar", "ترجيع الجهاز", ("faqs", "support"), id="refund in Arabic"),
        pytest.param("ae/ar", "تقييمات العملاء", ("testimonials",), id="reviews in Arabic"),
        pytest.param("ae/ar", "بكام طابعة الملصقات", ("printer-label-4",), id="Egypt"),
        pytest.param("ae/ar", "شو رقم الموبايل", ("contact",), id="Levant"),
        pytest.param("ae/ar", "الجهاز خربان شو اسوي", ("support",), id="Gulf"),
    ],
)
def test_the_first_passage_has_what_is_wanted(
    search: SampleSearch, locale: str, query: str, pages: tuple[str, ...]
) -> None:
    """Its page is one of those that answer; asked in words of intent and of dialects."""
    path = search.find(query, locale_of(locale), 1)[0].page.path
    assert path.rpartition("/")[2] in pages


def test_arabic_in_latin_letters_finds_its_pages(search: SampleSearch) -> None:
    """Of 20 questions, at least 18 find a page that answers among the first five passages."""
    file = Path(__file__).with_name("latin_letters.json")
    questions = json.loads(file.read_text(encoding="utf-8"))
    misses = [
        question["text"]
        for question in questions
        if not any(
            passage.page.path.removeprefix("/ae/ar").startswith(tuple(question["pages"]))
            for passage in search.find(question["text"], locale_of("ae/ar"), 5)
        )
    ]
    assert len(questions) == 20
    assert len(misses) <= 2, misses
