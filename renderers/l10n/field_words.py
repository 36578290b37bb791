"""Values of declared fields in words, from what the API returns of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import groupby
from typing import Any

from babel.dates import get_day_names
from babel.lists import format_list
from babel.units import format_unit

from knowledge.diagnostics.messages import mark as _
from knowledge.fields.opening_hours import DAYS
from knowledge.fields.trade_values import Duration
from knowledge.locales import cldr
from knowledge.locales.locale import Language, Locale
from knowledge.resources.products import Money
from renderers.l10n.formats import long_date, number, price
from renderers.l10n.translation import translate, translations

Json = Mapping[str, Any]

_PER: Mapping[str, str] = {
    "hour": _("per hour"),
    "day": _("per day"),
    "night": _("per night"),
    "week": _("per week"),
    "month": _("per month"),
    "year": _("per year"),
}


def money(value: Json, locale: Locale) -> str:
    """Return an amount, or an offer with its unit, its period and what it says of VAT."""
    gettext = translations(locale.language).gettext
    is_gross = bool(value.get("vatFirst")) and "amountWithVat" in value
    ends = [
        price(Money(amount=value[key], currency=value["currency"]), locale)
        for name in ("amount", "amountTo")
        if (key := f"{name}WithVat" if is_gross else name) in value
    ]
    text = _span(ends, locale.language)
    if value.get("isLeast") and len(ends) == 1:
        text = gettext("from %(amount)s") % {"amount": text}
    parts = [text]
    if value.get("unit"):
        parts.append(gettext("per %(unit)s") % {"unit": value["unit"]})
    if value.get("per"):
        parts.append(gettext(_PER[value["per"]]))
    rate = value.get("vatRate")
    if rate == "0":
        return locale.language.comma.join((" ".join(parts), gettext("no VAT")))
    if rate:
        words = gettext("incl. %(rate)s VAT") if is_gross else gettext("excl. %(rate)s VAT")
        parts.append(words % {"rate": f"{rate}%"})
    return " ".join(parts)


def _span(ends: Sequence[str], language: Language) -> str:
    if len(ends) == 1:
        return ends[0]
    return translate(_("%(first)s to %(last)s"), language) % {"first": ends[0], "last": ends[-1]}


def duration(value: str, locale: Locale) -> str:
    """Return a duration in its units."""
    parts = [_counted(unit, count, locale) for unit, count in Duration(value).parts.items()]
    return str(format_list(parts, style="standard", locale=locale.language.value))


def _counted(unit: str, count: int, locale: Locale) -> str:
    ngettext = translations(locale.language).ngettext
    match unit:  # of these CLDR has no Arabic words in Babel
        case "day":
            text = ngettext("%(num)s day", "%(num)s days", count)
        case "week":
            text = ngettext("%(num)s week", "%(num)s weeks", count)
        case "month":
            text = ngettext("%(num)s month", "%(num)s months", count)
        case _:
            formats = cldr.formats(locale.country, locale.language)
            return format_unit(count, f"duration-{unit}", locale=formats, numbering_system="latn")
    return text % {"num": count}


def rating(value: Json, locale: Locale) -> str:
    """Return a rating with the best one, and how many there are."""
    ends = {"value": number(value["value"], locale), "best": number(value["best"], locale)}
    text = translate(_("%(value)s of %(best)s"), locale.language) % ends
    if value.get("count"):
        ngettext, count = translations(locale.language).ngettext, value["count"]
        words = ngettext("%(num)s rating", "%(num)s ratings", count)
        text = f"{text} ({words % {'num': number(count, locale)}})"
    return text


def spans(value: Sequence[Json], locale: Locale) -> str:
    """Return the hours of a day."""
    if not value:
        return translate(_("Closed"), locale.language)
    if value[0]["opens"] == "00:00" and value[0]["closes"] == "24:00":
        return translate(_("Around the clock"), locale.language)
    return locale.language.comma.join(
        _span([_time(each["opens"]), _time(each["closes"])], locale.language) for each in value
    )


def _time(text: str) -> str:
    """Return a time as people write it, without a zero before it."""
    return text.removeprefix("0") if text != "24:00" else "0:00"


def week(days: Sequence[Json], locale: Locale) -> Iterator[tuple[str, str]]:
    """Yield the days of a week that follow each other with the same hours, and these."""
    names = day_names(locale.language)
    for hours, group in groupby(days, lambda each: spans(each["spans"], locale)):
        found = [names[each["day"]] for each in group]
        every = translate(_("Every day"), locale.language)
        yield (
            every
            if len(found) == len(names)
            else _span([found[0], *found[1:][-1:]], locale.language),
            hours,
        )


def day_names(language: Language) -> Mapping[str, str]:
    """Return the names of the days of the week by those of the API."""
    found = get_day_names("wide", "stand-alone", language.value)
    return {day: str(found[number]) for number, day in enumerate(DAYS)}


def hours(value: Json, locale: Locale) -> str:
    """Return the usual hours of a week in words."""
    semicolon = "؛ " if locale.language is Language.AR else "; "
    parts = (f"{days}: {spans}" for days, spans in week(value["days"], locale))
    return semicolon.join(parts)


_NOON = 12


def open_now(value: Json, locale: Locale) -> str:
    """Return whether something is open and until when; `""` if that is not known."""
    gettext, names = translations(locale.language).gettext, day_names(locale.language)
    if "open" not in value:
        return ""
    if "changesAt" not in value:
        return gettext("Open around the clock") if value["open"] else gettext("Closed now")
    at: datetime = value["changesAt"]
    words = {"time": f"{at.hour}:{at:%M}", "day": names[DAYS[at.weekday()]]}
    days = (at.date() - date.fromisoformat(value["asOf"])).days
    is_near = not days or (value["open"] and days == 1 and at.hour < _NOON)
    if value["open"]:
        near, far = _("Open now until %(time)s"), _("Open now until %(day)s at %(time)s")
    else:
        near, far = _("Closed now, opens at %(time)s"), _("Closed now, opens %(day)s at %(time)s")
    return gettext(near if is_near else far) % words


def period(value: Json, locale: Locale) -> str:
    """Return the days of a season or an exception, with its name."""
    ends = [date.fromisoformat(value[key]) for key in ("from", "to")]
    days = _span([long_date(each, locale) for each in dict.fromkeys(ends)], locale.language)
    return f"{value['name']} ({days})" if value.get("name") else days


WORDS: Mapping[str, Callable[[Any, Locale], str]] = {
    "duration": duration,
    "hours": hours,
    "offer": money,
    "rating": rating,
}
"""What writes the values of each type for readers."""
