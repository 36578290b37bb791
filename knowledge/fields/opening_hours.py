"""Opening hours: the spans of each day, seasons and exceptions, and what is open at an instant.

Spans are kept as texts such as `08:00-22:00`. One that ends before it begins ends on the next day.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from itertools import chain
from typing import Annotated, Any, NamedTuple
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BeforeValidator

from knowledge.diagnostics.messages import Text
from knowledge.fields.field_types import InvalidValue, LocalizedText, UtcDateTime
from knowledge.fields.front_matter import Fields, front_matter
from knowledge.fields.json_schemas import TEXT_LIST, written

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
"""The days of the week by number, as `date.weekday` counts them."""

_ARABIC = ("اثنين", "ثلاثاء", "اربعاء", "خميس", "جمعة", "سبت", "احد")
_EVERY_DAY = ("daily", "every day", "يوميا", "كل يوم")
_CLOSED = ("", "closed", "مغلق")
_ALL_DAY = ("24h", "24 hours", "all day", "طوال اليوم")
_COMMA = re.compile("[,،]")
_RANGE = re.compile(r"[-–—]|\bto\b|\bإلى\b")
_MARKS = str.maketrans({"أ": "ا", "إ": "ا", "ً": None})
_CLOCK = re.compile(r"(\d{1,2})(?::(\d{2}))?\s*(am|pm|ص|م)?")
_MINUTES_OF_DAY = 24 * 60
_NOON = 12


def minutes_of(text: str) -> int | None:
    """Return the minutes after midnight of a time of the day; None if it is none.

    >>> minutes_of("8:30"), minutes_of("9 pm"), minutes_of("24:00"), minutes_of("8:75")
    (510, 1260, 1440, None)
    """
    match = _CLOCK.fullmatch(text.strip().lower())
    if match is None or not (match[2] or match[3]):
        return None
    hour, minute = int(match[1]), int(match[2] or 0)
    if match[3]:
        if not 1 <= hour <= _NOON:
            return None
        hour = hour % _NOON + (_NOON if match[3] in ("pm", "م") else 0)
    total = 60 * hour + minute
    return total if minute < 60 and total <= _MINUTES_OF_DAY else None


def clock(minutes: int) -> str:
    """Return a time of the day, such as `08:30`."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _weekday(name: str) -> int:
    name = name.strip().casefold().translate(_MARKS)
    for names in (DAYS, _ARABIC):
        found = [each for each in names if each.startswith(name.removeprefix("ال"))]
        if len(name) > 1 and len(found) == 1:
            return names.index(found[0])
    advice = Text("Use a day such as sunday, a range such as sunday-thursday, or daily.")
    raise InvalidValue(Text("unknown day"), advice, name)


def _days(value: Any) -> Any:
    """Return the numbers of the days that a key names, as digits."""
    text = str(value).strip()
    if text.casefold().translate(_MARKS) in _EVERY_DAY:
        return "0123456"
    numbers: list[int] = []
    for part in _COMMA.split(text):
        first, *last = map(_weekday, _RANGE.split(part, maxsplit=1))
        length = (last[0] - first) % 7 + 1 if last else 1
        numbers += ((first + offset) % 7 for offset in range(length))
    return "".join(map(str, numbers))


def _spans(value: Any) -> Any:
    if value in (None, False, []):
        return []
    parts = value if isinstance(value, list) else _COMMA.split(str(value))
    texts = [str(each).strip().casefold() for each in parts]
    if len(texts) == 1 and texts[0] in _CLOSED:
        return []
    if len(texts) == 1 and texts[0] in _ALL_DAY:
        return ["00:00-24:00"]
    spans = sorted(map(_span, texts))
    ends = [closes for _, closes in spans]
    if any(opens < end for (opens, _), end in zip(spans[1:], ends, strict=False)):
        raise InvalidValue(Text("hours that overlap"), Text("Correct their ends."), value)
    return [
        f"{clock(opens)}-{clock(closes % _MINUTES_OF_DAY or closes)}" for opens, closes in spans
    ]


def _span(text: str) -> tuple[int, int]:
    """Return the minutes from which and up to which something is open, up to 48 hours."""
    found = [minutes_of(each) for each in _RANGE.split(text)]
    match found:
        case [int() as opens, int() as closes] if opens < _MINUTES_OF_DAY and opens != closes:
            return opens, closes if closes > opens else closes + _MINUTES_OF_DAY
    advice = Text("Write them as 8:00-12:00, 16:00-22:00, or closed.")
    raise InvalidValue(Text("invalid hours"), advice, text)


