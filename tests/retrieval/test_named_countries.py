"""Countries that questions name: which one is answered for, and the note that tells of others."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from cases import cases
from contract.visitor import Visitor
from mcp_calls import call

BROWSER = {"Accept": "text/html"}


def asked(visitor: Visitor, **given: str) -> Any:
    """Return the answer of the API."""
    return visitor.get(f"/api/public/v1/search?{urlencode(given)}").json


@cases(
    ("query", "country", "names"),
    [
        ("Growth price in Saudi Arabia and Qatar", "sa", ("Saudi Arabia", "Qatar")),
        ("VAT: Oman or the Kingdom?", "om", ("Oman", "Saudi Arabia")),
        ("offices in Nizwa and Khobar", "om", ("Oman", "Saudi Arabia")),
        ("Quatar vs Bahrein prices", "qa", ("Qatar", "Bahrain")),
        ("السعر في قطر والكويت", "qa", ("قطر", "الكويت")),
        ("price in KWD for a shop in Saudia", "sa", ("Saudi Arabia", "Kuwait")),
    ],
)
def test_of_several_countries_the_first_is_answered_for(
    sample: Visitor, query: str, country: str, names: tuple[str, str]
) -> None:
    """The note names all, so that an agent asks for the others; never is it silently a third."""
    answer = asked(sample, q=query)
    assert answer["assumed"] == f"{country}, named in the question"
    assert {each["page"]["country"] for each in answer["items"]} == {country}
    for name in ("search", "find_passages"):
        found = call(sample, name, query=query)
        assert found["assumed"] == answer["assumed"]
        for note in (found["note"], answer["note"]):
            assert all(each in note for each in names), note
            assert "once for each" in note or "عن كل دولة مرة" in note


@cases(
    ("query", "country"),
    [
        ("Bahrein VAT", "bh"),
        ("Quatar price", "qa"),
        ("price of Growth, Saudia", "sa"),
        ("kuwayt office", "kw"),
        ("VAT in KSA", "sa"),
        ("VAT in the Kingdom", "sa"),
        ("VAT in the Sultanate", "om"),
        ("الضريبة في المملكة", "sa"),
        ("ضريبة السلطنة", "om"),
        ("phone +965", "kw"),
        ("office in Nizwa", "om"),
        ("Khobar office", "sa"),
        ("opening hours Mecca", "sa"),
        ("s3r el barnamej fel so3odia", "sa"),
    ],
)
def test_one_country_by_any_of_its_names(sample: Visitor, query: str, country: str) -> None:
    """Its pages alone are found, without a note on countries."""
    answer = asked(sample, q=query)
    assert answer["assumed"] == f"{country}, named in the question"
    assert {each["page"]["country"] for each in answer["items"]} == {country}
    found = call(sample, "search", query=query)
    assert {each["id"][1:3] for each in found["results"]} == {country}
    assert "names" not in answer.get("note", "") + found.get("note", "")


def test_what_is_no_country_of_the_site_is_told(sample: Visitor) -> None:
    """The default is assumed, and said to be; a country without pages is named."""
    for query, country in (
        ("price in Germany", "Germany"),
        ("price in Narnia", None),
        ("Do you have an office in Casablanca, or in Turin?", "Morocco"),
    ):
        answer, called = asked(sample, q=query), call(sample, "search", query=query)
        assert answer["assumed"] == called["assumed"] == "ae, the default"
        note = f"This site has no pages for {country}; this is for United Arab Emirates."
        for found in (answer, called):
            assert (note in found.get("note", "")) == bool(country), found.get("note")
    path = f"/ae/ar/search?{urlencode({'q': 'السعر في ألمانيا'})}"
    assert "لا توجد في هذا الموقع صفحات تخص ألمانيا" in sample.get(path, BROWSER).text
    assert "no pages" not in asked(sample, q="from Qatar to Germany").get("note", "")


def test_the_excerpt_is_the_row_of_the_country_that_is_asked_for(sample: Visitor) -> None:
    """Not the first row of the table."""
    for country, row in (("Saudi Arabia", "15%"), ("Bahrain", "10%")):
        found = call(sample, "search", query=f"VAT in {country}")["results"]
        texts = [each["text"] for each in found if country in each["text"] and "%" in each["text"]]
        assert texts
        assert all(row in text for text in texts), texts


def test_a_country_beside_the_one_that_is_asked_for_is_told(sample: Visitor) -> None:
    """In each form, also on the search page of another country."""
    note = "The question names Kuwait; this is for Oman. Ask once for each."
    assert asked(sample, q="Growth price in Kuwait", country="om")["note"] == note
    called = call(sample, "search", query="Growth price in Kuwait", country="om", lang="en")
    assert called["note"] == note
    path = f"/om/en/search?{urlencode({'q': 'Growth price in Kuwait'})}"
    assert note in sample.get(path, BROWSER).text
    assert note in sample.get(path, {"Accept": "text/markdown"}).text
