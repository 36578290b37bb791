"""The values that declared fields may have, on a kind that nobody has: boats of a rental."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from cases import cases
from conftest import Visit
from contract.test_openapi import closed, violations
from contract.visitor import Visitor

from app.platform.clock import utc_now
from knowledge.checks.content_linter import check_content
from knowledge.checks.front_matter_schema import front_matter_schema
from knowledge.diagnostics.diagnostic import DiagnosticKind
from knowledge.documents.parsed_files import ParsedFiles
from knowledge.snapshot.loading import load_content

API = "/api/public/v1/kinds/boats"
DECLARATION = """---
singular: { en: Boat, ar: قارب }
plural: { en: Boats, ar: القوارب }
titleFrom: model
requireOneOf: [berths, variants]
countryFrom: port
fallsBack: false
fields:
  model: { type: localizedText }
  photo: { type: image }
  pennant: { type: image, decorative: true, show: nothing }
  berths: { type: integer, min: 1, max: 12, label: { en: Berths, ar: الأسرّة } }
  draught: { type: number, min: 0.2, max: 3 }
  crewed: { type: boolean, label: { en: With a crew, ar: بطاقم } }
  port: { type: country, label: { en: Port, ar: الميناء } }
  phone: { type: phone, label: { en: Phone, ar: الهاتف } }
  plan: { type: url, label: { en: Plan, ar: المخطط } }
  about: { type: localizedText, markdown: true, label: { en: About, ar: نبذة } }
  day: { type: money, vat: true, show: card, label: { en: A day, ar: اليوم } }
  shops: { type: reference, to: modules, many: true, loose: true }
  variants:
    type: records
    singular: { en: Variant, ar: طراز }
    label: { en: Variants, ar: الطُّرُز }
    fields:
      name: { type: localizedText, required: true }
      week: { type: money, vat: true }
      stock: { type: integer, min: 0 }
      photo: { type: image }
---
"""
DHOW = """---
model: { en: Dhow 40, ar: داو 40 }
photo: /dhow.png
photoAlt: { en: A dhow, ar: داو }
pennant: /pennant.png
berths: 6
draught: 1.5
crewed: no
phone: "+971 4 555 0142"
plan: https://example.com/dhow.pdf
about: { en: "Built in **Sur**.", ar: "بُني في **صور**." }
day: { AED: "100", SAR: 120, QAR: 90 }
shops: [nowhere]
variants:
  - name: { en: Short, ar: قصير }
    week: { AED: 600 }
    stock: 0
    photo: /short.png
    photoAlt: { en: Short, ar: قصير }
  - name: { en: Long, ar: طويل }
---
Text.
"""
SITE: dict[str, str | bytes] = {
    "_kinds/boats.md": DECLARATION,
    "countries/ae.md": "---\nvatRate: 5\n---\n",
    "boats/dhow.md": DHOW,
    "boats/dhow.ar.md": "---\nphoto: /dhow-ar.png\n---\nنص.\n",
    "boats/dhow.sa.md": "---\nberths: 8\n---\n",
    "boats/sloop.md": "---\nmodel: Sloop\nport: om\nberths: 2\n---\nText.\n",
    **{f"{name}.png": b"\x89PNG" for name in ("dhow", "dhow-ar", "pennant", "short")},
}


@pytest.fixture(name="site")
def _site(shared_visit: Visit) -> Visitor:
    return shared_visit(SITE)


def fields(site: Visitor, country: str, lang: str = "en") -> dict[str, Any]:
    """Return the fields of a boat."""
    entry = site.get(f"{API}/dhow?country={country}&lang={lang}").json["entry"]
    return dict(entry["fields"])


def test_each_value_has_its_type_in_json(site: Visitor) -> None:
    """As the contract describes it; what is loose and names nothing is left out."""
    values = fields(site, "AE")
    assert (values["berths"], values["draught"], values["crewed"]) == (6, 1.5, False)
    assert (values["phone"], values["plan"]) == (
        "+971 4 555 0142",
        "https://example.com/dhow.pdf",
    )
    assert values["about"] == "Built in **Sur**."
    assert values["pennant"]["alt"] == ""
    assert "shops" not in values
    contract = closed(site.get("/openapi.json").json)
    body = site.get(f"{API}/dhow").json
    assert violations(contract, {"$ref": "#/components/schemas/EntryDetail"}, body) == []
    own = contract["components"]["schemas"]["Boat"]["allOf"][1]["properties"]["fields"]
    variant = own["properties"]["variants"]["items"]["properties"]
    assert variant["stock"]["multipleOf"] == 1
    assert "amountWithVat" in variant["week"]["properties"]


def test_money_has_the_vat_of_the_country(site: Visitor) -> None:
    """Where it is added; without a price in its currency there is no value."""
    assert fields(site, "AE")["day"] == {
        "amount": "100.00",
        "currency": "AED",
        "amountWithVat": "105.00",
        "vatRate": "5",
        "vatFirst": False,
    }
    assert fields(site, "QA")["day"] == {"amount": "90.00", "currency": "QAR"}
    assert "day" not in fields(site, "OM")


def test_variants_are_records_with_price_stock_and_picture(site: Visitor) -> None:
    """Each in the reader's language, and without what it lacks."""
    first, second = fields(site, "AE", "ar")["variants"]
    assert first["name"] == "قصير"
    assert first["week"]["amountWithVat"] == "630.00"
    assert first["stock"] == 0
    assert first["photo"]["alt"] == "قصير"
    assert second == {"name": "طويل"}


