"""The calendar of a declared kind of events (RFC 5545), at `calendar.ics` below its list.

Times are in UTC, which calendars show in the zone of their reader; a date without a time is a whole
day. Events with `noIndex` are left out, as from feeds.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from urllib.parse import quote, urlsplit

from knowledge.addresses.addresses import Address, page_of
from knowledge.fields.kinds import Kind
from knowledge.fields.moments import is_day
from knowledge.resources.document_page import short_text, title_of
from knowledge.resources.kind_documents import entries
from knowledge.resources.listing import is_noindex
from knowledge.resources.own_values import OwnText, own_values
from knowledge.snapshot.layer_resolution import Resolved, is_country_specific
from knowledge.views.content_view import ContentView
from renderers.html.page_links import CALENDAR, feed_links
from renderers.representation import Representation

LIMIT = 500
"""Maximum number of events: those to come, then the latest ones that are over."""

_WIDTH = 75
"""Maximum number of octets of a line."""

_REFRESH = "PT6H"
_SPECIAL = re.compile(r"[\\;,]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def render_calendar(view: ContentView, page: Address) -> Representation | None:
    """Render the events of a list in the view's locale; None if the list has no calendar."""
    if not page.page.has_calendar:
        return None
    kind = view.snapshot.kinds.by_name[page.page.kind]
    dated = (each for each in entries(view, kind) if kind.span(each.fields))
    shown = list(islice((each for each in dated if not is_noindex(each.seo)), LIMIT))
    lines = [
        *_head(view, page),
        *(
            line
            for event in view.each(shown, lambda each: _event(view, kind, each))
            for line in event
        ),
        "END:VCALENDAR",
    ]
    body = "".join(f"{folded(line)}\r\n" for line in lines).encode()
    updated_at = max((each.updated_at for each in shown if each.updated_at), default=None)
    return Representation(CALENDAR, body, view.locale.language, updated_at)


def _head(view: ContentView, page: Address) -> Iterator[str]:
    name = feed_links(view, page)[0].title
    yield from ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Majlis//Events//EN")
    yield from ("CALSCALE:GREGORIAN", "METHOD:PUBLISH")
    yield from (f"NAME:{escaped(name)}", f"X-WR-CALNAME:{escaped(name)}")
    yield f"URL:{view.absolute(view.locale.path + page.path)}"
    yield from (f"REFRESH-INTERVAL;VALUE=DURATION:{_REFRESH}", f"X-PUBLISHED-TTL:{_REFRESH}")


def _event(view: ContentView, kind: Kind, event: Resolved) -> Sequence[str]:
    path = page_of(kind.content_type, event.entry.slug, view.snapshot).path
    # The same in all languages, and in all countries unless one has its own version of the event.
    country = view.locale.country if is_country_specific(event.entry) else None
    uid = f"/{country.slug}{path}" if country else path
    return [
        "BEGIN:VEVENT",
        f"UID:{quote(uid)}@{urlsplit(view.base_url).hostname or 'localhost'}",
        f"DTSTAMP:{_utc(_revised_at(view, event))}",
        *_dates(kind, event),
        *_texts(view, kind, event),
        f"URL:{view.absolute(view.locale.path + path)}",
        "END:VEVENT",
    ]


def _revised_at(view: ContentView, event: Resolved) -> datetime:
    """Return when an event was last changed; without a date the day on which this is made.

    The output does not change within a day, nor from one machine to another.
    """
    today = view.now.replace(hour=0, minute=0, second=0, microsecond=0)
    return min(event.updated_at or today, view.now)


def _dates(kind: Kind, event: Resolved) -> Iterator[str]:
    """Yield start and end; the last of several whole days is before the end, as others expect."""
    span = kind.span(event.fields)
    if span is None:
        return
    starts_at, ends_at = span
    if is_day(starts_at) and (ends_at is None or is_day(ends_at)):
        last = max(ends_at or starts_at, starts_at)
        yield f"DTSTART;VALUE=DATE:{starts_at:%Y%m%d}"
        yield f"DTEND;VALUE=DATE:{last + timedelta(days=1):%Y%m%d}"
        return
    yield f"DTSTART:{_utc(starts_at)}"
    if ends_at and ends_at > starts_at:
        yield f"DTEND:{_utc(ends_at)}"


def _texts(view: ContentView, kind: Kind, event: Resolved) -> Iterator[str]:
    language = f"LANGUAGE={event.language}"
    yield f"SUMMARY;{language}:{escaped(title_of(event))}"
    description = short_text(event)
    if description:
        yield f"DESCRIPTION;{language}:{escaped(description)}"
    for value in own_values(view, event):
        if value.field == kind.location:
            shown = (each.text if isinstance(each, OwnText) else str(each) for each in value.shown)
            yield f"LOCATION;{language}:{escaped(', '.join(shown))}"
            if value.field.type == "place" and {"latitude", "longitude"} <= value.json.keys():
                yield f"GEO:{value.json['latitude']};{value.json['longitude']}"


def _utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def escaped(text: str) -> str:
    r"""Return a text as the value of a property.

    >>> print(escaped("Tea, coffee; and\ncake"))
    Tea\, coffee\; and\ncake
    """
    lines = _SPECIAL.sub(r"\\\g<0>", _CONTROL.sub("", text)).splitlines()
    return r"\n".join(lines)


def folded(line: str) -> str:
    r"""Return a line in parts of at most 75 octets; no part ends within a character.

    >>> folded("x" * 76)[74:]
    'x\r\n x'
    """
    parts, width = [""], 0
    for character in line:
        size = len(character.encode())
        if width + size > _WIDTH:
            parts.append(" ")
            width = 1
        parts[-1] += character
        width += size
    return "\r\n".join(parts)
