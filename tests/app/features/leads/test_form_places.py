"""Forms about the entries of kinds: what they choose, and when these are open."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import urlencode

import pytest
from cases import cases
from conftest import NOW as CHECKED_AT
from conftest import Content, ViewOf, Visit, locale_of
from contract.visitor import Reply, Visitor
from samples.tables import OLAYA, TABLE, TABLES

from app.features.leads.answers import answer_texts, read_answers, suitable
from knowledge.blocks.form import OtherOptions, OutOfRange
from knowledge.checks.content_linter import check_content
from knowledge.fields.form_fields import day_of
from knowledge.locales.locale import Language
from knowledge.resources.forms import site_form
from knowledge.snapshot.loading import load_content
from renderers.html.renderer import choice_text

HTML = {"Accept": "text/html"}
TYPED = {
    "name": "Noor",
    "phone": "+966501234567",
    "branch": "olaya",
    "people": "4",
    "day": "2026-11-22",  # a Sunday
    "time": "19:30",
    "website": "",
}


@pytest.fixture
def visitor(shared_visit: Visit) -> Visitor:
    """A site with branches and a form, and without leads."""
    visitor = shared_visit(TABLES)
    visitor.forget_leads()
    return visitor


def send(visitor: Visitor, locale: str, typed: Mapping[str, str]) -> Reply:
    """Post the form as a browser does."""
    headers = {**HTML, "Content-Type": "application/x-www-form-urlencoded"}
    body = urlencode({**TYPED, **typed}).encode()
    return visitor.ask("POST", f"{locale}/forms/table", headers, body=body)


def faults(reply: Reply) -> Mapping[str, str]:
    """Return the message at each field."""
    found = re.findall(r'id="table-(\w+)-error">([^<]*)<', reply.text)
    return {name: text.replace("\u200f", "") for name, text in found}


@cases(
    ("path", "options"),
    [
        ("/sa/en/table", [("bay", "Al Khobar Bay"), ("olaya", "Olaya")]),
        ("/sa/ar/table", [("olaya", "العليا"), ("bay", "خليج الخبر")]),
        ("/ae/en/table", [("marina", "Marina")]),
    ],
)
def test_a_choice_has_the_entries_of_a_kind(
    visitor: Visitor, path: str, options: list[tuple[str, str]]
) -> None:
    """Those of the country, in the order of their list, by their titles in the language."""
    page = visitor.get(path, HTML).text
    assert re.findall(r'<option value="(\w+)">([^<]*)<', page) == options
    found = visitor.get(f"{path}.json").json["page"]["sections"][-1]["form"]
    assert "when “Branch” is open" in visitor.get("/sa/en/table.md").text
    (field,) = [each for each in found["fields"] if each["name"] == "branch"]
    assert field["optionsFrom"] == "branches"
    assert [each["value"] for each in field["options"]] == [value for value, _ in options]


def test_a_form_without_an_entry_for_its_visitors_does_not_ask(view_of: ViewOf) -> None:
    """It could not be sent otherwise."""
    files = {**TABLES, "branches/marina.md": OLAYA}
    asked = site_form(view_of(files, "ae/en"), "table")
    assert asked is not None
    assert "branch" not in [each.name for each in asked.fields]


def test_a_renamed_entry_is_sent_by_its_former_name(visitor: Visitor) -> None:
    """A page that was opened before has the name of that time."""
    assert send(visitor, "/sa/en", {"branch": "tahlia"}).status == 303
    assert send(visitor, "/sa/en", {"branch": "marina"}).status == 400
    (stored,) = visitor.leads()
    assert stored.lead.answers == {
        "branch": "olaya",
        "people": 4,
        "day": "2026-11-22",
        "time": "19:30",
    }


def test_an_answer_of_before_a_renaming_has_the_present_title(view_of: ViewOf) -> None:
    """In mails and in the CRM."""
    asked = site_form(view_of(TABLES, "sa/ar"), "table")
    (told,) = answer_texts({"branch": "tahlia"}, asked, Language.AR, "نعم")
    assert told == ("الفرع", "العليا")


@cases(
    ("changes", "field", "english", "arabic"),
    [
        (
            {"day": "2026-11-27"},  # a Friday
            "day",
            "is closed on Friday, 27 November 2026. It is open again on Saturday, 28 November",
            "العليا مغلق يوم الجمعة، 27 نوفمبر 2026",
        ),
        ({"day": "2026-12-02"}, "day", "It is open again on Thursday, 3 December", "الخميس"),
        (
            {"time": "17:00"},
            "time",
            "On Sunday, 22 November 2026, Olaya is open: 12:00 to 16:00, 18:00 to 1:00. Please",
            "مواعيد العليا يوم الأحد",
        ),
        ({"time": "16:00"}, "time", "12:00 to 16:00", "12:00"),
        (
            {"day": "2026-11-20", "time": "12:30", "branch": "bay"},
            "time",
            "15:00 to 23:00",
            "15:00",
        ),
        (
            {"day": "2026-11-19", "branch": "bay"},
            "day",
            "Please stay between Friday, 20 November 2026 and Tuesday, 19 January 2027.",
            "اختر ما بين الجمعة، 20 نوفمبر 2026",
        ),
        ({"day": "2027-01-21", "branch": "bay"}, "day", "19 January 2027.", "19 يناير 2027."),
        ({"time": "24:00"}, "time", "cannot be read", "قراءته"),
        ({"time": "evening"}, "time", "cannot be read", "قراءته"),
    ],
)
def test_a_closed_day_or_time_is_named_with_what_is_open(
    visitor: Visitor, changes: dict[str, str], field: str, english: str, arabic: str
) -> None:
    """In the language of the page, at the field, by the hours of the chosen branch."""
    for locale, text in (("/sa/en", english), ("/sa/ar", arabic)):
        reply = send(visitor, locale, changes)
        assert reply.status == 400
        found = faults(reply)
        assert list(found) == [field]
        assert text in found[field]
    assert visitor.leads() == []


@cases(
    "changes",
    [
        {"time": "00:30", "day": "2026-11-23"},
        {"time": "00:30", "day": "2026-11-27"},  # after Thursday, on a closed Friday
        {"time": "9:30 pm"},
        {"day": "2026-11-20", "time": "15:00", "branch": "bay"},
        {"day": "2026-11-27", "branch": "bay"},
    ],
)
def test_what_is_open_is_taken(visitor: Visitor, changes: dict[str, str]) -> None:
    """Also after midnight, and on a day that another branch is closed."""
    assert send(visitor, "/sa/en", changes).status == 303


def test_browsers_get_the_limits(visitor: Visitor) -> None:
    """Of days ahead, and of times where no branch is open at night; without a script."""
    day, time = (
        re.findall(rf'<input id="table-{name}"[^>]*>', visitor.get("/ae/en/table", HTML).text)[0]
        for name in ("day", "time")
    )
    assert 'min="2026-11-20" max="2027-01-19"' in day
    assert 'type="time" min="12:00" max="23:00"' in time
    assert 'name="time" type="time" required' in visitor.get("/sa/en/table", HTML).text
    shown = send(visitor, "/ae/en", {"branch": "marina", "day": ""})
    assert 'min="2026-11-20" max="2027-01-19"' in shown.text


def test_a_closed_day_is_named_once(view_of: ViewOf) -> None:
    """Also if the time is asked first."""
    lines = TABLE.splitlines()
    (time,) = [each for each in lines if each.startswith("  time:")]
    lines.remove(time)
    lines.insert(lines.index("fields:") + 1, time)
    asked = site_form(view_of({**TABLES, "forms/table.md": "\n".join(lines)}, "sa/en"), "table")
    assert asked is not None
    answers = {"branch": "olaya", "people": 2, "day": "2026-11-27", "time": "20:00"}
    sent = {"name": "Noor", "phone": "+966501234567", "answers": answers}
    read = read_answers(asked, sent, {}, datetime(2026, 11, 20, 12, tzinfo=UTC))
    assert list(read.errors) == ["answers.day"]


def test_the_api_tells_what_is_open(visitor: Visitor) -> None:
    """The contract has no list of entries, as other countries have others."""
    answers = {"branch": "olaya", "people": 2, "day": "2026-11-27", "time": "20:00"}
    body = {"form": "table", "name": "Noor", "phone": "+966501234567", "localeCountry": "sa"}
    reply = visitor.post("/api/public/v1/leads", {**body, "answers": answers})
    error = reply.json["error"]
    assert (reply.status, error["message"]) == (400, "answers.day: when it is closed")
    assert "2026-11-28: 12:00-23:00" in json.dumps(error)
    contract = json.dumps(visitor.get("/openapi.json").json["components"]["schemas"]["Lead"])
    assert '"olaya"' not in contract


def test_the_hours_may_be_those_of_one_entry(view_of: ViewOf) -> None:
    """By its present or a former name, and by the name of one of several fields."""
    for written in ("branches/olaya.kitchen", "branches/tahlia.kitchen"):
        form = TABLE.replace("hours: branch", f"hours: {written}")
        asked = site_form(view_of({**TABLES, "forms/table.md": form}, "sa/en"), "table")
        assert asked is not None
        times = asked.fields[-1]
        assert (times.day, times.span) == ("day", ("12:00", "22:00"))
        assert times.places[""].title == {"en": "Olaya (Kitchen)", "ar": "العليا (المطبخ)"}
        spans = times.places[""].open_on(date(2026, 11, 27), datetime(2026, 11, 1, tzinfo=UTC))
        assert [opens.hour for opens, _ in spans] == [12]


WAITERS = """---
singular: { en: Waiter, ar: نادل }
plural: { en: Waiters, ar: الندل }
sort: title
fields:
  branches: { type: reference, to: branches, many: true }
