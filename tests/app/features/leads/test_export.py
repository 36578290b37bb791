"""Export of leads: complete, and safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime
from io import StringIO
from time import process_time

import pytest
from cases import cases
from gulf import COUNTRIES, SLUGS

from app.console.output import escaped
from app.features.leads.exports import FIELDS, FORMATS, csv_head, csv_line, json_line
from app.features.leads.model import StoredLead
from app.features.leads.submission import validate_lead

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def stored(**fields: str) -> StoredLead:
    """Return a stored lead with these fields."""
    lead = validate_lead({"email": "noor@example.test", **fields}, SLUGS)
    return StoredLead("id-1", AT, False, lead.phone_e164(COUNTRIES[0]), lead)


def row(lead: StoredLead) -> dict[str, str]:
    """Return a lead as a CSV reader parses it."""
    return next(csv.DictReader(StringIO(csv_head() + csv_line(lead), newline="")))


def test_the_columns_are_the_apis_fields() -> None:
    """Plus the fields that the service adds."""
    assert ",".join(FIELDS) == (
        "id,receivedAt,quarantined,email,name,phone,company,topic,message,sourcePage,source,"
        "productService,countryCode,localeCountry,localeLang,page,"
        "utm_source,utm_medium,utm_campaign,utm_term,utm_content,subject,phoneE164,form,answers,products"
    )


@cases(
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
    """Whatever characters it has."""
    assert row(stored(message=text))["message"] == text


@cases(
    "text",
    ["=1+1", '=HYPERLINK("http://x")', "+1", "-1", "@SUM(A1)", " =1", "＝1"],
)
def test_a_formula_is_only_a_text_in_csv(text: str) -> None:
    """It gets an apostrophe in CSV; JSON has the original text."""
    sign = text.lstrip()
    escaped = text.removesuffix(sign) + f"'{sign}"
    assert row(stored(message=text))["message"] == escaped
    assert json.loads(json_line(stored(message=text)))["message"] == text


@cases(
    ("text", "escaped"),
    [
        pytest.param("Hello;=1+1", "Hello;'=1+1", id="semicolon"),
        pytest.param("Hello,=1+1", "Hello,'=1+1", id="comma"),
        pytest.param("Hello\t@SUM(A1)", "Hello\t'@SUM(A1)", id="tab"),
        pytest.param("Hello\n-1", "Hello\n'-1", id="line"),
        pytest.param("Hello\r+1", "Hello\r'+1", id="carriage return"),
        pytest.param("a; =1;=2", "a; '=1;'=2", id="twice, once behind a blank"),
        pytest.param('a;"=1', "a;\"'=1", id="behind a quote, as quotes are doubled"),
        pytest.param("\t=1", "'\t'=1", id="tab at the beginning"),
        pytest.param("\r=1", "'\r'=1", id="carriage return at the beginning"),
        pytest.param("\n=1", "'\n'=1", id="line at the beginning"),
        pytest.param("\tx", "'\tx", id="tab alone"),
        pytest.param("2 + 2 = 4; a-b, c@d", "2 + 2 = 4; a-b, c@d", id="signs elsewhere"),
    ],
)
def test_a_cell_that_is_split_makes_no_formula_either(text: str, escaped: str) -> None:
    """Spreadsheets of some locales split cells at semicolons, even within quotes."""
    assert row(stored(message=text))["message"] == escaped


def test_a_csv_file_says_that_it_is_utf_8() -> None:
    """Without it, Excel garbles Arabic."""
    head, _ = FORMATS["csv"]
    assert head == "\ufeff" + csv_head()
    assert FORMATS["jsonl"][0] == ""


def test_escaping_takes_linear_time() -> None:
    """Even for long runs of separators; measured in CPU time with wide bounds."""

    def seconds(size: int) -> float:
        started = process_time()
        for _ in range(10):
            escaped("\n" * size)
        return process_time() - started

    seconds(10_000)
    assert seconds(200_000) < 100 * max(seconds(10_000), 0.001)


def test_what_was_not_sent_is_empty_in_csv_and_absent_in_json() -> None:
    """Not the word “None”."""
    assert row(stored())["company"] == ""
    assert json.loads(json_line(stored())) == {
        "id": "id-1",
        "receivedAt": "2026-11-20T12:00:00.000+00:00",
        "quarantined": False,
        "email": "noor@example.test",
    }


def test_json_lines_are_lines() -> None:
    """One line per lead, even if the message has line breaks."""
    assert json_line(stored(message="a\nb\u2028c")).count("\n") == 1


def test_the_phone_number_is_exported_as_sent_and_as_e164() -> None:
    """The local number is one of the country that the lead names."""
    written = json.loads(json_line(stored(phone="050 123 4567", countryCode="AE")))
    assert (written["phone"], written["phoneE164"]) == ("050 123 4567", "+971501234567")
