"""Fields that know the trade, on a kind that nobody has: kitchens that cook and deliver."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cases import cases
from conftest import Visit
from contract.test_openapi import closed, violations
from contract.visitor import FakeClock, Visitor
from gulf import write_site

from app.platform.clock import utc_now
from knowledge.addresses.addresses import parse_address
from knowledge.checks.content_linter import check_content
from knowledge.fields.front_matter import adapter
from knowledge.fields.opening_hours import OpeningClock, OpeningHours
from knowledge.locales import cldr
from knowledge.locales.locale import Country, Language, Locale
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_page import site_page
from knowledge.snapshot.loading import load_content
from knowledge.views.content_view import ContentView
from renderers.markdown import renderer as markdown

API = "/api/public/v1/kinds/kitchens"
DECLARATION = """---
singular: { en: Kitchen, ar: مطبخ }
plural: { en: Kitchens, ar: المطابخ }
sort: menu
fields:
  opening: { type: hours, label: { en: Hours, ar: الدوام }, show: card }
  place: { type: address, label: { en: Address, ar: العنوان } }
  chat: { type: whatsapp, label: { en: Chat, ar: المحادثة } }
  mail: { type: mail, label: { en: Mail, ar: البريد } }
  lastOrder: { type: time, label: { en: Last order, ar: آخر طلب } }
  delivery: { type: duration, label: { en: Delivery, ar: التوصيل } }
  menu: { type: offer, vat: true, label: { en: Menu, ar: القائمة } }
  hire: { type: offer, label: { en: Hire, ar: الإيجار } }
  stars: { type: rating, label: { en: Stars, ar: التقييم } }
  dishes:
    type: records
    label: { en: Dishes, ar: الأطباق }
    fields:
      name: { type: localizedText }
      price: { type: offer }
      takes: { type: duration }
---
"""
OLAYA = """---
title: { en: Olaya, ar: العليا }
opening:
  days:
    sun-wed: 8:00-12:00, 16:00-22:00
    الخميس: 16:00-1:00
    saturday: 9 am to 5 pm
  seasons:
    - name: { en: Ramadan, ar: رمضان }
      starts: 2026-02-18
      ends: 2026-03-19
      days: { daily: 20:00-2:00 }
  exceptions:
    - { name: { en: Founding Day, ar: يوم التأسيس }, date: 2026-02-22 }
place:
  street: { en: Olaya Street 21, ar: شارع العليا 21 }
  city: { en: Riyadh, ar: الرياض }
  postalCode: 12211
  country: sa
  latitude: 24.69
  longitude: 46.68
chat: "+966 50 555 0142"
mail: olaya@kitchen.example
lastOrder: 21:30
delivery: 1 hour 30 min
menu: { least: { SAR: 40, AED: 45 }, most: { SAR: 120, AED: 130 }, unit: { en: person, ar: شخص } }
hire: { amount: { SAR: 2500, AED: 2600 }, per: day }
stars: { value: 4.6, count: 128 }
dishes:
  - { name: { en: Kabsa, ar: كبسة }, price: { amount: { SAR: 45, AED: 50 } }, takes: 3 days }