def _by_day(days: Mapping[str, list[str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for numbers, spans in days.items():
        for day in (DAYS[int(each)] for each in numbers):
            if day in found:
                raise InvalidValue(Text("a day that stands twice"), Text("Remove one."), day)
            found[day] = spans
    return found


def _zone(value: Any) -> Any:
    try:
        return ZoneInfo(str(value)).key
    except (KeyError, ValueError, OSError):  # also a name that is no path
        advice = Text("Use a name such as Asia/Riyadh.")
        raise InvalidValue(Text("unknown time zone"), advice) from None


DaySpans = Annotated[list[str], BeforeValidator(_spans), written(TEXT_LIST)]
"""The spans of a day in order; none if it is closed."""

DayHours = Annotated[
    dict[Annotated[str, BeforeValidator(_days)], DaySpans],
    AfterValidator(_by_day),
    written({"type": "object", "additionalProperties": TEXT_LIST}),
]
"""The spans by day; in front matter also by ranges of days."""

TimeZone = Annotated[str, BeforeValidator(_zone), written({"type": "string"})]


@front_matter
class Season(Fields):
    """The hours of a part of the year, such as Ramadan."""

    name: LocalizedText | None = None
    """What it is called."""

    starts: UtcDateTime
    """Its first day."""

    ends: UtcDateTime
    """Its last day."""

    days: DayHours
    """The hours by day; other days are closed."""


@front_matter
class HoursException(Fields):
    """The hours of a day, or of some days, whatever day of the week it is."""

    name: LocalizedText | None = None
    """Why, such as the name of a holiday."""

    date: UtcDateTime
    """The day, or the first of several."""

    ends: UtcDateTime | None = None
    """The last of several days."""

    hours: DaySpans | None = None
    """The hours; by default it is closed."""


def _in_order(period: Any) -> Any:
    first = period.starts if isinstance(period, Season) else period.date
    if period.ends is not None and period.ends < first:
        advice = Text("Write a last day that is not before the first.")
        raise InvalidValue(Text("an end before its begin"), advice, f"{period.ends:%Y-%m-%d}")
    return period


@front_matter
class OpeningHours(Fields):
    """The value of a field of the type `hours`."""

    days: DayHours | None = None
    """The usual hours by day, such as `sunday-thursday: 8:00-22:00`; other days are closed."""

    seasons: list[Annotated[Season, AfterValidator(_in_order)]] | None = None
    """Parts of the year with hours of their own."""

    exceptions: list[Annotated[HoursException, AfterValidator(_in_order)]] | None = None
    """Days that are closed, or have other hours."""

    time_zone: TimeZone | None = None
    """The zone of the times; by default that of the country."""

    def zone(self, country_zone: tzinfo | None) -> tzinfo | None:
        """Return the zone of the times; None if it is not known."""
        return ZoneInfo(self.time_zone) if self.time_zone else country_zone

    def spans_on(self, day: date) -> Sequence[str]:
        """Return the spans that begin on a day."""
        for exception in self.exceptions or ():
            if exception.date.date() <= day <= (exception.ends or exception.date).date():
                return exception.hours or ()
        days = self.days or {}
        for season in self.seasons or ():
            if season.starts.date() <= day <= season.ends.date():
                days = season.days
        return days.get(DAYS[day.weekday()], ())

    def next_day(self, day: date) -> date | None:
        """Return the first day after another on which it opens, None if none is within a year."""
        following = (day + timedelta(days=number) for number in range(1, _LONGEST))
        return next((each for each in following if self.spans_on(each)), None)

    @property
    def limits(self) -> tuple[str, str] | None:
        """The first and the last time at which it is open on any day, None if it is at night."""
        listed = [self.days or {}, *(each.days for each in self.seasons or ())]
        spans = [*chain.from_iterable(chain.from_iterable(map(dict.values, listed)))]
        spans += chain.from_iterable(each.hours or () for each in self.exceptions or ())
        ends = [each.split("-") for each in spans]
        if not ends or any(closes <= opens for opens, closes in ends):
            return None
        return min(opens for opens, _ in ends), max(closes for _, closes in ends)


class OpenState(NamedTuple):
    """Whether something is open, and when this changes; None if that is not within a year."""

    is_open: bool
    changes_at: datetime | None


_LONGEST = 370
_ALWAYS = 8
"""What is open for so many days without an end is open around the clock."""


@dataclass(frozen=True, slots=True)
class OpeningClock:
    """Opening hours in a time zone."""

    hours: OpeningHours
    zone: tzinfo

    def state(self, now: datetime) -> OpenState:
        """Return whether it is open."""
        today, until = now.astimezone(self.zone).date(), None
        for number in range(-1, _LONGEST):
            for opens, closes in self._intervals(today + timedelta(days=number)):
                if until is None and now < opens:
                    return OpenState(False, opens)
                if until is not None and until < opens:
                    return OpenState(True, until)
                if now < closes:
                    until = max(closes, until or closes)
            if until is not None and number > _ALWAYS:
                return OpenState(True, None)
        return OpenState(until is not None, until)

    def _intervals(self, day: date) -> Iterator[tuple[datetime, datetime]]:
        midnight = datetime.combine(day, datetime.min.time(), self.zone)
        for span in self.hours.spans_on(day):
            opens, closes = (minutes_of(each) or 0 for each in span.split("-"))
            closes += _MINUTES_OF_DAY if closes <= opens else 0
            yield midnight + timedelta(minutes=opens), midnight + timedelta(minutes=closes)

    def open_on(self, day: date, now: datetime) -> Sequence[tuple[datetime, datetime]]:
        """Return when it is open on a day, also after midnight, as far as that is not over."""
        midnight = datetime.combine(day, datetime.min.time(), self.zone)
        first = max(midnight, now.astimezone(self.zone).replace(second=0, microsecond=0))
        spans = chain(self._intervals(day - timedelta(days=1)), self._intervals(day))
        return [(max(opens, first), closes) for opens, closes in spans if closes > first]

    def changes(self, now: datetime) -> Iterator[datetime]:
        """Yield the instants about `now` at which it opens or closes, or a day begins.

        At least one is not after `now`, and one after it.
        """
        today = now.astimezone(self.zone).date()
        for number in (-1, 0, 1):
            day = today + timedelta(days=number)
            yield datetime.combine(day, datetime.min.time(), self.zone)
            for interval in self._intervals(day):
                yield from interval