---
"""
SERVED: Mapping[str, str | bytes] = {
    **TABLES,
    "forms/table.md": TABLE.replace(
        "  people:", "  waiter: { type: choice, choices: { from: waiters }, of: branch }\n  people:"
    ),
    "_kinds/waiters.md": WAITERS,
    "waiters/adel.md": "---\ntitle: { en: Adel, ar: عادل }\nbranches: [tahlia]\n---\n",
    "waiters/badr.md": "---\ntitle: { en: Badr, ar: بدر }\nbranches: [olaya, bay, marina]\n---\n",
    "waiters/carim.md": "---\ntitle: { en: Carim, ar: كريم }\nbranches: [marina]\n---\n",
    "waiters/dina.md": "---\ntitle: { en: Dina, ar: دينا }\n---\n",
}


@pytest.fixture
def served(shared_visit: Visit) -> Visitor:
    """The site with waiters, most of whom work in some of its branches."""
    visitor = shared_visit(SERVED)
    visitor.forget_leads()
    return visitor


def test_a_choice_tells_of_which_entries_its_options_are(served: Visitor) -> None:
    """In all forms; those of no branch of the country are left out, and who has none is of all."""
    page = served.get("/sa/en/table", HTML).text
    assert re.findall(r'<option value="\w+">([A-D][^<]*)<', page)[-3:] == [
        "Adel – Olaya",
        "Badr – Olaya, Al Khobar Bay",
        "Dina",
    ]
    form = served.get("/sa/en/table.json").json["page"]["sections"][-1]["form"]
    (asked,) = [each for each in form["fields"] if each["name"] == "waiter"]
    assert (asked["of"], [each.get("of") for each in asked["options"]]) == (
        "branch",
        [["olaya"], ["olaya", "bay"], None],
    )
    assert "`badr` بدر – العليا، خليج الخبر" in served.get("/sa/ar/table.md").text
    assert "Badr – Marina" in served.get("/ae/en/table", HTML).text


def test_an_option_of_another_entry_is_refused_with_those_that_there_are(served: Visitor) -> None:
    """At the field, in the language of the page, and by the API."""
    for locale, text in (
        ("/sa/en", "At Al Khobar Bay you can choose: Badr, Dina."),
        ("/sa/ar", "المتاح في خليج الخبر: بدر، دينا."),
    ):
        reply = send(served, locale, {"branch": "bay", "day": "2026-11-22", "waiter": "adel"})
        assert (reply.status, faults(reply)) == (400, {"waiter": text})
    answers = {"branch": "bay", "people": 2, "day": "2026-11-22", "time": "20:00", "waiter": "adel"}
    body = {"form": "table", "name": "Noor", "phone": "+966501234567", "localeCountry": "sa"}
    error = served.post("/api/public/v1/leads", {**body, "answers": answers}).json["error"]
    assert error["message"] == "answers.waiter: not an option of bay"
    assert "badr, dina" in json.dumps(error)
    assert served.leads() == []
    for branch, waiter in (("olaya", "adel"), ("bay", "badr"), ("bay", "dina"), ("bay", "")):
        assert send(served, "/sa/en", {"branch": branch, "waiter": waiter}).status == 303


def test_a_branch_without_any_option_says_so(view_of: ViewOf) -> None:
    """The field is then to be left empty."""
    files = {
        path: text for path, text in SERVED.items() if path[:10] not in ("waiters/ba", "waiters/di")
    }
    asked = site_form(view_of(files, "sa/en"), "table")
    assert asked is not None
    answers = {"branch": "bay", "people": 2, "day": "2026-11-22", "time": "20:00", "waiter": "adel"}
    sent = {"name": "Noor", "phone": "+966501234567", "answers": answers}
    wrong = read_answers(asked, sent, {}, datetime(2026, 11, 20, 12, tzinfo=UTC)).errors
    other = wrong["answers.waiter"]
    assert isinstance(other, OtherOptions)
    assert (
        choice_text(other, locale_of("sa/en"))
        == "At Al Khobar Bay there is none. Please leave this empty."
    )
    assert other.allowed == "nothing: leave it out"


def test_an_option_without_one_of_a_required_field_is_left_out(
    view_of: ViewOf, content: Content
) -> None:
    """It could not be sent; a check names a choice of which none is left."""
    form = str(SERVED["forms/table.md"]).replace("of: branch", "of: branch, required: true")
    files = {path: text for path, text in SERVED.items() if path[:10] != "waiters/di"}
    files |= {"forms/table.md": form, "waiters/badr.md": files["waiters/adel.md"]}

    def branches(files: Mapping[str, str | bytes], locale: str) -> list[str]:
        asked = site_form(view_of(files, locale), "table")
        assert asked is not None
        fields = {each.name: each for each in asked.fields}
        return [each.value for each in fields["branch"].options or ()]

    assert branches(files, "sa/en") == ["olaya"]
    assert branches({**files, "waiters/badr.md": SERVED["waiters/dina.md"]}, "sa/en") == [
        "bay",
        "olaya",
    ]
    checked = check_content(load_content(content(files)), CHECKED_AT)
    assert [each.message for each in checked if each.path == "forms/table.md"] == []
    cooks = {each.replace("waiters", "cooks"): text for each, text in files.items()}
    cooks["cooks/adel.md"] = "---\ntitle: Cem\nbranches: [bay]\n---\n"
    cooks["cooks/badr.md"] = cooks["cooks/adel.md"]
    second = "cook: { type: choice, choices: { from: cooks }, of: branch, required: true }"
    cooks["forms/table.md"] = form.replace("  people:", f"  {second}\n  people:")
    checked = check_content(load_content(content({**files, **cooks})), CHECKED_AT)
    found = [(each.line, each.message) for each in checked if each.path == "forms/table.md"]
    message = "fields.branch: in en-SA no option has one of each required field that depends on it."
    assert found == [(7, message)]


WRONG = """---
title: Wrong
fields:
  email: { type: email, required: true }
  branch: { type: choice, choices: { from: brunches } }
  day: { type: date, min: 9:00, hours: email }
  time: { type: time, min: today+3, hours: branches/nowhere }
  late: { type: time, hours: branches/olaya.bar }
  many: { type: choice, many: true, choices: { from: branches } }
  other: { type: date, hours: many, min: today+9, max: 2027-01-01 }
  seats: { type: number, max: today, hours: branch }
  waiter: { type: choice, choices: { from: waiters }, of: many }
  place: { type: choice, choices: { from: branches }, of: server }
  server: { type: choice, choices: { from: waiters } }