---
Text.
"""
SITE: dict[str, str | bytes] = {
    "_kinds/kitchens.md": DECLARATION,
    "countries/sa.md": "---\nvatRate: 15\nprices: inclusive\n---\n",
    "countries/ae.md": "---\nvatRate: 5\n---\n",
    "kitchens/olaya.md": OLAYA,
    "kitchens/cheap.md": "---\ntitle: Cheap\nmenu: { amount: { SAR: 12, AED: 200 } }\n"
    "opening: { exceptions: [{ date: 2026-12-02 }] }\n---\nText.\n",
}
ALWAYS = "---\ntitle: Always\nopening: { days: { daily: 24h } }\n---\nText.\n"


@pytest.fixture(name="site")
def _site(shared_visit: Visit) -> Visitor:
    return shared_visit(SITE)


def lines(site: Visitor, path: str) -> list[str]:
    """Return the lines of a page in markdown."""
    return site.get(f"{path}.md").text.splitlines()


def test_each_value_is_written_in_the_words_of_its_reader(site: Visitor) -> None:
    """Amounts by country, with VAT where the country says so, and links that call."""
    english = lines(site, "/sa/en/kitchens/olaya")
    street = "Olaya Street 21, Riyadh 12211"
    spot = "https://www.openstreetmap.org/?mlat=24.69&mlon=46.68#map=17/24.69/46.68"
    assert f"- **Address**: [{street}]({spot})" in english
    assert "- **Chat**: [+966 50 555 0142](https://wa.me/966505550142)" in english
    assert "- **Mail**: [olaya@kitchen.example](mailto:olaya@kitchen.example)" in english
    assert "- **Last order**: 21:30" in english
    assert "- **Delivery**: 1 hour and 30 minutes" in english
    assert "- **Menu**: SAR 46.00 to SAR 138.00 per person incl. 15% VAT" in english
    assert "- **Hire**: SAR 2,500.00 per day" in english
    assert "- **Stars**: 4.6 of 5 (128 ratings)" in english
    assert "- **Dishes**: Kabsa · SAR 45.00 · 3 days" in english
    emirates = lines(site, "/ae/en/kitchens/olaya")
    assert "- **Menu**: AED 51.75 to AED 149.50 per person incl. 15% VAT" in emirates
    assert f"- **Address**: [{street}, Saudi Arabia]({spot})" in emirates
    arabic = lines(site, "/sa/ar/kitchens/olaya")
    assert "- **التوصيل**: ساعة و30 دقيقة" in arabic
    assert "- **التقييم**: 4.6 من 5 (128 تقييمًا)" in arabic
    assert "- **القائمة**: من 46.00 ر.س. إلى 138.00 ر.س. لكل شخص شامل الضريبة 15%" in arabic
    assert "- **الأطباق**: كبسة · 45.00 ر.س. · 3 أيام" in arabic


def test_the_contract_describes_each_value(site: Visitor) -> None:
    """With the state at this moment, and the amounts of the country."""
    contract, body = closed(site.get("/openapi.json").json), site.get(f"{API}/olaya?country=SA")
    assert violations(contract, {"$ref": "#/components/schemas/EntryDetail"}, body.json) == []
    own = contract["components"]["schemas"]["Kitchen"]["allOf"][1]["properties"]["fields"]
    fields = body.json["entry"]["fields"]
    for name, value in fields.items():
        assert violations(contract, own["properties"][name], value) == [], name
    assert fields["menu"]["amountToWithVat"] == "138.00"
    assert fields["delivery"] == "PT1H30M"
    assert fields["opening"]["days"][0]["day"] == "sunday"  # as the week begins there
    assert fields["opening"]["timeZone"] == "Asia/Riyadh"


def test_lists_are_sorted_by_amounts_of_the_country(site: Visitor) -> None:
    """What is cheaper in one may be dearer in another."""
    first = {country: site.get(f"{API}?country={country}").json for country in ("SA", "AE")}
    names = {country: [each["slug"] for each in found["items"]] for country, found in first.items()}
    assert names == {"SA": ["cheap", "olaya"], "AE": ["olaya", "cheap"]}


def test_exceptions_alone_are_no_hours(site: Visitor) -> None:
    """Nothing is said of them, as they are a layer of what is not there."""
    assert "Hours" not in site.get("/sa/en/kitchens/cheap.md").text


def test_hours_are_a_table_in_the_order_of_the_countrys_week(
    visit: Visit, clock: FakeClock
) -> None:
    """With a column for each season to come, and a row for each exception."""
    clock.now = datetime(2026, 2, 1, tzinfo=UTC)
    site = visit(SITE)
    text = lines(site, "/sa/en/kitchens/olaya")
    head = text.index("|  | Usual hours | Ramadan (18 February 2026 to 19 March 2026) |")
    assert text[head + 2 : head + 10] == [
        "| Sunday | 8:00 to 12:00, 16:00 to 22:00 | 20:00 to 2:00 |",
        "| Monday | 8:00 to 12:00, 16:00 to 22:00 | 20:00 to 2:00 |",
        "| Tuesday | 8:00 to 12:00, 16:00 to 22:00 | 20:00 to 2:00 |",
        "| Wednesday | 8:00 to 12:00, 16:00 to 22:00 | 20:00 to 2:00 |",
        "| Thursday | 16:00 to 1:00 | 20:00 to 2:00 |",
        "| Friday | Closed | 20:00 to 2:00 |",
        "| Saturday | 9:00 to 17:00 | 20:00 to 2:00 |",
        "| Founding Day (22 February 2026) | Closed | Closed |",
    ]
    assert "| الأحد | من 8:00 إلى 12:00، من 16:00 إلى 22:00 | من 20:00 إلى 2:00 |" in lines(
        site, "/sa/ar/kitchens/olaya"
    )
    clock.now = datetime(2026, 5, 1, tzinfo=UTC)
    assert not any("Ramadan" in line for line in lines(site, "/sa/en/kitchens/olaya"))


def test_what_never_closes_needs_no_table(visit: Visit) -> None:
    """The sentence says it all, in each form; an exception has its row."""
    exception = ALWAYS.replace("24h }", "24h }, exceptions: [{ date: 2099-12-02 }]")
    site = visit({**SITE, "kitchens/always.md": ALWAYS, "kitchens/but.md": exception})
    text = site.get("/sa/en/kitchens/always.md").text
    assert "- **Hours**: Open around the clock" in text
    assert "Sunday" not in text + site.get("/sa/en/kitchens/always", {"Accept": "text/html"}).text
    assert "| Sunday | Around the clock |" in lines(site, "/sa/en/kitchens/but")


@pytest.mark.parametrize(
    ("country", "text"), [("om", "Rose Street 1, Sur 411"), ("de", "Rose Street 1, 411 Sur")]
)
def test_a_postal_code_stands_beside_the_city(shared_visit: Visit, country: str, text: str) -> None:
    """Before or after it, as the country writes it."""
    kitchen = "---\ntitle: One\nplace: { street: Rose Street 1, city: Sur, postalCode: 411, "
    site = shared_visit(
        {**SITE, "kitchens/one.md": f"{kitchen}country: {country} }}\n---\nText.\n"}
    )
    assert f"- **Address**: {text}" in site.get("/om/en/kitchens/one.md").text


STATES = [
    ("2026-02-01T08:30", "Open now until 12:00", "مفتوح الآن حتى 12:00"),
    ("2026-02-01T12:30", "Closed now, opens at 16:00", "مغلق الآن، يفتح الساعة 16:00"),
    (
        "2026-02-01T23:00",
        "Closed now, opens Monday at 8:00",
        "مغلق الآن، يفتح يوم الاثنين الساعة 8:00",
    ),
    ("2026-02-05T23:00", "Open now until 1:00", "مفتوح الآن حتى 1:00"),
    ("2026-02-06T00:59", "Open now until 1:00", "مفتوح الآن حتى 1:00"),
    (
        "2026-02-06T01:00",
        "Closed now, opens Saturday at 9:00",
        "مغلق الآن، يفتح يوم السبت الساعة 9:00",
    ),
    ("2026-02-20T21:00", "Open now until 2:00", "مفتوح الآن حتى 2:00"),
    (
        "2026-02-22T21:00",
        "Closed now, opens Monday at 20:00",
        "مغلق الآن، يفتح يوم الاثنين الساعة 20:00",
    ),
]


def test_a_page_says_whether_it_is_open_now(visit: Visit, clock: FakeClock) -> None:
    """In the time of the place, wherever its readers are; beyond midnight and in seasons."""
    clock.now = datetime(2026, 2, 1, tzinfo=UTC)
    site = visit(SITE)
    for at, english, arabic in STATES:
        clock.now = datetime.fromisoformat(f"{at}+03:00")
        assert f"- **Hours**: {english}" in lines(site, "/sa/en/kitchens/olaya"), at
        assert f"- **Hours**: {english}" in lines(site, "/ae/en/kitchens/olaya"), at
        assert f"- **الدوام**: {arabic}" in lines(site, "/sa/ar/kitchens/olaya"), at


def test_a_cached_page_changes_at_the_minute_of_closing(visit: Visit, clock: FakeClock) -> None:
    """The service keeps it until then, and nobody else does; lists with the value follow."""
    clock.now = datetime(2026, 2, 1, 8, 59, tzinfo=UTC)
    site = visit(SITE)
    paths = ("/sa/en/kitchens/olaya", "/sa/en/kitchens", f"{API}/olaya")
    html = {"Accept": "text/html"}
    before = {path: site.get(path, html) for path in paths}
    for path in paths[:2]:
        assert "Open now until 12:00" in before[path].text
    for path in paths:
        assert before[path].headers["Cache-Control"] == "private, max-age=0, must-revalidate"
        head = site.ask("HEAD", path, html)
        assert head.headers["Cache-Control"] == before[path].headers["Cache-Control"]
    tag = {"If-None-Match": before[paths[0]].headers["ETag"], **html}
    assert site.get(paths[0], tag).status == 304
    clock.move(timedelta(minutes=1))
    assert site.get(paths[0], tag).status == 200
    for path in paths[:2]:
        assert "Closed now, opens at 16:00" in site.get(path, html).text
    assert site.get(paths[2]).json["entry"]["fields"]["opening"]["open"] is False
    assert "max-age=60" in site.get("/sa/en/kitchens/cheap", html).headers["Cache-Control"]


def test_a_page_for_a_static_host_says_nothing_of_the_moment(site: Visitor, tmp_path: Path) -> None:
    """Nor does what is searched: the usual hours stand there."""
    snapshot = load_content(write_site(tmp_path / "content", SITE, True)).snapshot
    locale = Locale(Country("SA"), Language.EN)
    view = ContentView(snapshot, locale, utc_now(), "https://kitchen.example", is_static=True)
    address = parse_address("/kitchens/olaya", snapshot)
    assert address is not None
    text = site_page(view, address, PageQuery())
    words = markdown.page_text(text)
    assert "- **Hours**: Sunday to Wednesday: 8:00 to 12:00, 16:00 to 22:00; Thursday: " in words
    found = site.get("/api/public/v1/search?q=olaya+hours&country=SA").text
    assert "Open now" not in found
    assert "Closed now" not in found


TEMPLATE = """{% extends "majlis/entry.html" %}{% block main %}{% set own = resource.entry.fields %}
<p>{{ own.opening|hours }}</p><p>{{ own.opening|open_now }}</p><p>{{ own.menu|money }}</p>
<p>{{ own.delivery|duration }}</p><p>{{ own.stars|rating }}</p><p>[{{ none|money }}]</p>
{% endblock %}"""


def test_templates_print_the_values_by_filters(visit: Visit, clock: FakeClock) -> None:
    """In the words of the reader, with the amount that the country shows first."""
    clock.now = datetime(2026, 2, 1, 8, tzinfo=UTC)
    site = visit({**SITE, "_templates/kitchens.html": TEMPLATE})
    text = re.sub("<[^>]+>", "", site.get("/sa/en/kitchens/olaya", {"Accept": "text/html"}).text)
    text = text.replace("\xa0", " ")
    assert "Sunday to Wednesday: 8:00 to 12:00, 16:00 to 22:00; Thursday: 16:00 to 1:00; " in text
    assert "Open now until 12:00" in text
    assert "SAR 46.00 to SAR 138.00 per person incl. 15% VAT" in text
    assert "1 hour and 30 minutes" in text
    assert "4.6 of 5 (128 ratings)" in text
    assert "[]" in text


WRONG = [
    ("opening: { days: { frday: 8:00-9:00 } }", "opening.days.frday: unknown day “frday”", 2),
    (
        "opening:\n  days:\n    sunday: 8 o'clock",
        "opening.days.sunday: invalid hours “8 o'clock”",
        4,
    ),
    (
        "opening:\n  days: { mon: 8:00-12:00, sun-tue: closed }",
        "a day that stands twice “monday”",
        3,
    ),
    ("opening: { days: { mon: '8:00-12:00, 11:00-13:00' } }", "hours that overlap", 2),
    ("opening: { timeZone: Riyadh }", "unknown time zone “Riyadh”", 2),
    (
        "opening: { exceptions: [{ date: 2026-12-02, ends: 2026-12-01 }] }",
        "an end before its begin",
        2,
    ),
    ("opening: { seasons: [{ name: Ramadan }] }", "opening.seasons.0.starts", 2),
    ("opening: { monday: 8:00-12:00 }", "monday", 2),
    ("place: Olaya Street 21", "an address without its parts", 2),
    ("place: { city: Riyadh, latitude: 24.6 }", "half of coordinates", 2),
    ("place: { country: Atlantis }", "unknown country", 2),
    ("chat: later", "invalid phone number “later”; it is not linked", 2),
    ("mail: nobody", "invalid e-mail address “nobody”; it is not linked", 2),
    ("lastOrder: 25:00", "lastOrder: invalid time “25:00”", 2),
    ("delivery: soon", "delivery: invalid duration “soon”", 2),
    ("delivery: 45", "invalid duration “45”", 2),
    ("menu: 40", "an offer without an amount “40”", 2),
    ("menu: { SAR: 40 }", "an offer without an amount", 2),
    ("menu: { amount: { SAR: 40 }, least: { SAR: 1 } }", "an offer with two prices", 2),
    ("menu: { least: { SAR: 40 }, most: { SAR: 4 } }", "most is too low “4 SAR”", 2),
    ("menu: { amount: { SAR: much } }", "invalid amount “much”", 2),
    ("menu: { amount: { SAR: 1 }, per: fortnight }", "must be one of", 2),
    ("menu: { amount: { SAR: 1.505 } }", "menu.amount: SAR 1.505 must have", 1),
    ("stars: 7", "a rating above the best one “7”", 2),
    ("stars: many", "must be a decimal number", 2),
]


@cases(("written", "problem", "line"), WRONG)
def test_a_wrong_value_is_named_with_file_line_and_remedy(
    tmp_path_factory: pytest.TempPathFactory, written: str, problem: str, line: int
) -> None:
    """By `majlis check`; other files stay as they are."""
    root = tmp_path_factory.mktemp("site")
    for folder in ("_kinds", "kitchens"):
        (root / folder).mkdir()
    (root / "_kinds/kitchens.md").write_text(DECLARATION, encoding="utf-8")
    (root / "kitchens/good.md").write_text(ALWAYS, encoding="utf-8")
    (root / "kitchens/one.md").write_text(
        f"---\n{written}\ntitle: One\n---\nText.\n", encoding="utf-8"
    )
    loaded = load_content(root)
    found = [each for each in check_content(loaded, utc_now()) if problem in each.message]
    assert found, list(map(str, check_content(loaded, utc_now())))
    assert found[0].path == "kitchens/one.md"
    assert found[0].line == line
    assert found[0].suggestion
    assert any(
        each.path == "kitchens/good.md"
        for pairs in loaded.snapshot.by_path.values()
        for each in pairs[1:]
    )


def hours(**days: Any) -> OpeningClock:
    """Return the clock of a place in Riyadh."""
    value = adapter(OpeningHours).validate_python({"days": days})
    return OpeningClock(value, cldr.time_zone(Country("SA")))


def test_a_clock_tells_all_its_changes() -> None:
    """What is open around the clock never changes; a day begins at midnight of the place."""
    now = datetime(2026, 2, 1, 12, tzinfo=UTC)
    assert hours(daily="24h").state(now) == (True, None)
    assert hours(daily="closed").state(now) == (False, None)
    assert hours(sat="closed").state(now).changes_at is None
    changes = sorted(hours(daily="9:00-17:00").changes(now))
    assert any(each <= now for each in changes)
    assert any(each > now for each in changes)
