"""What search engines get of fields that know the trade: nested things of schema.org."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cases import cases
from conftest import Content, Visit
from contract.visitor import BASE_URL, Visitor
from examples import EXAMPLES
from json_ld import node, nodes_of
from schema_org import vocabulary
from starters import starter

from app.platform.clock import utc_now
from knowledge.checks.content_linter import check_content
from knowledge.checks.rich_results import lacking
from knowledge.diagnostics.diagnostic import DiagnosticKind
from knowledge.snapshot.loading import load_content

HTML = {"Accept": "text/html"}
KINDS = {
    "branches": """schemaType: Restaurant
fields:
  photo: { type: image, schemaProperty: image }
  place: { type: address }
  opening: { type: hours }
  stars: { type: rating }
""",
    "dishes": """schemaType: MenuItem
fields:
  course: { type: choice, choices: { main: { en: Mains, ar: الأطباق }, sweet: Sweets } }
  diet:
    type: choice
    many: true
    schemaProperty: suitableForDiet
    choices: { gluten-free: Gluten-free, vegan: Vegan }
  contains: { type: list, label: { en: Allergens, ar: الحساسية }, schemaProperty: allergens }
  price: { type: offer, vat: true }
""",
    "jobs": """schemaType: JobPosting
date: publishedAt
fields:
  branch: { type: reference, to: branches, schemaProperty: jobLocation }
  contract: { type: choice, schemaProperty: employmentType, choices: { full-time: Full time } }
  pay: { type: offer }
  closes: { type: date, schemaProperty: validThrough }
""",
    "evenings": """date: startsAt
endDate: endsAt
schemaType: FoodEvent
fields:
  startsAt: { type: date }
  endsAt: { type: date }
  branch: { type: reference, to: branches, schemaProperty: location }
  ticket: { type: offer }
""",
    "courses": """schemaType: Course
fields:
  mode: { type: choice, schemaProperty: courseMode, choices: { onsite: { en: Onsite, ar: حضوري } } }
  length: { type: duration, schemaProperty: courseWorkload }
  fee: { type: offer }
""",
    "questions": "schemaType: Question\n",
    "rooms": """schemaType: HotelRoom
fields:
  photo: { type: image, schemaProperty: image }
  bath: { type: image, schemaProperty: image }
  guests: { type: integer, schemaProperty: occupancy }
  size: { type: number, schemaProperty: floorSize }
""",
}
DOCUMENTS = {
    "branches/olaya.md": """photo: /olaya.png
photoAlt: { en: Olaya, ar: العليا }
place: { street: Olaya Street 21, city: Riyadh, country: sa, latitude: 24.69, longitude: 46.68 }
opening:
  days: { sun-wed: "8:00-12:00, 16:00-22:00", thu: 24h }
  seasons:
    - { name: Ramadan, starts: 2099-02-08, ends: 2099-03-09, days: { sun-fri: "20:00-2:00" } }
  exceptions: [{ date: 2099-09-23 }]
stars: { value: 4.6, count: 128 }
""",
    "dishes/kabsa.md": """shortDescription: { en: Rice with lamb., ar: أرز بلحم الضأن. }
course: main
diet: [gluten-free]
contains: [nuts, milk]
price: { amount: { SAR: 40 } }
""",
    "dishes/luqaimat.md": "course: sweet\nprice: { amount: { SAR: 20 } }\n",
    "jobs/cook.md": """branch: olaya
contract: full-time
pay: { least: { SAR: 6000 }, most: { SAR: 8000 }, per: month }
closes: 2099-01-01
publishedAt: 2026-01-01
""",
    "evenings/oud.md": """startsAt: 2099-01-05T19:00:00+03:00
endsAt: 2099-01-05T22:00:00+03:00
branch: olaya
ticket: { amount: { SAR: 90 }, per: night }
""",
    "courses/knives.md": """shortDescription: Two evenings.
mode: onsite
length: 6 hours
fee: { amount: { SAR: 300 } }
""",
    "questions/parking.md": "",
    "rooms/sea.md": """photo: /olaya.png