---
"""


def test_checks_name_what_is_wrong_with_its_line(content: Content) -> None:
    """And what to do about it."""
    loaded = load_content(content({**SERVED, "forms/wrong.md": WRONG}))
    found = [each for each in check_content(loaded, CHECKED_AT) if each.path == "forms/wrong.md"]
    neither = "is neither a choice from a kind nor an entry."
    assert {(each.line, each.message) for each in found if each.line > 1} == {
        (5, "fields.branch.choices: there is no kind “brunches”."),
        (6, "fields.day.min: 09:00 does not fit the type date."),
        (6, f"fields.day.hours: “email” {neither}"),
        (7, "fields.time.min: today+3 does not fit the type time."),
        (7, "fields.time.hours: there is no branches/nowhere.md."),
        (8, "fields.late.hours: branches has no field “bar” of the type hours."),
        (10, f"fields.other.hours: “many” {neither}"),
        (11, "fields.seats.max: today does not fit the type number."),
        (11, "fields.seats.hours: a field of the type number has no such key."),
        (11, f"fields.seats.hours: “branch” {neither}"),
        (12, "fields.waiter.of: “many” is no choice of one entry of a kind."),
        (13, "fields.place.of: branches refers to no waiters."),
    }
    assert all(each.suggestion for each in found)
    text = TABLE.replace("  day:\n    type: date", "  day:\n    type: text").replace(
        "min: today", ""
    )
    loaded = load_content(content({**TABLES, "forms/table.md": text}))
    messages = [each.message for each in check_content(loaded, CHECKED_AT)]
    assert "fields.time.hours: a time with hours needs a field for the day." in messages


STAY = """---
title: Stay
fields:
  email: { type: email, required: true }
  arrival: { type: date, label: { en: Arrival, ar: يوم الوصول }, min: today }
  departure: { type: date, min: arrival+1, max: today + 90 }
  guests: { type: integer }
  children: { type: number, max: guests }
  opens: { type: time, max: until }
  until: { type: time }
