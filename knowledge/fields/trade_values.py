"""The values of a trade: times, durations, addresses, offers and ratings, as authors write them."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo

from knowledge.diagnostics.messages import Text
from knowledge.fields.field_types import (
    ContactUrl,
    CountryCode,
    Currency,
    InvalidValue,
    LocalizedText,
    PlainText,
    Price,
    is_email,
    linked_text,
)
from knowledge.fields.front_matter import Fields, front_matter
from knowledge.fields.json_schemas import SCALAR, written
from knowledge.fields.opening_hours import clock, minutes_of


def _time(value: Any) -> Any:
    minutes = minutes_of(str(value))
    if minutes is None:
        raise InvalidValue(Text("invalid time"), Text("Write it as 21:30."))
    return clock(minutes)


_MAIL = Text("Write it as info@example.com.")


def _mail(value: Any, info: ValidationInfo) -> Any:
    return linked_text(value, info, is_email, Text("invalid e-mail address"), _MAIL)


ClockTime = Annotated[str, BeforeValidator(_time), written(SCALAR)]
"""A time of the day, such as `21:30`."""

MailAddress = Annotated[str, BeforeValidator(_mail), written(SCALAR)]
"""An e-mail address, as typed. One that is none is a warning, and not linked."""

_UNITS: Mapping[str, tuple[str, ...]] = {
    "year": ("y", "yr", "yrs", "year", "years", "سنة", "سنتان", "سنوات", "عام", "أعوام"),
    "month": ("mo", "month", "months", "شهر", "شهران", "أشهر", "شهور"),
    "week": ("w", "wk", "wks", "week", "weeks", "أسبوع", "أسبوعان", "أسابيع"),
    "day": ("d", "day", "days", "يوم", "يومان", "أيام"),
    "hour": ("h", "hr", "hrs", "hour", "hours", "ساعة", "ساعتان", "ساعات"),
    "minute": ("m", "min", "mins", "minute", "minutes", "دقيقة", "دقيقتان", "دقائق"),
}
_MINUTES: Mapping[str, int] = {
    "year": 525_960,
    "month": 43_830,
    "week": 10_080,
    "day": 1_440,
    "hour": 60,
    "minute": 1,
}
"""How long the units are, of months and years the mean."""

_UNIT = {word: unit for unit, words in _UNITS.items() for word in words}
_PART = re.compile(r"(\d{1,6})\s*([^\W\d_]+)\.?")
_PARTS = re.compile(rf"{_PART.pattern}(?:(?:\s*[,،]\s*|\s+and\s+|\s+و\s*|\s*){_PART.pattern})*")
_ISO = re.compile(
    r"P(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?"
    r"(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?)?"
)


class Duration(str):
    """A duration as ISO 8601 writes it, in minutes or larger units."""

    __slots__ = ()

    @property
    def parts(self) -> Mapping[str, int]:
        """The numbers by unit, the largest first.

        >>> Duration("PT1H30M").parts
        {'hour': 1, 'minute': 30}
        """
        match = _ISO.fullmatch(self)
        found = zip(_MINUTES, match.groups() if match else (), strict=False)
        return {unit: int(number) for unit, number in found if number}

    @property
    def sort_value(self) -> int:
        """How many minutes it has."""
        return sum(_MINUTES[unit] * number for unit, number in self.parts.items())


def iso_duration(value: Any) -> str:
    """Return a duration as ISO 8601; raises InvalidValue for what is none."""
    text = str(value).strip()
    if not Duration(text).sort_value:
        text = _iso(text)
    return text


def _iso(text: str) -> str:
    """Return a duration in words as ISO 8601.

    >>> _iso("1 hour 30 min"), _iso("6 weeks"), _iso("3 أشهر")
    ('PT1H30M', 'P6W', 'P3M')
    """
    found, is_whole = dict.fromkeys(_MINUTES, 0), bool(_PARTS.fullmatch(text))
    for match in _PART.finditer(text.lower()) if is_whole else ():
        unit = _UNIT.get(match[2])
        is_whole = is_whole and unit is not None and not found[unit]
        found[unit or "day"] = int(match[1])
    if not is_whole or not any(found.values()):
        advice = Text("Write it with its unit, such as 45 minutes or 6 weeks.")
        raise InvalidValue(Text("invalid duration"), advice, text)
    if found["week"] and sum(map(bool, found.values())) > 1:
        found["day"], found["week"] = found["day"] + 7 * found["week"], 0
    days = "".join(f"{found[unit]}{unit[0].upper()}" for unit in list(found)[:4] if found[unit])
    times = "".join(f"{found[unit]}{unit[0].upper()}" for unit in list(found)[4:] if found[unit])
    return f"P{days}" + (f"T{times}" if times else "")


DurationText = Annotated[str, AfterValidator(iso_duration), BeforeValidator(str), written(SCALAR)]
"""A duration such as `45 minutes`, `1 h 30 min`, `6 weeks`, or ISO 8601."""


@front_matter
class Located(Fields):
    """Where something is on a map."""

    map_url: ContactUrl | None = None
    """The place on a map."""

    latitude: Annotated[float, Field(ge=-90, le=90)] | None = None
    """The latitude, in degrees."""

    longitude: Annotated[float, Field(ge=-180, le=180)] | None = None
    """The longitude, in degrees."""


@front_matter
class Place(Located):
    """The value of a field of the type `place`."""

    address: LocalizedText | None = None
    """The address, as one text."""


@front_matter
class StreetAddress(Located):
    """The value of a field of the type `address`."""

    street: LocalizedText | None = None
    """Street and number."""

    city: LocalizedText | None = None
    """The city."""

    region: LocalizedText | None = None
    """The province or emirate."""

    postal_code: PlainText | None = None
    """The postal code."""

    country: CountryCode | None = None
    """The country; by default that of the document, or of the reader."""


def _has_parts(value: Any) -> Any:
    if not isinstance(value, Mapping) or {"en", "ar"} & value.keys():
        advice = Text("Write street, city and country, or use a field of the type place.")
        raise InvalidValue(Text("an address without its parts"), advice)
    if ("latitude" in value) != ("longitude" in value):
        raise InvalidValue(Text("half of coordinates"), Text("Write latitude and longitude."))
    return value


AddressValue = Annotated[StreetAddress, BeforeValidator(_has_parts)]
"""An address in its parts."""

Amounts = dict[Currency, Price]
"""An amount of money by currency."""

Period = Literal["hour", "day", "night", "week", "month", "year"]
"""What the price of an offer is for."""


@front_matter
class Offer(Fields):
    """The value of a field of the type `offer`."""

    amount: Amounts | None = None
    """The price by currency."""

    least: Amounts | None = None
    """The least price by currency, instead of `amount`."""

    most: Amounts | None = None
    """The highest price by currency, besides `least`."""

    per: Period | None = None
    """The time that the price is for."""

    unit: LocalizedText | None = None
    """What the price is for, such as a person or a kilogram."""

    @property
    def lowest(self) -> Amounts:
        """The price, or the least one."""
        return self.amount or self.least or {}


def _priced(value: Any) -> Any:
    names = {"amount", "least", "most", "per", "unit"}
    if not isinstance(value, Mapping) or names.isdisjoint(value):
        advice = Text("Write it as amount: { SAR: 350 }.")
        raise InvalidValue(Text("an offer without an amount"), advice)
    if value.get("amount") and (value.get("least") or value.get("most")):
        advice = Text("Write either amount, or least and most.")
        raise InvalidValue(Text("an offer with two prices"), advice)
    return value


def _in_order(offer: Offer) -> Offer:
    for currency, most in (offer.most or {}).items():
        least = (offer.least or {}).get(currency)
        if least is not None and most < least:
            advice = Text("Write an amount that is not less than least.")
            raise InvalidValue(Text("most is too low"), advice, f"{most} {currency}")
    return offer


OfferValue = Annotated[Offer, BeforeValidator(_priced), AfterValidator(_in_order)]
"""The price of something."""


@front_matter
class Rating(Fields):
    """The value of a field of the type `rating`."""

    value: Annotated[Decimal, Field(ge=0)]
    """The mean of the ratings."""

    best: Annotated[Decimal, Field(gt=0)] | None = None
    """The best possible one; by default 5."""

    count: Annotated[int, Field(ge=0)] | None = None
    """How many there are."""

    @property
    def sort_value(self) -> Decimal:
        """The value of 1."""
        return self.value / (self.best or 5)


def _rated(value: Any) -> Any:
    return value if isinstance(value, Mapping) else {"value": value}


def _in_scale(rating: Rating) -> Rating:
    if rating.value > (rating.best or 5):
        advice = Text("Write a value up to 5, or best with the best possible one.")
        raise InvalidValue(Text("a rating above the best one"), advice, rating.value)
    return rating


RatingValue = Annotated[Rating, BeforeValidator(_rated), AfterValidator(_in_scale)]
"""How good something is."""
