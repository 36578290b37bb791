"""Leads as they are taken away: whole, and harmless in a spreadsheet."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime
from io import StringIO

import pytest

from app.leads.export import FIELDS, csv_head, csv_line, json_line
from app.leads.reading import read_lead
from app.leads.store import StoredLead

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def stored(**fields: str) -> StoredLead:
    """A lead in the store."""
    lead = read_lead({"email": "noor@example.test", **fields})
    return StoredLead("id-1", AT, False, lead.phone_e164, lead)


def row(lead: StoredLead) -> dict[str, str]:
    """What a CSV reader makes of it."""
    return next(csv.DictReader(StringIO(csv_head() + csv_line(lead), newline="")))


def test_the_columns_are_the_apis_fields() -> None:
    """With what the service adds at both ends."""
    assert ",".join(FIELDS) == (
        "id,receivedAt,quarantined,email,name,phone,company,topic,message,sourcePage,source,"
        "productService,countryCode,localeCountry,localeLang,phoneE164"
    )


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Noor", id="plain"),
        pytest.param('a "quoted", text; with\r\nlines', id="quotes, commas, lines"),
        pytest.param("نور السويدي 🌴", id="Arabic"),
        pytest.param("a=1", id="an equals sign inside"),
        pytest.param("'quoted", id="an apostrophe"),
    ],
)
def test_a_text_comes_out_of_csv_as_it_went_in(text: str) -> None:
    """Whatever is in it."""
    assert row(stored(message=text))["message"] == text


@pytest.mark.parametrize(
    "text",
    ["=1+1", '=HYPERLINK("http://x")', "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1"],
)
def test_a_formula_is_only_a_text_in_csv(text: str) -> None:
    """An apostrophe stands before it; JSON has it as it was sent."""
    assert row(stored(message=text))["message"] == f"'{text}"
    assert json.loads(json_line(stored(message=text)))["message"] == text


def test_what_was_not_sent_is_empty_in_csv_and_absent_in_json() -> None:
    """Nobody reads “None”."""
    assert row(stored())["company"] == ""
    assert json.loads(json_line(stored())) == {
        "id": "id-1",
        "receivedAt": "2026-11-20T12:00:00.000+00:00",
        "quarantined": False,
        "email": "noor@example.test",
    }


def test_json_lines_are_lines() -> None:
    """One each, whatever the message has."""
    assert json_line(stored(message="a\nb\u2028c")).count("\n") == 1


def test_the_number_to_dial_stands_beside_the_one_that_was_written() -> None:
    """As both are wanted."""
    written = json.loads(json_line(stored(phone="050 123 4567", countryCode="AE")))
    assert (written["phone"], written["phoneE164"]) == ("050 123 4567", "+971501234567")