photoAlt: The bed
bath: /bath.png
bathAlt: Green tiles
guests: 3
size: 34.5
""",
}
SITE: dict[str, str | bytes] = {
    **{
        f"_kinds/{name}.md": f"---\nsingular: {{ en: {name[:-1].title()}, ar: عنصر }}\n"
        f"plural: {{ en: {name.title()}, ar: {name} }}\n{text}---\n"
        for name, text in KINDS.items()
    },
    **{
        path: f"---\ntitle: {path[:-3].rpartition('/')[2].title()}\n{text}---\n"
        "## What you do\n\nYou **cook**.\n"
        for path, text in DOCUMENTS.items()
    },
    "site/settings.md": "---\nseo: { pageTitle: Kitchen }\nschemaType: Restaurant\n"
    "siteSettings: { officeAddress: Olaya Street 21 }\n---\n",
    "countries/sa.md": "---\nvatRate: 15\n---\n",
    **dict.fromkeys(("olaya.png", "bath.png"), b"\x89PNG"),
}
OLAYA = {
    "@type": "PostalAddress",
    "streetAddress": "Olaya Street 21",
    "addressLocality": "Riyadh",
    "addressCountry": "SA",
}


@pytest.fixture(name="site")
def _site(shared_visit: Visit) -> Visitor:
    return shared_visit(SITE)


def thing(site: Visitor, path: str, name: str) -> Any:
    """Return the node of a type on a page."""
    return node(nodes_of(site.get(f"/sa/en{path}", {"Accept": "text/html"}).text), name)


def test_a_place_has_its_address_and_its_hours_with_seasons(site: Visitor) -> None:
    """Closed days of a season and of exceptions are told, too."""
    nodes = nodes_of(site.get("/sa/en/branches/olaya", {"Accept": "text/html"}).text)
    olaya = next(each for each in nodes if each["@id"].endswith("/branches/olaya#branches"))
    assert olaya["address"] == OLAYA
    assert olaya["geo"] == {"@type": "GeoCoordinates", "latitude": 24.69, "longitude": 46.68}
    assert olaya["image"] == f"{BASE_URL}/olaya.png"
    assert olaya["aggregateRating"]["ratingCount"] == 128
    usual, late, all_day, *special = olaya["openingHoursSpecification"]
    assert usual["dayOfWeek"] == ["Sunday", "Monday", "Tuesday", "Wednesday"]
    assert (usual["opens"], usual["closes"], late["opens"]) == ("08:00", "12:00", "16:00")
    assert (all_day["opens"], all_day["closes"]) == ("00:00", "23:59")
    ramadan, closed, holiday = special
    assert (ramadan["validFrom"], ramadan["validThrough"]) == ("2099-02-08", "2099-03-09")
    assert (closed["dayOfWeek"], closed["opens"], closed["closes"]) == (
        ["Saturday"],
        "00:00",
        "00:00",
    )
    assert (holiday["validFrom"], holiday["closes"]) == ("2099-09-23", "00:00")


def test_a_list_of_dishes_is_a_menu(site: Visitor) -> None:
    """In sections, with diets as schema.org names them, and allergens in words."""
    mains, sweets = thing(site, "/dishes", "Menu")["hasMenuSection"]
    assert (mains["name"], sweets["name"]) == ("Mains", "Sweets")
    (kabsa,) = mains["hasMenuItem"]
    assert kabsa["suitableForDiet"] == ["https://schema.org/GlutenFreeDiet"]
    assert kabsa["description"] == "Rice with lamb. Allergens: nuts, milk."
    assert (kabsa["offers"]["price"], kabsa["offers"]["priceCurrency"]) == ("46.00", "SAR")
    assert kabsa["offers"]["priceSpecification"]["valueAddedTaxIncluded"] is True


def test_a_vacancy_has_all_that_a_search_for_jobs_asks(site: Visitor) -> None:
    """The whole text, the company, the place with its address, and the pay with its unit."""
    job = thing(site, "/jobs/cook", "JobPosting")
    assert job["title"] == "Cook"
    assert "<strong>cook</strong>" in job["description"]
    assert "What you do" in job["description"]
    assert job["employmentType"] == "FULL_TIME"
    assert job["datePosted"].startswith("2026-01-01")
    assert job["validThrough"] == "2099-01-01"
    assert (job["hiringOrganization"]["@type"], job["hiringOrganization"]["name"]) == (
        "Organization",
        "Kitchen",
    )
    assert job["jobLocation"]["address"] == OLAYA
    assert job["baseSalary"] == {
        "@type": "MonetaryAmount",
        "currency": "SAR",
        "value": {
            "@type": "QuantitativeValue",
            "minValue": 6000.0,
            "maxValue": 8000.0,
            "unitText": "MONTH",
        },
    }


def test_an_event_has_local_times_its_place_and_its_price(site: Visitor) -> None:
    """With the offset of the place."""
    evening = thing(site, "/evenings/oud", "FoodEvent")
    assert evening["startDate"] == "2099-01-05T19:00:00+03:00"
    assert evening["endDate"] == "2099-01-05T22:00:00+03:00"
    assert evening["location"]["address"] == OLAYA
    assert evening["offers"]["price"] == "90.00"
    assert evening["offers"]["priceSpecification"]["unitText"] == "night"
    assert evening["organizer"]["name"] == "Kitchen"
    assert evening["eventStatus"] == "https://schema.org/EventScheduled"


def test_courses_and_questions_are_told_as_such(site: Visitor) -> None:
    """A course by whom it is given and how, questions with their answers."""
    course = thing(site, "/courses/knives", "Course")
    assert course["provider"]["name"] == "Kitchen"
    instance = {"@type": "CourseInstance", "courseMode": "Onsite", "courseWorkload": "PT6H"}
    assert course["hasCourseInstance"] == instance
    assert course["offers"]["category"] == "Paid"
    (question,) = thing(site, "/questions", "FAQPage")["mainEntity"]
    assert question["name"] == "Parking"
    assert "You cook." in question["acceptedAnswer"]["text"]


def test_a_room_has_all_pictures_and_its_quantities(site: Visitor) -> None:
    """Each picture is on the page, too, in all forms."""
    room = thing(site, "/rooms/sea", "HotelRoom")
    assert room["image"] == [f"{BASE_URL}/{name}.png" for name in ("olaya", "bath")]
    assert room["occupancy"] == {"@type": "QuantitativeValue", "value": 3}
    assert room["floorSize"] == {"@type": "QuantitativeValue", "value": 34.5}
    html = site.get("/sa/en/rooms/sea", HTML).text
    assert [each in html for each in ('alt="The bed"', 'alt="Green tiles"')] == [True, True]
    assert f"![Green tiles]({BASE_URL}/bath.png)" in site.get("/sa/en/rooms/sea.md").text
    blocks = site.get("/api/public/v1/kinds/rooms/sea?country=SA").json["blocks"]
    (pictures,) = (each["pictures"] for each in blocks if each["type"] == "pictures")
    assert [each["alt"] for each in pictures] == ["The bed", "Green tiles"]


def test_facts_stand_before_the_sections_in_all_forms(site: Visitor) -> None:
    """So that nobody reads them as a part of the last section."""
    html, text = site.get("/sa/en/rooms/sea", HTML).text, site.get("/sa/en/rooms/sea.md").text
    assert html.index("Guests") < html.index('id="what-you-do"')
    assert text.index("Guests") < text.index("## What you do")
    blocks = site.get("/api/public/v1/kinds/rooms/sea?country=SA").json["blocks"]
    types = [each["type"] for each in blocks]
    assert types.index("facts") < types.index("richText")


def test_the_company_has_the_type_of_the_settings(site: Visitor) -> None:
    """On every page."""
    for path in ("", "/jobs/cook", "/dishes"):
        assert thing(site, path, "Restaurant")["@id"] == f"{BASE_URL}/#organization"


def test_schema_org_knows_all_of_it(site: Visitor) -> None:
    """Each type, property and value."""
    paths = [f"/{path[:-3]}" for path in DOCUMENTS] + [f"/{name}" for name in KINDS]
    known = vocabulary()
    problems = [
        (path, problem)
        for path in paths
        for entry in nodes_of(site.get(f"/sa/en{path}", {"Accept": "text/html"}).text)
        for problem in known.problems(entry)
    ]
    assert problems == []


LACKING = [
    ("schemaType: JobPosting\n", ["datePosted", "jobLocation"]),
    ("schemaType: FoodEvent\ndate: at\nfields: { at: { type: date } }\n", ["location"]),
    ("schemaType: Restaurant\n", ["address"]),
    ("schemaType: Product\n", ["offers / review / aggregateRating"]),
    ("schemaType: Product\nfields: { price: { type: offer } }\n", []),
    ("schemaType: Course\n", []),
    ("schemaType: Recipe\n", ["image"]),
    ("schemaType: Service\n", []),
]


@cases(("text", "names"), LACKING)
def test_the_check_names_what_google_requires(
    tmp_path_factory: pytest.TempPathFactory, text: str, names: list[str]
) -> None:
    """With the line of the type and the page that says so."""
    root = tmp_path_factory.mktemp("site")
    (root / "_kinds").mkdir()
    declared = f"---\nsingular: Thing\nplural: Things\n{text}---\n"
    (root / "_kinds/things.md").write_text(declared, encoding="utf-8")
    found = [
        each
        for each in check_content(load_content(root), utc_now())
        if each.kind is DiagnosticKind.MISSING_MARKUP
    ]
    assert [
        each.message.split()[3] if " / " not in each.message else names[0] for each in found
    ] == names
    for each in found:
        assert (each.path, each.line) == ("_kinds/things.md", 4)
        assert "https://developers.google.com/search/docs/" in each.suggestion


TALKS = """schemaType: Event
date: at
fields:
  at: { type: date }
  hall: { type: place }
