"""Documents that are somewhere: an event at a hotel in another country than its readers."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from conftest import Visit
from contract.visitor import Visitor
from gulf import write_site

from knowledge.checks.content_linter import check_content
from knowledge.snapshot.loading import load_content

HTML = {"Accept": "text/html"}
SITE: dict[str, str | bytes] = {
    "_kinds/hotels.md": "---\nsingular: { en: Hotel, ar: فندق }\n"
    "plural: { en: Hotels, ar: فنادق }\nfields:\n  address: { type: address }\n---\n",
    "_kinds/evenings.md": """---
singular: { en: Evening, ar: أمسية }
plural: { en: Evenings, ar: أمسيات }
date: startsAt
fields:
  startsAt: { type: date, label: { en: Starts, ar: تبدأ }, show: card }
  hotels: { type: reference, to: hotels, many: true }
  price: { type: offer, vat: true, label: { en: Price, ar: السعر }, show: card }
  extra: { type: money, vat: true, label: { en: Extra, ar: إضافة } }
  bar: { type: hours }
  seats:
    type: records
    fields: { row: { type: text }, fee: { type: money, vat: true }, since: { type: date } }
---
""",
    "hotels/muscat.md": "---\ntitle: Muscat\naddress: { city: Muscat, country: om }\n---\nText.\n",
    "hotels/doha.md": "---\ntitle: Doha\naddress: { city: Doha, country: qa }\n---\nText.\n",
    **{
        f"evenings/{name}.md": f"""---
title: {name}
startsAt: 2099-12-10T20:00:00+04:00
hotels: [{hotels}]
price: {{ amount: {{ QAR: 100, OMR: 10 }}, per: night }}
extra: {{ QAR: 20, OMR: 2 }}
bar: {{ days: {{ monday: "18:00-23:00" }} }}
seats: [{{ row: A, fee: {{ QAR: 10, OMR: 1 }}, since: 2099-12-10T19:30:00+04:00 }}]
---
Text.
"""
        for name, hotels in {"oud": "muscat", "tent": "doha", "both": "muscat, doha"}.items()
    },
    "countries/om.md": "---\nvatRate: 5\nprices: inclusive\n---\n",
    "countries/qa.md": "---\nvatRate: 0\n---\n",
}


@pytest.fixture(name="site")
def _site(shared_visit: Visit) -> Visitor:
    return shared_visit(SITE)


@pytest.mark.parametrize(
    ("path", "price", "extra"),
    [
        ("/om/en/evenings/oud", "OMR 10.500 per night incl. 5% VAT", "OMR 2.100 incl. 5% VAT"),
        ("/qa/en/evenings/oud", "QAR 105.00 per night incl. 5% VAT", "QAR 21.00 incl. 5% VAT"),
        ("/om/en/evenings/tent", "OMR 10.000 per night, no VAT", "OMR 2.000, no VAT"),
        ("/qa/en/evenings/tent", "QAR 100.00 per night, no VAT", "QAR 20.00, no VAT"),
        ("/om/en/evenings/both", "OMR 10.500 per night incl. 5% VAT", "OMR 2.100 incl. 5% VAT"),
        ("/qa/en/evenings/both", "QAR 100.00 per night, no VAT", "QAR 20.00, no VAT"),
    ],
)
def test_prices_have_the_vat_of_the_place(site: Visitor, path: str, price: str, extra: str) -> None:
    """Whoever reads them; what is in two countries has that of the reader."""
    text = site.get(f"{path}.md").text.replace("\xa0", " ")
    assert f"- **Price**: {price}" in text
    assert f"- **Extra**: {extra}" in text
    assert price in site.get(f"{path.rpartition('/')[0]}.md").text.replace("\xa0", " ")


def test_arabic_says_that_there_is_no_vat_apart(site: Visitor) -> None:
    """After a comma, as in English."""
    text = site.get("/qa/ar/evenings/tent.md").text.replace("\xa0", " ")
    assert "لليلة، لا تُطبَّق ضريبة القيمة المضافة" in text


@pytest.mark.parametrize(
    ("name", "om", "qa"),
    [("oud", "20:00", "20:00"), ("tent", "19:00", "19:00"), ("both", "20:00", "19:00")],
)
def test_times_are_those_of_the_place(site: Visitor, name: str, om: str, qa: str) -> None:
    """Whoever reads them; JSON has the instant."""
    for country, time in (("om", om), ("qa", qa)):
        for path in (f"/{country}/en/evenings/{name}", f"/{country}/en/evenings"):
            assert f"10 December 2099, {time}" in site.get(f"{path}.md").text, path
            assert f"10 December 2099, {time}" in site.get(path, HTML).text, path
    entry = site.get(f"/api/public/v1/kinds/evenings/{name}?country=QA").json["entry"]
    assert entry["fields"]["startsAt"] == "2099-12-10T16:00:00Z"


def test_records_and_hours_are_at_the_place_of_their_document(site: Visitor) -> None:
    """Their amounts, their times and the zone of opening hours."""
    path = "/api/public/v1/kinds/evenings/oud?country=QA"
    fields = site.get(path).json["entry"]["fields"]
    assert fields["seats"][0]["fee"]["amountWithVat"] == "10.50"
    assert fields["bar"]["timeZone"] == "Asia/Muscat"
    text = site.get("/qa/en/evenings/oud.md").text.replace("\xa0", " ")
    assert "QAR 10.50 incl. 5% VAT" in text
    assert "10 December 2099, 19:30" in text


@pytest.mark.parametrize(
    ("written", "line", "message"),
    [
        ("startsAt: 12 December 2099 20:00", 3, "read as 2099-12-12T20:00 UTC"),
        ("startsAt: 2099-12-12T20:00", 3, "read as 2099-12-12T20:00 UTC"),
        ("startsAt: 2099-12-12\nendsAt: 2099-12-11", 4, "endsAt: it is before startsAt."),
        ("price: { amount: { OMR: 3.000 } }", 1, "price: readers in QA (QAR) see no price."),
    ],
)
def test_the_check_names_what_readers_elsewhere_would_miss(
    tmp_path: Path, written: str, line: int, message: str
) -> None:
    """With file, line and remedy."""
    declared = (
        str(SITE["_kinds/evenings.md"])
        .replace("date: startsAt\n", "date: startsAt\nendDate: endsAt\n")
        .replace("vat: true, label: { en: Price", "required: true, label: { en: Price")
        .replace("fields:\n", "fields:\n  endsAt: { type: date }\n", 1)
    )
    price = "" if "price" in written else "price: { amount: { OMR: 1, QAR: 1 } }\n"
    files = {
        **SITE,
        "_kinds/evenings.md": declared,
        "evenings/late.md": f"---\ntitle: Late\n{written}\n{price}---\nText.\n",
    }
    countries = {f"countries/{each}.md": SITE[f"countries/{each}.md"] for each in ("om", "qa")}
    root = write_site(tmp_path, {**files, **countries}, countries=False)
    found = check_content(load_content(root), datetime(2099, 1, 1, tzinfo=UTC))
    reported = [each for each in found if message in each.message]
    assert [(each.path, each.line) for each in reported] == [("evenings/late.md", line)], found
    assert reported[0].suggestion