def test_values_differ_by_country_and_pictures_by_language(site: Visitor) -> None:
    """A layer has those of its readers, as of any field."""
    assert (fields(site, "SA")["berths"], fields(site, "AE")["berths"]) == (8, 6)
    photos = [fields(site, "AE", lang)["photo"]["src"] for lang in ("en", "ar")]
    assert photos == ["/dhow.png", "/dhow-ar.png"]


def test_pages_show_the_values_in_words(site: Visitor) -> None:
    """With links to call and to open, and the price that the site shows first."""
    text = site.get("/ae/en/boats/dhow.md").text
    assert "- **With a crew**: No" in text
    assert "- **Phone**: [+971 4 555 0142](tel:+97145550142)" in text
    assert "- **Plan**: [https://example.com/dhow.pdf](https://example.com/dhow.pdf)" in text
    assert "- **About**: Built in Sur." in text
    text, first = text.replace("\xa0", " "), "Short · AED 600.00 excl. 5% VAT · Stock: 0"
    assert f"- **Variants**:\n  - {first}\n  - Long\n" in text
    listed = site.get("/ae/en/boats/dhow", {"Accept": "text/html"}).text.replace("\xa0", " ")
    assert f"<dd>{first}<br>Long</dd>" in re.sub("</?bdi[^>]*>", "", listed)
    assert "- **بطاقم**: لا" in site.get("/ae/ar/boats/dhow.md").text
    shown = site.get("/om/en/boats/sloop.md").text
    assert "- **Port**: Oman" in shown
    html = site.get("/ae/en/boats/dhow", {"Accept": "text/html"}).text
    assert 'href="tel:+97145550142"' in html


def test_the_site_rewords_yes_and_no(shared_visit: Visit) -> None:
    """As any text of the interface."""
    words = {"site/words.md": "---\nno: { en: Without, ar: بدون }\n---\n"}
    assert (
        "- **With a crew**: Without"
        in shared_visit({**SITE, **words}).get("/ae/en/boats/dhow.md").text
    )


def test_prices_with_vat_are_shown_where_the_country_says_so(shared_visit: Visit) -> None:
    """One amount, which its readers pay."""
    country = "---\nvatRate: 5\nprices: inclusive\n---\n"
    text = shared_visit({**SITE, "countries/ae.md": country}).get("/ae/en/boats/dhow.md").text
    assert "- **A day**: AED 105.00" in text


def test_a_kind_names_its_documents_and_their_country(site: Visitor) -> None:
    """A document in one language, or of one country, is nowhere else."""
    assert site.get(f"{API}/dhow").json["entry"]["title"] == "Dhow 40"
    assert site.get("/om/en/boats/sloop.md").status == 200
    assert site.get("/ae/en/boats/sloop.md").status == 404
    assert site.get("/om/ar/boats/sloop.md").status == 404