---
"""


@cases(
    ("changes", "errors"),
    [
        ({}, {}),
        ({"departure": "2026-12-20"}, {"departure": "from 2026-12-21, by answers.arrival"}),
        ({"arrival": None, "departure": "2026-12-18"}, {}),
        ({"children": 4}, {"children": "up to 3, by answers.guests"}),
        ({"opens": "21:00"}, {"opens": "up to 20:30, by answers.until"}),
        ({"departure": "2027-06-01"}, {"departure": "up to 2027-02-18"}),
    ],
)
def test_a_limit_may_be_the_answer_to_another_field(
    view_of: ViewOf, changes: Mapping[str, Any], errors: Mapping[str, str]
) -> None:
    """Of days, also some days later; what is left empty limits nothing."""
    asked = site_form(view_of({"forms/stay.md": STAY}), "stay")
    assert asked is not None
    answers = {"arrival": "2026-12-20", "departure": "2026-12-21", "guests": 3, "children": 1}
    answers |= {"opens": "20:00", "until": "20:30", **changes}
    sent = {"email": "noor@example.com", "answers": answers}
    found = read_answers(asked, sent, {}, datetime(2026, 11, 20, 12, tzinfo=UTC)).errors
    told = {
        name[8:]: suitable(each) for name, each in found.items() if isinstance(each, OutOfRange)
    }
    assert told == errors


def test_a_limit_by_another_field_is_told_with_its_label(shared_visit: Visit) -> None:
    """At the field, in the language of the page; browsers get no limit that they cannot read."""
    visitor = shared_visit({"forms/stay.md": STAY})
    typed = {"email": "noor@example.com", "arrival": "2026-12-20", "departure": "2026-12-18"}
    headers = {**HTML, "Content-Type": "application/x-www-form-urlencoded"}
    for locale, text in (
        ("/ae/en", "Please choose Monday, 21 December 2026 or later. It depends on “Arrival”."),
        ("/ae/ar", "يتوقف ذلك على «يوم الوصول»."),
    ):
        body = urlencode({**typed, "website": ""}).encode()
        reply = visitor.ask("POST", f"{locale}/forms/stay", headers, body=body)
        assert reply.status == 400
        assert text in re.findall(r'id="stay-departure-error">([^<]*)<', reply.text)[0]
    assert 'name="departure" type="date" max="' in visitor.get("/ae/en/stay", HTML).text


def test_a_limit_by_a_field_of_another_type_is_named(content: Content) -> None:
    """And one by a field that the form does not have."""
    form = STAY.replace("arrival+1", "arival+1").replace("max: guests", "max: arrival")
    form = form.replace("max: until", "max: until+2")
    found = check_content(load_content(content({"forms/stay.md": form})), CHECKED_AT)
    assert {(each.line, each.message) for each in found if each.path == "forms/stay.md"} >= {
        (6, "fields.departure.min: there is no field “arival”."),
        (8, "fields.children.max: arrival does not fit the type number."),
        (9, "fields.opens.max: until+2 does not fit the type time."),
    }


@cases(
    ("limits", "is_wrong"),
    [
        ("type: date, min: today+7, max: today+3", True),
        ("type: date, min: today + 3, max: today+7", False),
        ("type: date, min: today+7, max: 2026-01-01", False),
        ("type: time, min: 21:00, max: 9:00", True),
        ("type: time, min: 9:00, max: 21:00", False),
    ],
)
def test_limits_are_in_order(content: Content, limits: str, is_wrong: bool) -> None:
    """Of days ahead and of times, as of numbers."""
    email = "{ type: email, required: true }"
    form = f"---\ntitle: A\nfields:\n  email: {email}\n  a: {{ {limits} }}\n---\n"
    found = load_content(content({"forms/a.md": form})).diagnostics
    assert any("min is above max" in each.message for each in found) == is_wrong


FROM, OWN = "{ from: branches }", "{ olaya: { en: Home, ar: الأصل }, late: { en: Late } }"
LATER = "{ bay: { en: By the sea }, late: { ar: متأخرًا } }"


@cases(
    ("below", "above", "values", "is_kind"),
    [
        (FROM, FROM, ["bay", "olaya"], True),
        (FROM, OWN, ["olaya", "late"], False),
        (OWN, FROM, ["bay", "olaya"], True),
        (OWN, LATER, ["olaya", "late", "bay"], False),
        (FROM, None, ["bay", "olaya"], True),
        (OWN, None, ["olaya", "late"], False),
    ],
)
def test_choices_of_a_layer_are_taken_instead(
    view_of: ViewOf,
    content: Content,
    below: str,
    above: str | None,
    values: list[str],
    is_kind: bool,
) -> None:
    """Options add to options; a check names what then has no kind any more."""
    form = str(SERVED["forms/table.md"]).replace(FROM, below, 1)
    layer = f"---\nfields: {{ branch: {{ choices: {above} }} }}\n---\n" if above else "---\n---\n"
    files = {**SERVED, "forms/table.md": form, "forms/table.sa.md": layer}
    asked = site_form(view_of(files, "sa/en"), "table")
    assert asked is not None
    (branch,) = [each for each in asked.fields if each.name == "branch"]
    assert [each.value for each in branch.options or ()] == values
    found = check_content(load_content(content(files)), CHECKED_AT)
    messages = {each.message for each in found if each.path.startswith("forms/")}
    of_none = "fields.waiter.of: “branch” is no choice of one entry of a kind."
    assert (of_none in messages) is not is_kind


def test_a_layer_changes_what_it_names(view_of: ViewOf, content: Content) -> None:
    """Of a country and of a language; the other keys of the field stay, and its place."""
    layers = {
        "forms/table.ae.md": "---\nfields: { people: { max: 6 }, note: { type: text } }\n---\n",
        "forms/table.ar.md": "---\nfields: { people: { help: مع الأطفال } }\n---\nنحتفظ بها.\n",
    }
    found = {
        locale: site_form(view_of({**TABLES, **layers}, locale), "table")
        for locale in ("sa/en", "ae/ar")
    }
    people = {}
    for locale, asked in found.items():
        assert asked is not None
        (people[locale],) = [each for each in asked.fields if each.name == "people"]
    assert (people["sa/en"].maximum, people["ae/ar"].maximum) == ("12", "6")
    emirates = people["ae/ar"]
    assert (emirates.minimum, emirates.required, emirates.type) == ("1", True, "number")
    assert (emirates.label["ar"], emirates.help) == ("عدد الأشخاص", {"ar": "مع الأطفال"})
    ordered = found["ae/ar"]
    assert ordered is not None
    assert [each.name for each in ordered.fields][3:] == ["branch", "people", "day", "time", "note"]
    layers["forms/table.ae.md"] = "---\nfields: { people: { min: 20 }, note: { help: x } }\n---\n"
    loaded = load_content(content({**TABLES, **layers}))
    messages = {each.message for each in check_content(loaded, CHECKED_AT)}
    assert {"fields.people: min is above max.", "fields.note.type is required."} <= messages


NOTIFIED = TABLE.replace(
    "fields:",
    """notify: [hello@tables.example]