"""
TALK = """title: Salt
at: 2099-01-01
"""


@cases(
    ("kind", "document", "lack", "advice"),
    [
        (TALKS, TALK, "location of Event", "hall"),
        (TALKS, TALK + "hall: { address: Nizwa }", "", ""),
        (TALKS, "title: Salt\nhall: { address: Nizwa }", "startDate of Event", "at"),
        ("schemaType: Course", "title: Salt", "description of Course", "shortDescription"),
        ("schemaType: Course", "title: Salt\nshortDescription: How.", "", ""),
        ("schemaType: Recipe", "title: Salt", "", ""),  # the declaration lacks the picture
        (
            "schemaType: Product\nfields: { price: { type: offer }, stars: { type: rating } }",
            "title: Salt",
            "offers / review / aggregateRating of Product",
            "price, stars",
        ),
        (
            "schemaType: Product\nfields: { price: { type: offer } }",
            "title: Salt\nprice: { amount: { AED: 1 } }",
            "",
            "",
        ),
    ],
)
def test_the_check_names_what_a_document_lacks(
    content: Content, kind: str, document: str, lack: str, advice: str
) -> None:
    """Of what its kind has; a document of which another country shows a value lacks nothing."""
    declared = f"---\nsingular: Thing\nplural: Things\n{kind.rstrip()}\n---\n"
    text = f"---\n{document.rstrip()}\n---\n"
    root = content({"_kinds/things.md": declared, "things/salt.md": text})
    found = [
        each
        for each in check_content(load_content(root), utc_now())
        if each.kind is DiagnosticKind.MISSING_MARKUP and each.path == "things/salt.md"
    ]
    expected = f"Google requires {lack}, and the document has none."
    assert [each.message for each in found] == ([expected] if lack else [])
    for each in found:
        assert each.suggestion.startswith(f"Add a value of {advice}. See https://developers.")


def lacks(value: object) -> Iterator[str]:
    """Yield what Google requires and a node, or one in it, has not.

    How a course is given is no event: Google asks of it what the course has.
    """
    if isinstance(value, list):
        yield from (each for part in value for each in lacks(part))
    elif isinstance(value, dict):
        types = value.get("@type", ())
        for type_ in [types] if isinstance(types, str) else types:
            yield from (f"{type_}: {name}" for name, _ in lacking(type_, frozenset(value)))
        inner = (part for key, part in value.items() if key != "hasCourseInstance")
        yield from (each for part in inner for each in lacks(part))


@cases("name", ["clinic", "logistics", "university", "hotel"])
def test_all_pages_of_the_examples_have_what_google_requires(tmp_path: Path, name: str) -> None:
    """In all countries, in both languages."""
    folder = EXAMPLES / name
    if name == "hotel":
        folder = starter(tmp_path / name, name, "both", "sa,ae")
    with Visitor(content_dir=folder) as site:
        urls = re.findall(r"<loc>([^<]+)</loc>", site.get("/sitemap.xml").text)
        pages = [url for url in urls if "/developers" not in url]  # the manual has no graph
        found = {
            f"{url}: {lack}"
            for url in pages
            for lack in lacks(nodes_of(site.get(url.removeprefix(BASE_URL), HTML).text))
        }
    assert len(urls) > 50
    assert found == set()


def test_the_check_judges_the_type_of_the_settings(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """A business needs an address, and a type that schema.org has."""
    root = tmp_path_factory.mktemp("site")
    (root / "site").mkdir()
    for type_, words in (("Restaurant", "Google requires address"), ("Restorant", "has no type")):
        (root / "site/settings.md").write_text(f"---\nschemaType: {type_}\n---\n", encoding="utf-8")
        found = [each.message for each in check_content(load_content(root), utc_now())]
        assert any(words in each for each in found), found
