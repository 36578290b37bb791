"""Questions that mix the languages: what one language lacks, the other one of the country has."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from cases import cases
from contract.visitor import Visitor
from mcp_calls import call

BROWSER = {"Accept": "text/html"}

MIXED = [
    ("WhatsApp الكويت", None, "kw/en", "WhatsApp"),
    ("WhatsApp الكويت", "ar", "kw/en", "WhatsApp"),
    ("Growth price الكويت", None, "kw/en", "Growth"),
    ("ما هو Starter", None, "ae/en", "Starter"),
    ("وش هو Growth", "ar", "ae/en", "Growth"),
    ("سعر Growth", "ar", "ae/en", "Growth"),
    ("الضمان warranty", "en", "ae/en", "arranty"),
    ("الفواتير", "en", "ae/ar", "فواتير"),
    ("Kuwait واتساب", "en", "kw/ar", "واتساب"),
    ("kam s3r el barnamej", None, "ae/ar", "برامج"),
    ("kam s3r el barnamej", "en", "ae/ar", "برامج"),
    ("s3r", "en", "ae/ar", "أسعار"),
    ("moddat el daman", "en", "ae/ar", "ضمان"),
    ("opening hours", "ar", "ae/en", "ours"),
    ("el office phone", "en", "ae/en", "hone"),
]


def asked(visitor: Visitor, query: str, lang: str | None) -> Any:
    """Return the answer of the API."""
    given = {"q": query, "lang": lang} if lang else {"q": query}
    return visitor.get(f"/api/public/v1/search?{urlencode(given)}").json


@cases(("query", "lang", "locale", "word"), MIXED)
def test_a_question_finds_in_the_language_that_has_its_rarest_word(
    sample: Visitor, query: str, lang: str | None, locale: str, word: str
) -> None:
    """Whatever language it is asked in; nothing is said to be missing."""
    answer = asked(sample, query, lang)
    best = answer["items"][0]
    assert best["page"]["path"].startswith(f"/{locale}")
    assert best["page"]["language"] == locale[3:]
    assert word in f"{best['page']['title']} {best['section']['path']} {best['text']}"
    assert "notFound" not in answer
    given = {"query": query} | ({"lang": lang} if lang else {})
    for name, found in (("search", "results"), ("find_passages", "passages")):
        result = call(sample, name, **given)
        assert result[found][0]["id"].startswith(f"/{locale}"), name
        assert "notFound" not in result
        assert "anywhere" not in result.get("note", "")


@cases(
    ("query", "own", "other"),
    [
        pytest.param(query, own, other, id=f"{query} in {own}")
        for query, own, other in (
            ("WhatsApp الكويت", "kw/ar", "kw/en"),
            ("سعر Growth", "ae/ar", "ae/en"),
            ("kam s3r el barnamej", "sa/en", "sa/ar"),
            ("online الحجز", "ae/en", "ae/ar"),
        )
    ],
)
def test_the_search_page_offers_the_other_language(
    sample: Visitor, query: str, own: str, other: str
) -> None:
    """Also above what its own language has of the question."""
    path = f"/{own}/search?{urlencode({'q': query})}"
    html = sample.get(path, BROWSER).text
    above, _, card = html.partition('<div class="card elsewhere">')
    assert '<article class="found">' not in above
    assert f'href="/{other}/' in card.partition("</div>")[0]
    found = sample.get(path.replace("?", ".json?")).json
    assert found["otherLanguage"]["path"] == f"/{other}/search"
    assert "notFound" not in found


def test_what_no_language_has_is_told(sample: Visitor) -> None:
    """Of the words of a question, these alone."""
    assert asked(sample, "Salesforce واتساب Growth", None)["notFound"] == ["Salesforce"]
    assert asked(sample, "Salesforce vs Growth", None)["notFound"] == ["Salesforce"]


def test_arabic_in_latin_letters_is_read_in_any_language(sample: Visitor) -> None:
    """Of 20 questions that are asked for English pages, at least 18 find Arabic ones."""
    file = Path(__file__).with_name("latin_letters.json")
    questions = [each["text"] for each in json.loads(file.read_text(encoding="utf-8"))]
    found = {each: asked(sample, each, "en")["items"] for each in questions}
    misses = [
        text for text, items in found.items() if not items or items[0]["page"]["language"] != "ar"
    ]
    assert len(questions) == 20
    assert len(misses) <= 2, misses
