"""The page of a city tells how to reach the company there, and whom."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import BASE_URL, Visitor

HTML, MARKDOWN = {"Accept": "text/html"}, {"Accept": "text/markdown"}
JSON = {"Accept": "application/json"}
CITY = """---
countryCode: SA
name: {en: Riyadh, ar: الرياض}
title: {en: Riyadh, ar: الرياض}
address: {en: "King Fahd Road 7, Riyadh", ar: "طريق الملك فهد 7، الرياض"}
phone: "+966 11 555 0142"
whatsapp: "+966 50 555 0142"
hours: {en: "Sunday to Thursday", ar: "من الأحد إلى الخميس"}
openingHours: ["Su-Th 08:00-18:00"]
mapUrl: https://maps.example/riyadh
latitude: 24.7
longitude: 46.68
people:
  - name: {en: Noura Al Otaibi, ar: نورة العتيبي}
    role: {en: Director, ar: مديرة}
    image: /images/noura.png
    phone: "+966 50 555 0101"
    email: noura@wahat.example
---
Text.
"""
PLAIN = "---\ncountryCode: SA\nname: Abha\n---\nText.\n"


@pytest.fixture
def site(visit: Visit) -> Visitor:
    """A city with an office, and one without."""
    return visit({"cities/riyadh.md": CITY, "cities/abha.md": PLAIN})


def business(page: str) -> dict[str, Any] | None:
    """Return the business in the structured data of a page."""
    (script,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page)
    nodes = json.loads(script)["@graph"]
    return next((node for node in nodes if node["@type"] == "LocalBusiness"), None)


@pytest.mark.parametrize(
    ("locale", "name", "role", "address", "heading"),
    [
        pytest.param(
            "/sa/en",
            "Noura Al Otaibi",
            "Director",
            "King Fahd Road 7, Riyadh",
            "How to reach us in",
            id="English",
        ),
        pytest.param(
            "/sa/ar",
            "نورة العتيبي",
            "مديرة",
            "طريق الملك فهد 7، الرياض",
            "للتواصل معنا في",
            id="Arabic",
        ),
    ],
)
def test_all_forms_tell_how_to_reach_the_office(
    site: Visitor, locale: str, name: str, role: str, address: str, heading: str
) -> None:
    """Telephone, WhatsApp, address, hours, map and people, in the language of the reader."""
    office = site.get(f"{locale}/cities/riyadh", JSON).json["office"]
    assert (office["address"], office["latitude"]) == (address, 24.7)
    assert office["people"] == [
        {
            "name": name,
            "role": role,
            "image": "/images/noura.png",
            "phone": "+966 50 555 0101",
            "phoneUrl": "tel:+966505550101",
            "email": "noura@wahat.example",
        }
    ]
    page = site.get(f"{locale}/cities/riyadh", HTML).text
    text = site.get(f"{locale}/cities/riyadh", MARKDOWN).text
    for part in (
        *("tel:+966115550142", "https://wa.me/966505550142", "https://maps.example/riyadh"),
        *("tel:+966505550101", "mailto:noura@wahat.example"),
        *(name, role, address, office["hours"], heading),
    ):
        assert part in page
        assert part in text


def test_search_engines_see_a_local_business(site: Visitor) -> None:
    """With address, telephone, hours, place and area, as part of the organization."""
    found = business(site.get("/sa/en/cities/riyadh", HTML).text)
    assert found is not None
    assert found["address"] == {
        "@type": "PostalAddress",
        "streetAddress": "King Fahd Road 7, Riyadh",
        "addressLocality": "Riyadh",
        "addressCountry": "SA",
    }
    assert found["telephone"] == "+966 11 555 0142"
    assert found["openingHours"] == ["Su-Th 08:00-18:00"]
    assert found["openingHoursSpecification"] == [
        {
            "@type": "OpeningHoursSpecification",
            "dayOfWeek": ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday"],
            "opens": "08:00",
            "closes": "18:00",
        }
    ]
    assert found["geo"] == {"@type": "GeoCoordinates", "latitude": 24.7, "longitude": 46.68}
    assert found["areaServed"] == {"@type": "City", "name": "Riyadh"}
    assert found["parentOrganization"] == {"@id": f"{BASE_URL}/#organization"}


@cases(
    ("written", "days", "hours"),
    [
        ("Mo-Fr 08:00-18:00", "MTWTF", ["08:00-18:00"]),
        ("Sa-Th 08:00-12:00,16:00-20:00", "SSMTWT", ["08:00-12:00", "16:00-20:00"]),
        ("Mo,We 9:00-18:00", "MW", ["09:00-18:00"]),
        ("by appointment", "", []),
        ("Fr 14:00-25:00", "", []),
    ],
)
def test_opening_hours_that_can_be_read_are_told_by_day(
    shared_visit: Visit, written: str, days: str, hours: list[str]
) -> None:
    """A range may go beyond the end of the week; other texts stay as they are."""
    visitor = shared_visit({"cities/riyadh.md": CITY.replace("Su-Th 08:00-18:00", written)})
    found = business(visitor.get("/sa/en/cities/riyadh", HTML).text)
    assert found is not None
    assert found["openingHours"] == [written]
    specified = found.get("openingHoursSpecification", [])
    assert [f"{each['opens']}-{each['closes']}" for each in specified] == hours
    assert all("".join(day[0] for day in each["dayOfWeek"]) == days for each in specified)


def test_a_city_without_contact_data_says_nothing(site: Visitor) -> None:
    """No heading, no business, no field."""
    page = site.get("/sa/en/cities/abha", HTML).text
    assert "How to reach us" not in page
    assert business(page) is None
    assert "office" not in site.get("/sa/en/cities/abha", JSON).json


def test_every_city_of_the_sample_can_be_reached(sample: Visitor) -> None:
    """By telephone and by name, in both languages."""
    for country in ("ae", "sa", "qa", "om", "kw", "bh"):
        cities = sample.get(f"/api/public/v1/cities?country={country}").json["cities"]
        assert cities
        for city in cities:
            for language in ("en", "ar"):
                path = f"/{country}/{language}/cities/{city['slug']}"
                office = sample.get(path, JSON).json["office"]
                assert office["phone"]
                assert office["people"]


@cases("form", [pytest.param(HTML, id="HTML"), pytest.param(MARKDOWN, id="markdown")])
def test_the_text_of_a_city_stands_last(visit: Visit, form: dict[str, str]) -> None:
    """The call in which it ends is not followed by the modules of the city."""
    city = CITY.replace("---\nText.", "services: [tills]\n---\nOur call.")
    files = {"cities/riyadh.md": city, "modules/tills.md": "---\ntitle: Tills\n---\nText.\n"}
    page = visit(files).get("/sa/en/cities/riyadh", form).text
    assert 0 < page.index("Modules used in Riyadh") < page.index("Our call.")
