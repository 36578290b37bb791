"""The calendar of a declared kind of events, as an independent reader of RFC 5545 reads it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import NOW, FakeClock, Visitor
from icalendar import Calendar
from json_ld import node, nodes_of

from knowledge.snapshot.loading import load_content
from renderers.feeds.calendar import folded

KIND = """---
singular: { en: Event, ar: فعالية }
plural: { en: Events, ar: الفعاليات }
date: startsAt
endDate: endsAt
fields:
  startsAt: { type: date, required: true, show: card }
  endsAt: { type: date }
  place: { type: place }
---
"""
LONG = "ندوة عن مصادر المياه الجوفية في عُمان وإدارتها المستدامة، مع عرض لنتائج المسح الأخير"
EVENTS = {
    "_kinds/events.md": KIND,
    "events/seminar.md": f"""---
title: {{ en: "Water, soil; and \\"salt\\"", ar: "{LONG}" }}
shortDescription: {{ en: One hour with questions. }}
startsAt: 2026-12-03T18:00:00+04:00
endsAt: 2026-12-03T19:30:00+04:00
place:
  address: {{ en: "Hall 4, Muscat", ar: "القاعة 4، مسقط" }}
  latitude: 23.5
  longitude: 58.4
---
Text.
""",
    "events/seminar.sa.md": "---\nstartsAt: 2026-12-04T18:00:00+03:00\n---\n",
    "events/fair.md": "---\ntitle: Fair\nstartsAt: 2026-12-10\nendsAt: 2026-12-12\n---\nText.\n",
    "events/visit.md": "---\ntitle: Visit\nstartsAt: 2026-11-20\n---\nText.\n",
    "events/talk.md": "---\ntitle: Talk\nstartsAt: 2026-11-20T12:00:30Z\n---\nText.\n",
    "events/opening.md": "---\ntitle: Opening\nstartsAt: 2025-01-05\n---\nText.\n",
    "events/reunion.md": "---\ntitle: Reunion\nstartsAt: 2025-06-05\n---\nText.\n",
    "events/private.md": "---\ntitle: Private\nstartsAt: 2026-12-05\nseo: {noIndex: true}\n---\n",
    "events/undated.md": "---\ntitle: Undated\n---\nText.\n",
}


def calendar_of(visitor: Visitor, locale: str = "/om/en") -> Any:
    """Return the calendar of a locale as a program reads it."""
    reply = visitor.get(f"{locale}/events/calendar.ics")
    assert reply.status == 200
    assert reply.headers["Content-Type"] == "text/calendar; charset=utf-8"
    return Calendar.from_ical(reply.body)


def events_of(visitor: Visitor, locale: str = "/om/en") -> dict[str, Any]:
    """Return the events of a locale by title."""
    return {str(each["SUMMARY"]): each for each in calendar_of(visitor, locale).walk("VEVENT")}


def test_an_event_has_its_times_place_and_texts(shared_visit: Visit) -> None:
    """Of the reader's language and country; the id is that of the country's version in both."""
    site = shared_visit(EVENTS)
    english = events_of(site)['Water, soil; and "salt"']
    assert english.start == datetime(2026, 12, 3, 14, tzinfo=UTC)
    assert english.end == datetime(2026, 12, 3, 15, 30, tzinfo=UTC)
    assert (english["LOCATION"], english["DESCRIPTION"]) == (
        "Hall 4, Muscat",
        "One hour with questions.",
    )
    assert english["GEO"].to_ical() == "23.5;58.4"
    assert english["URL"] == "https://www.wahat.example/om/en/events/seminar"
    arabic = events_of(site, "/om/ar")[LONG]
    assert (arabic["LOCATION"], arabic["SUMMARY"].params["LANGUAGE"]) == ("القاعة 4، مسقط", "ar")
    assert arabic["UID"] == english["UID"]
    saudi = events_of(site, "/sa/ar")[LONG]
    assert saudi["UID"] != arabic["UID"]
    fair, arabic_fair = (events_of(site, each)["Fair"]["UID"] for each in ("/om/en", "/sa/ar"))
    assert fair == arabic_fair == "/events/fair@www.wahat.example"
    assert saudi.start == datetime(2026, 12, 4, 15, tzinfo=UTC)
    assert "DTEND" not in saudi  # that of the country would be before its start


def test_a_date_without_time_is_a_whole_day(shared_visit: Visit) -> None:
    """The end of several days is the day after the last, as calendars expect."""
    events = events_of(shared_visit(EVENTS))
    assert (events["Fair"].start, events["Fair"].end) == (date(2026, 12, 10), date(2026, 12, 13))
    assert events["Visit"].duration == timedelta(days=1)
    assert not {"Private", "Undated"} & set(events)


def test_the_file_is_as_the_standard_says(shared_visit: Visit) -> None:
    """Lines end with CRLF and have 75 octets at most; what readers require is there, once."""
    site = shared_visit(EVENTS)
    body = site.get("/om/ar/events/calendar.ics").body
    lines = body.split(b"\r\n")
    assert lines.pop() == b""
    assert max(map(len, lines)) <= 75
    assert not [line for line in lines if b"\n" in line]
    assert "".join(each.decode() for each in lines)  # no line ends within a character
    calendar = calendar_of(site, "/om/ar")
    assert calendar["X-WR-CALNAME"].to_ical().decode() == "الفعاليات | www.wahat.example"
    ids = [each["UID"] for each in calendar.walk("VEVENT")]
    assert len(ids) == len(set(ids)) == 6
    assert not [each for each in calendar.walk() if each.errors]


def test_each_event_has_the_time_of_its_last_change(visit: Visit) -> None:
    """One whose author does not say so has the day on which the calendar is made."""
    changed = EVENTS["events/fair.md"].replace("title", "updated: 2026-05-04T03:02:01Z\ntitle")
    later = EVENTS["events/visit.md"].replace("title", "updated: 2027-01-01\ntitle")
    site = visit(EVENTS | {"events/fair.md": changed, "events/visit.md": later})
    stamps = {title: each["DTSTAMP"].dt for title, each in events_of(site).items()}
    assert stamps["Fair"] == datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)
    assert stamps["Talk"] == NOW.replace(hour=0, minute=0, second=0, microsecond=0)
    assert stamps["Visit"] == NOW


@cases("text", ["", "x" * 400, "ع" * 200, "x" * 74 + "ع", "a😀" * 60])
def test_folding_keeps_the_text(text: str) -> None:
    """A reader removes each break with the blank after it."""
    parts = folded(text).split("\r\n")
    assert max(len(each.encode()) for each in parts) <= 75
    assert folded(text).replace("\r\n ", "") == text


def test_the_list_links_the_calendar(shared_visit: Visit) -> None:
    """For programs, for readers, and by the scheme with which calendars subscribe."""
    site = shared_visit(EVENTS)
    html = site.get("/om/en/events", {"Accept": "text/html"}).text
    path = "/om/en/events/calendar.ics"
    assert f'type="text/calendar" title="Events | www.wahat.example" href="{path}">' in html
    assert f'<a href="{path}" type="text/calendar">' in html
    assert f'<a href="webcal://www.wahat.example{path}"' in html
    assert f"]({'https://www.wahat.example'}{path})" in site.get("/om/en/events.md").text
    head = site.ask("HEAD", path)
    etag = site.get(path).headers["ETag"]
    assert (head.status, head.headers["ETag"]) == (200, etag)
    assert site.get(path, {"If-None-Match": etag}).status == 304
    assert site.get("/om/en/events/other.ics").status == 404
    assert site.get("/om/en/blog/calendar.ics").status == 404


def shown_order(visitor: Visitor) -> list[str]:
    """Return headings and titles of the list in markdown, in their order."""
    lines = visitor.get("/om/en/events.md").text.splitlines()
    return [
        line.removeprefix("## ") if line.startswith("## ") else line[3:].partition("]")[0]
        for line in lines
        if line.startswith(("## ", "- ["))
    ]


def test_events_to_come_are_above_those_that_are_over(visit: Visit, clock: FakeClock) -> None:
    """The next one first, then the last one; an event changes its place when it is over."""
    clock.now = NOW
    site = visit(EVENTS)
    upcoming = ["Visit", "Talk", 'Water, soil; and "salt"', "Private", "Fair", "Undated"]
    past = ["Reunion", "Opening"]
    assert shown_order(site) == ["Upcoming", *upcoming, "Past", *past]
    listed = site.get("/api/public/v1/kinds/events?country=om").json["items"]
    assert [each["past"] for each in listed] == [False] * 6 + [True] * 2
    html = site.get("/om/ar/events", {"Accept": "text/html"}).text.partition("<main")[2]
    assert (
        html.index("القادمة") < html.index("Fair") < html.index("السابقة") < html.index("Reunion")
    )
    clock.move(timedelta(minutes=1))
    assert shown_order(site)[-4:] == ["Past", "Talk", *past]
    clock.move(timedelta(days=1))
    assert shown_order(site)[-5:] == ["Past", "Talk", "Visit", *past]


def test_search_engines_get_an_event(shared_visit: Visit) -> None:
    """With its dates and place, without any further declaration."""
    site = shared_visit(EVENTS)

    def event(slug: str) -> dict[str, object]:
        html = site.get(f"/om/en/events/{slug}", {"Accept": "text/html"}).text
        found = node(nodes_of(html), "Event")
        assert found
        return found

    seminar = event("seminar")
    assert seminar["startDate"] == "2026-12-03T18:00:00+04:00"
    assert seminar["endDate"] == "2026-12-03T19:30:00+04:00"
    place = seminar["location"]
    assert isinstance(place, dict)
    address = {"streetAddress": "Hall 4, Muscat", "addressCountry": "OM"}
    assert (place["@type"], place["address"]) == ("Place", {"@type": "PostalAddress", **address})
    assert (event("fair")["startDate"], event("fair")["endDate"]) == ("2026-12-10", "2026-12-12")
    assert "startDate" not in event("undated")


@cases(
    ("change", "has_calendar"),
    [
        pytest.param(lambda text: text, True, id="date of its own"),
        pytest.param(
            lambda text: text.replace("endDate", "calendar: false\nendDate"), False, id="off"
        ),
        pytest.param(
            lambda text: text.replace("date: startsAt\nendDate: endsAt", "date: publishedAt"),
            False,
            id="date of publication",
        ),
    ],
)
def test_a_kind_of_another_date_has_no_calendar(
    shared_visit: Visit, change: Callable[[str], str], has_calendar: bool
) -> None:
    """What is published takes place at no time; its list has feeds only, the newest first."""
    site = shared_visit({**EVENTS, "_kinds/events.md": change(KIND)})
    status = site.get("/om/en/events/calendar.ics").status
    html = site.get("/om/en/events", {"Accept": "text/html"}).text
    assert (status == 200, "calendar.ics" in html, "Past" in html) == (has_calendar,) * 3
    assert "feed.xml" in html


@cases(
    ("part", "message"),
    [
        ("endDate: nothing\n", "endDate: “nothing” is no date"),
        ("calendar: true\n", "calendar: events need a date"),
    ],
)
def test_a_calendar_that_cannot_be_is_named(
    tmp_path_factory: pytest.TempPathFactory, part: str, message: str
) -> None:
    """With the line of its key."""
    root = tmp_path_factory.mktemp("site")
    (root / "_kinds").mkdir()
    date_key = "date: day\n" if "endDate" in part else "\n"
    fields = "fields: { day: { type: date } }\n"
    head = f"---\nsingular: Event\nplural: Events\n{date_key}"
    (root / "_kinds/events.md").write_text(f"{head}{part}{fields}---\n", encoding="utf-8")
    (found,) = load_content(root).diagnostics
    assert message in found.message
    assert found.line == 5
