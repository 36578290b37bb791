"""Moments: dates and date-times as people and other generators write them, and spans of events.

A value is read as a whole. What only a part of it would explain, such as an unknown zone, makes it
invalid; what can be read in two ways is refused with both readings.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, time, timedelta, timezone, tzinfo
from re import Match
from typing import NamedTuple
from unicodedata import decimal
from zoneinfo import ZoneInfo

MAX_CHARACTERS = 100
HIJRI_YEARS = range(1300, 1501)
"""The years that are most likely of the Hijri calendar."""


class AmbiguousMoment(ValueError):
    """A value that can be read in two ways, which the message tells."""


_ENGLISH = "january february march april may june july august september october november december"
_ARABIC = "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر"
_LEVANTINE = (
    *("كانون الثاني", "شباط", "آذار", "نيسان", "أيار", "حزيران", "تموز", "آب", "أيلول"),
    *("تشرين الأول", "تشرين الثاني", "كانون الأول"),
)
_MONTHS: Mapping[str, int] = {
    "sept": 9,
    "إبريل": 4,
    "ابريل": 4,
    "اغسطس": 8,
    "اكتوبر": 10,
    **{
        name: number
        for names in (
            _ENGLISH.split(),
            (month[:3] for month in _ENGLISH.split()),
            _ARABIC.split(),
            _LEVANTINE,
        )
        for number, name in enumerate(names, 1)
    },
}

_HOURS: Mapping[str, float] = {
    "z": 0,
    "utc": 0,
    "gmt": 0,
    "wet": 0,
    "west": 1,
    "cet": 1,
    "cest": 2,
    "eet": 2,
    "eest": 3,
    # The four zones of the United States are part of RFC 5322, which feeds and mails use.
    "est": -5,
    "edt": -4,
    "cst": -6,
    "cdt": -5,
    "mst": -7,
    "mdt": -6,
    "pst": -8,
    "pdt": -7,
    "gst": 4,
    "irst": 3.5,
    "pkt": 5,
    "trt": 3,
    "msk": 3,
    "jst": 9,
    "kst": 9,
    "hkt": 8,
    "sgt": 8,
    "eat": 3,
    "cat": 2,
    "wat": 1,
    "sast": 2,
    "wib": 7,
    "aest": 10,
    "aedt": 11,
    "nzst": 12,
    "nzdt": 13,
    "akst": -9,
    "akdt": -8,
    "hst": -10,
}
"""The names of zones that have one meaning, and the hours that they are ahead of UTC."""

_AMBIGUOUS_ZONES: Mapping[str, tuple[str, str]] = {
    "ast": ("+03:00 (Arabia)", "-04:00 (Atlantic)"),
    "ist": ("+05:30 (India)", "+02:00 (Israel)"),
    "bst": ("+01:00 (Britain)", "+06:00 (Bangladesh)"),
    "adt": ("+04:00 (Arabia)", "-03:00 (Atlantic)"),
    "amt": ("+04:00 (Armenia)", "-04:00 (Amazon)"),
    "ect": ("+01:00 (Europe)", "-05:00 (Ecuador)"),
}

_NAMES = "|".join(sorted(map(re.escape, _MONTHS), key=len, reverse=True))
_MONTH = rf"(?P<name>{_NAMES})\.?"
_DAY = r"(?P<day>\d{1,2})"
_YEAR = r"(?P<year>\d{4})"
_ORDINAL = r"(?:st|nd|rd|th)?"
_WEEKDAY = (
    r"(?:(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?"
    r"|(?:ال(?:أحد|احد|اثنين|إثنين|ثلاثاء|أربعاء|اربعاء|خميس|جمعة|سبت)))[,،]?\s+)?"
)
_TIME = (
    r"(?P<hour>\d{1,2})(?::(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,9}))?)?)?"
    r"(?:\s?(?P<half>[ap]\.?m\.?|ص|م)(?!\w))?"
)
_ZONE = (
    r"(?:(?:(?:utc|gmt|z)\s?)?(?P<sign>[+\-−])(?P<offset>\d{1,2}(?::?\d{2})?)"
    r"(?:\s+[a-z]{2,5}|\s+[+-]\d{2,4}|\s*\([^()]*\))?|(?P<zone>[a-z]+(?:/[\w+/-]+)?)"
    r"(?:\s*\([^()]*\))?)(?:\s+m=[+-][\d.]+)?"
)
_AFTER = rf"(?:(?:\s*[t,،]\s*|\s+at\s+|\s+){_TIME}(?:\s*{_ZONE})?)?"
_FORMS = tuple(
    re.compile(_WEEKDAY + form, re.IGNORECASE)
    for form in (
        rf"{_YEAR}(?P<mark>[-/.])(?P<month>\d{{1,2}})(?P=mark){_DAY}{_AFTER}",
        rf"{_DAY}{_ORDINAL}[\s.-]+(?:of\s+)?{_MONTH}[,،]?[\s-]+{_YEAR}{_AFTER}",
        rf"{_MONTH}\s+{_DAY}{_ORDINAL}[,،]?\s+{_YEAR}{_AFTER}",
        rf"{_MONTH}\s+{_DAY}\s+{_TIME}(?:\s+{_ZONE})?\s+{_YEAR}",
        rf"(?P<first>\d{{1,2}})(?P<mark>[-/.])(?P<second_number>\d{{1,2}})(?P=mark){_YEAR}{_AFTER}",
    )
)
_UNSEEN = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_HIJRI_YEAR = re.compile(r"(?<!\d)1[345]\d\d(?!\d)")
_MONTHS_OF_YEAR = 12
_NOON = 12
_MIDNIGHT = 24


def parse_moment(text: str, *, is_hijri: bool = False) -> datetime | None:
    """Return the moment of a text, without a zone if it has none; None if it is no date.

    With `is_hijri`, a year from 1300 to 1500 is of the calendar of Umm al-Qura. Raises
    AmbiguousMoment.

    >>> parse_moment("2026-05-01 10:00:00.123 +0000 UTC").isoformat()
    '2026-05-01T10:00:00.123000+00:00'
    >>> parse_moment("May 12, 2026 10:00 PM GST").isoformat()
    '2026-05-12T22:00:00+04:00'
    >>> parse_moment("1447-07-10", is_hijri=True).isoformat()
    '2025-12-30T00:00:00'
    """
    if len(text) > MAX_CHARACTERS:
        return None
    text = _plain(text)
    if not (is_hijri and _HIJRI_YEAR.search(text)):
        with suppress(ValueError):
            return datetime.fromisoformat(text)
    match = next(filter(None, (form.fullmatch(text) for form in _FORMS)), None)
    if match is None:
        return None
    try:
        return _moment(match, is_hijri=is_hijri)
    except AmbiguousMoment:
        raise
    except (ValueError, OverflowError, LookupError, OSError):  # also a zone that is none
        return None


def _plain(text: str) -> str:
    """Return a text with the digits 0 to 9, without marks of direction."""
    text = text.strip()
    if text.isascii():
        return text
    return "".join(
        str(decimal(each)) if each.isdecimal() else each for each in _UNSEEN.sub("", text)
    )


def gregorian(day: datetime) -> datetime:
    """Return the day that has a date in the calendar of Umm al-Qura; raises ValueError."""
    return _gregorian(day.year, day.month, day.day).replace(
        hour=day.hour, minute=day.minute, second=day.second, tzinfo=day.tzinfo
    )


def _gregorian(year: int, month: int, day: int) -> datetime:
    # It takes 17 ms to import, and few sites have such dates.
    from hijridate import Hijri  # noqa: PLC0415

    try:
        return datetime.combine(Hijri(year, month, day).to_gregorian(), time())
    except OverflowError as error:  # the calendar begins in 1343
        raise ValueError(str(error)) from None


def _moment(match: Match[str], *, is_hijri: bool) -> datetime:
    found = match.groupdict()
    date = (int(found["year"]), *_month_and_day(match[0], found))
    is_hijri = is_hijri and date[0] in HIJRI_YEARS
    at = _gregorian(*date) if is_hijri else datetime(*date)  # noqa: DTZ001  # its zone follows
    zone = _zone(match[0], found)
    if found["hour"] is None:
        return at.replace(tzinfo=zone)
    if found["minute"] is None and found["half"] is None:
        raise ValueError("an hour alone is no time")
    hour, minute, second = (int(found[name] or 0) for name in ("hour", "minute", "second"))
    if found["half"]:
        if not 1 <= hour <= _NOON:
            raise ValueError("an hour of a half day is from 1 to 12")
        hour = hour % _NOON + (_NOON if found["half"][0].lower() in "pم" else 0)
    if hour == _MIDNIGHT and not (minute or second):
        return (at + timedelta(days=1)).replace(tzinfo=zone)
    microseconds = int((found["fraction"] or "0").ljust(9, "0")[:6])
    return at.replace(
        hour=hour, minute=minute, second=second, microsecond=microseconds, tzinfo=zone
    )


def _month_and_day(text: str, found: Mapping[str, str]) -> tuple[int, int]:
    if "first" not in found or found["first"] is None:
        name = found.get("name")
        return _MONTHS[name.lower()] if name else int(found["month"]), int(found["day"])
    first, second = int(found["first"]), int(found["second_number"])
    if first > _MONTHS_OF_YEAR:
        return second, first
    if second > _MONTHS_OF_YEAR or first == second:
        return first, second
    year = found["year"]
    readings = (f"{year}-{month:02}-{day:02}" for month, day in ((second, first), (first, second)))
    raise AmbiguousMoment(_both(text, readings))


def _zone(text: str, found: Mapping[str, str | None]) -> tzinfo | None:
    offset, name = found.get("offset"), found.get("zone")
    if offset:
        digits = offset.replace(":", "")
        hours, minutes = (digits[:-2], digits[-2:]) if len(digits) > 2 else (digits, "0")
        ahead = timedelta(hours=int(hours), minutes=int(minutes))
        return timezone(ahead if found["sign"] == "+" else -ahead)
    if not name:
        return None
    if name.lower() in _AMBIGUOUS_ZONES:
        written = text[: text.index(name)].strip()
        readings = (f"{written} {zone}" for zone in _AMBIGUOUS_ZONES[name.lower()])
        raise AmbiguousMoment(_both(text, readings))
    if "/" in name:
        return ZoneInfo(name)
    hours_ahead = _HOURS.get(name.lower())
    if hours_ahead is None:
        raise ValueError("an unknown zone")
    return timezone(timedelta(hours=hours_ahead)) if hours_ahead else UTC


def _both(text: str, readings: Iterator[str]) -> str:
    one, other = readings
    return f"“{text}” may be {one} or {other}"


def is_day(moment: datetime) -> bool:
    """Return whether a date has no time, and is a whole day."""
    return moment.timetz().replace(tzinfo=None) == time()


def end_of(moment: datetime) -> datetime:
    """Return the instant from which a date is past: a whole day is past after it."""
    return moment + timedelta(days=1) if is_day(moment) else moment


class Span(NamedTuple):
    """The time of an event; without an end it is over once it begins, or after its whole day."""

    starts_at: datetime
    ends_at: datetime | None = None

    @property
    def over_at(self) -> datetime:
        """The instant from which the event is past."""
        return max(end_of(self.starts_at), end_of(self.ends_at or self.starts_at))