notifyBy:
  branch: mailbox
  people: { few: [few@tables.example], many: "many@tables.example, chef@tables.example" }
  country: { ae: dubai@tables.example }
fields:""",
).replace(
    "people: { type: number, label: { en: People, ar: عدد الأشخاص }, min: 1, max: 12",
    "people: { type: choice, choices: { few: Few, many: Many, some: Some }",
)


@cases(
    ("locale", "answers", "told"),
    [
        ("sa/en", {"branch": "olaya", "people": "many"}, ["olaya@tables.example"]),
        ("sa/en", {"branch": "bay", "people": "few"}, ["few@tables.example"]),
        (
            "sa/en",
            {"branch": "bay", "people": "many"},
            ["many@tables.example", "chef@tables.example"],
        ),
        ("sa/ar", {"branch": "bay", "people": "some"}, ["hello@tables.example"]),
        ("ae/ar", {"branch": "marina", "people": "few"}, ["marina@tables.example"]),
        ("ae/ar", {"branch": "gone"}, ["dubai@tables.example"]),
    ],
)
def test_those_are_told_whom_an_answer_names(
    view_of: ViewOf, locale: str, answers: dict[str, str], told: list[str]
) -> None:
    """The mailbox of a branch, of an option, of a country; else those of the form."""
    asked = site_form(view_of({**TABLES, "forms/table.md": NOTIFIED}, locale), "table")
    assert asked is not None
    assert asked.told_of(asked.answers_of({"answers": answers})) == tuple(told)
    assert "tables.example" not in asked.model_dump_json()


def test_a_lead_is_kept_with_those_who_are_told(visit: Visit) -> None:
    """By the page and by the API."""
    visitor = visit({**TABLES, "forms/table.md": NOTIFIED})
    assert send(visitor, "/sa/en", {"people": "few"}).status == 303
    answers = {name: TYPED[name] for name in ("branch", "day", "time")} | {"people": "few"}
    body = {"form": "table", "name": "Omar", "phone": TYPED["phone"], "localeCountry": "sa"}
    assert visitor.post("/api/public/v1/leads", {**body, "answers": answers}).status == 200
    assert [each.notify for each in visitor.leads()] == [("olaya@tables.example",)] * 2


def test_a_mail_that_cannot_be_sent_is_named(content: Content) -> None:
    """With its line; the form itself stays."""
    notified = """notify: [hello@tables.example]