WRONG = [
    ("berths: 13", "must be at most 12"),
    ("draught: 0.1", "must be at least 0.2"),
    ("crewed: perhaps", "must be true or false"),
    ("port: Atlantis", "unknown country"),
    ("variants: [{ name: Short, stock: -1 }]", "must be at least 0"),
    ("variants: [{ stock: 1 }]", "is required"),
    ("phone: later", "invalid phone number"),
    ("photo: /dhow.png", "photo has no alternative text"),
    ("variants: [{ name: Short, photo: /dhow.png }]", "variants.0.photo has no alternative text"),
    ("title: Dinghy", "berths is missing"),
    ("berths: 2", "model is missing"),
    ("pennant: /none.png", "the image /none.png does not exist"),
    ("day: { AED: 1.505 }", "day: AED 1.505 must have"),
]


@cases(("written", "problem"), WRONG)
def test_a_wrong_value_is_reported(
    tmp_path_factory: pytest.TempPathFactory, written: str, problem: str
) -> None:
    """By `majlis check`."""
    root = tmp_path_factory.mktemp("site")
    for folder in ("_kinds", "boats", "modules"):
        (root / folder).mkdir()
    (root / "_kinds/boats.md").write_text(DECLARATION, encoding="utf-8")
    (root / "dhow.png").write_bytes(b"\x89PNG")
    (root / "boats/one.md").write_text(f"---\n{written}\n---\nText.\n", encoding="utf-8")
    found = [str(each) for each in check_content(load_content(root), utc_now())]
    assert any(problem in each for each in found), found


FAULTS = [
    ("  beds: { type: text, min: 1 }\n", "only number / integer has it"),
    ("  beds: { type: integer, max: 1.5 }\n", "are no bounds of the type integer"),
    ("  beds: { type: number, min: 2, max: 1 }\n", "are no bounds of the type number"),
    ("  beds: { type: number, max: .inf }\n", "invalid number"),
    ("  beds: { type: records }\n", "records need fields"),
    ("  beds: { type: records, fields: { a: { type: place } } }\n", "records have no place"),
    (
        "  beds: { type: records, fields: { a: { type: date, vat: true } } }\n",
        "only money / offer has it",
    ),
    ("  beds: { type: records, fields: { images: { type: text } } }\n", "of this name already"),
    ("titleFrom: beds\n", "is no field of the type localizedText"),
    ("countryFrom: beds\n", "is no field of the type country"),
    ("requireOneOf: [beds]\n", "there is no field “beds”"),
]


@cases(("part", "message"), FAULTS)
def test_a_wrong_declaration_is_named(
    tmp_path_factory: pytest.TempPathFactory, part: str, message: str
) -> None:
    """With its line, also within records."""
    root = tmp_path_factory.mktemp("site")
    (root / "_kinds").mkdir()
    part = f"fields:\n{part}" if part.startswith(" ") else f"# a comment\n{part}"
    text = f"---\nsingular: Boat\nplural: Boats\n{part}---\n"
    (root / "_kinds/boats.md").write_text(text, encoding="utf-8")
    (found,) = load_content(root).diagnostics
    assert message in found.message
    assert found.kind in (DiagnosticKind.INVALID_KIND, DiagnosticKind.INVALID_VALUE)
    assert found.line == 5


def test_editors_know_the_values(tmp_path: Path) -> None:
    """The schema of a kind has the bounds of its numbers, and the fields of its records."""
    (tmp_path / "_kinds").mkdir()
    (tmp_path / "_kinds/boats.md").write_text(DECLARATION, encoding="utf-8")
    kinds = load_content(tmp_path).snapshot.kinds
    schema = front_matter_schema("boat", kinds)
    berths = schema["properties"]["berths"]["anyOf"][0]
    assert (berths["minimum"], berths["maximum"]) == (1, 12)
    assert set(schema["$defs"]["Variant"]["properties"]) == {
        *("name", "photo", "photoAlt", "stock", "week"),
    }
    assert "FieldDeclaration" in front_matter_schema("kind", kinds)["$defs"]


def test_a_later_start_reads_records_from_the_cache(tmp_path: Path) -> None:
    """With their types."""
    root = tmp_path / "site"
    for path, written in SITE.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(written if isinstance(written, bytes) else written.encode())
    first = load_content(root)
    ParsedFiles(tmp_path, root).write(first.read.known, frozenset(), 2**62, lambda: None)
    parsed = ParsedFiles(tmp_path, root)
    second = load_content(root, parsed=parsed)
    assert parsed.missed == 0
    before, after = (each.files["boats/dhow.md"].document for each in (first, second))
    assert before is not None
    assert after is not None
    assert before.fields == after.fields