notifyBy:
  branch: phone
  people: mailbox
  day: { monday: a@b.example }
  nobody: mailbox
  country: { fr: a@b.example, ae: nowhere }
fields:"""
    notified = notified.replace(
        "fields:", "subject: { en: 'For {guests}', ar: 'في {day}' }\ncopy: true\nfields:"
    )
    form = TABLE.replace("fields:", notified).replace("  email: { type: email }\n", "")
    loaded = load_content(content({**TABLES, "forms/table.md": form}))
    found = [each for each in check_content(loaded, CHECKED_AT) if each.path == "forms/table.md"]
    assert {(each.line, each.message) for each in found if each.line > 1} == {
        (5, "notifyBy.branch: “phone” is no field of the type mail of a chosen entry."),
        (6, "notifyBy.people: there is no choice of this name."),
        (7, "notifyBy.day: there is no choice of this name."),
        (8, "notifyBy.nobody: there is no choice of this name."),
        (9, "notifyBy.country: “fr” is not one of the options."),
        (9, "notifyBy.country.ae: “nowhere” is no e-mail address."),
        (10, "subject: there is no field “guests”."),
        (11, "copy: the form does not ask for an e-mail address."),
    }
    assert "forms/table.md" in loaded.snapshot.by_path


def test_a_day_ahead_is_counted_from_today() -> None:
    """Over the end of a year."""
    assert day_of("today+7", date(2026, 12, 28)) == "2027-01-04"


def test_the_forms_of_the_tests_have_no_faults(content: Content) -> None:
    """Neither the branches nor the booking."""
    loaded = load_content(content(TABLES))
    found = check_content(loaded, CHECKED_AT)
    assert [each for each in found if each.path.startswith(("forms/", "branches/"))] == []
