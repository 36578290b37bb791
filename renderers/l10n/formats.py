"""Localized dates, prices and numbers, always with Latin digits."""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

import babel
from babel.dates import format_date
from babel.numbers import format_decimal, get_currency_precision, parse_pattern
from babel.units import format_unit

from knowledge.blocks.section import PlanPrice
from knowledge.diagnostics.messages import mark as _
from knowledge.locales import cldr
from knowledge.locales.locale import Language, Locale
from knowledge.resources.products import Availability, Money, ProductBody, ProductItem
from renderers.l10n.translation import translations

_LATIN_CODE_FIRST = "¤\u00a0#,##0.00"
"""CLDR's own pattern puts no space between a letter code and the amount."""


def _cldr(locale: Locale) -> babel.Locale:
    return cldr.formats(locale.country, locale.language)


def local_date(moment: datetime, locale: Locale) -> date:
    """Return the calendar day of an instant in the locale's country, else in its own offset.

    A day without a time is midnight UTC here, and stays that day everywhere.
    """
    return local_moment(moment, locale).date()


_MIDNIGHT = time()
_RIGHT_TO_LEFT_MARK = "\u200f"
"""CLDR adds it for text without a direction; every page here sets one, so it is removed."""


def local_moment(moment: datetime, locale: Locale) -> datetime:
    """Return an instant in the zone of the locale's country if it has another day there.

    All forms of a page therefore tell the same day.

    >>> from datetime import UTC
    >>> from knowledge.locales.locale import Country, Language
    >>> riyadh = Locale(Country("SA"), Language.EN)
    >>> local_moment(datetime(2026, 5, 1, 22, 30, tzinfo=UTC), riyadh).isoformat()
    '2026-05-02T01:30:00+03:00'
    >>> local_moment(datetime(2026, 5, 1, tzinfo=UTC), riyadh).isoformat()
    '2026-05-01T00:00:00+00:00'
    """
    local = _local(moment, locale)
    if locale.country is None:
        return local
    moment = moment.astimezone(UTC)
    return moment if local.date() == moment.date() or moment.time() == _MIDNIGHT else local


def _local(moment: datetime, locale: Locale) -> datetime:
    """Return an instant in the zone of its place if it has one, else in the country's."""
    is_placed = isinstance(moment.tzinfo, ZoneInfo)
    country = None if is_placed else locale.country
    return moment.astimezone(cldr.time_zone(country)) if country else moment


def timestamp(moment: datetime, locale: Locale) -> str:
    """Return an instant as RFC 3339, with the day of the locale's country.

    >>> from datetime import UTC
    >>> from knowledge.locales.locale import Country, Language
    >>> timestamp(datetime(2026, 5, 1, 9, tzinfo=UTC), Locale(Country("SA"), Language.EN))
    '2026-05-01T09:00:00Z'
    """
    return local_moment(moment, locale).isoformat(timespec="seconds").replace("+00:00", "Z")


def long_date(moment: date, locale: Locale) -> str:
    """Format a day, or that of an instant, with the name of its month.

    >>> from datetime import UTC
    >>> from knowledge.locales.locale import Country
    >>> long_date(datetime(2026, 5, 12, 22, tzinfo=UTC), Locale(Country("AE"), Language.EN))
    '13 May 2026'
    """
    day = local_date(moment, locale) if isinstance(moment, datetime) else moment
    return format_date(day, "long", _cldr(locale))


def full_date(day: date, locale: Locale) -> str:
    """Format a day with the names of its weekday and month.

    >>> from knowledge.locales.locale import Country
    >>> full_date(date(2026, 5, 12), Locale(Country("AE"), Language.EN))
    'Tuesday, 12 May 2026'
    """
    return format_date(day, "full", _cldr(locale))


def date_time(moment: datetime, locale: Locale) -> str:
    """Format an instant to the minute, in the time of the locale's country.

    >>> from datetime import UTC
    >>> from knowledge.locales.locale import Country
    >>> date_time(datetime(2026, 5, 12, 22, tzinfo=UTC), Locale(Country("AE"), Language.EN))
    '13 May 2026, 02:00'
    """
    return f"{long_date(moment, locale)}{locale.language.comma}{_local(moment, locale):%H:%M}"


def date_time_with_zone(moment: datetime, locale: Locale) -> str:
    """Format an instant as `date_time` does, with the offset of the country from UTC.

    >>> from datetime import UTC
    >>> from knowledge.locales.locale import Country
    >>> riyadh = Locale(Country("SA"), Language.EN)
    >>> date_time_with_zone(datetime(2026, 5, 12, 22, tzinfo=UTC), riyadh)
    '13 May 2026, 01:00 (UTC+03:00)'
    """
    offset = moment.astimezone(cldr.time_zone(locale.country)).isoformat()[-6:]
    return f"{date_time(moment, locale)} (UTC{offset})"


@lru_cache(maxsize=4_096)
def price(money: Money, locale: Locale) -> str:
    r"""Format an amount with its currency, for text in the direction of the language.

    >>> from knowledge.locales.locale import Country
    >>> price(Money(amount="445.000", currency="OMR"), Locale(Country("OM"), Language.EN))
    'OMR\xa0445.000'

    Whole amounts are written as the country does, which may be without decimals.

    >>> iraq = Locale(Country("IQ"), Language.EN)
    >>> [price(Money(amount=each, currency="IQD"), iraq) for each in ("1500.000", "1500.250")]
    ['IQD\xa01,500', 'IQD\xa01,500.250']
    """
    return _price(money, locale, _digits(money))


def _digits(money: Money) -> int:
    """Return the decimals of an amount, which are none in some countries if it is whole."""
    amount, digits = Decimal(money.amount), get_currency_precision(money.currency)
    is_exact = amount == amount.quantize(Decimal(1).scaleb(-digits))
    return digits if is_exact else cldr.currency_digits(money.currency)


@lru_cache(maxsize=4_096)
def _short_price(money: Money, locale: Locale) -> str:
    """Format an amount as `price` does, without decimals if it is whole."""
    return _price(money, locale, _digits(money) if Decimal(money.amount) % 1 else 0)


def _price(money: Money, locale: Locale, digits: int) -> str:
    amount, formats = Decimal(money.amount), _cldr(locale)
    english = locale.language is Language.EN
    pattern = parse_pattern(
        _LATIN_CODE_FIRST if english else formats.currency_formats["standard"].pattern
    )
    pattern.frac_prec = (digits, digits)
    formatted = pattern.apply(
        amount, formats, money.currency, currency_digits=False, numbering_system="latn"
    )
    return str(formatted).replace(_RIGHT_TO_LEFT_MARK, "")


@lru_cache(maxsize=1_024)
def minutes(count: int, locale: Locale) -> str:
    """Format a duration in minutes.

    >>> from knowledge.locales.locale import Country
    >>> emirates = Country("AE")
    >>> minutes(1, Locale(emirates, Language.EN)), minutes(3, Locale(emirates, Language.AR))
    ('1 minute', '3 دقائق')
    """
    formats = _cldr(locale)
    return format_unit(count, "duration-minute", locale=formats, numbering_system="latn")


def number(value: float | Decimal, locale: Locale) -> str:
    """Format a number with the separators of the locale.

    >>> from knowledge.locales.locale import Country
    >>> number(1234.5, Locale(Country("KW"), Language.AR))
    '1,234.5'
    """
    return format_decimal(value, locale=_cldr(locale), numbering_system="latn")


_AVAILABILITY = {
    Availability.IN_STOCK: _("In stock"),
    Availability.OUT_OF_STOCK: _("Out of stock"),
    Availability.DISCONTINUED: _("No longer sold"),
}


def availability(item: ProductItem, language: Language) -> str:
    """Return whether a product can be had, or in how many weeks or days."""
    catalog = translations(language)
    if item.lead_time is None:
        return catalog.gettext(_AVAILABILITY[item.availability])
    weeks, days = divmod(item.lead_time, 7)
    if not days:
        text = catalog.ngettext("Available in %(num)s week", "Available in %(num)s weeks", weeks)
        return text % {"num": weeks}
    text = catalog.ngettext("Available in %(num)s day", "Available in %(num)s days", item.lead_time)
    return text % {"num": item.lead_time}


def delivery(product: ProductBody, language: Language) -> str | None:
    """Return how a product is delivered; of one out of stock, when the date is told."""
    if product.delivery is None and product.is_awaited:
        return translations(language).gettext("The date comes with the quotation")
    return product.delivery


_PERIODS: Mapping[str, str] = {
    "month": _("per month"),
    "year": _("per year"),
    "once": _("one-time payment"),
}


class PriceWords(NamedTuple):
    """An amount and its period, what is said about VAT, and the other amount, if there are two.

    `beside` are the lines below the first amount, each with its period, and `terms` what holds
    for all prices of a country, with the rate of VAT.
    """

    amount: str
    period: str
    note: str = ""
    other: str = ""
    beside: tuple[str, ...] = ()
    terms: str = ""


def price_words(
    plan_price: PlanPrice, locale: Locale, prices: Iterable[PlanPrice] = ()
) -> PriceWords:
    """Return the words of a price, one of the `prices` of a plan."""
    gettext = translations(locale.language).gettext
    first, second = _amounts(plan_price)
    words = PriceWords(
        _short_price(first, locale),
        gettext(_PERIODS[plan_price.period]),
        beside=tuple(
            f"{_short_price(other, locale)} {gettext(_PERIODS[each.period])}"
            for each in prices
            if each.period != plan_price.period
            for other in _amounts(each)[:1]
        ),
    )
    if plan_price.vat_rate is None:
        return words
    if second is None:
        return words._replace(note=gettext("no VAT"), terms=gettext("no VAT"))
    rate = {"rate": f"{plan_price.vat_rate}%"}
    gross, net = gettext("incl. %(rate)s VAT") % rate, gettext("excl. VAT")
    terms = gettext("excl. %(rate)s VAT") % rate
    note, other_note, brief = net, gross, gettext("incl. VAT")
    if plan_price.vat_first:
        note, other_note, brief, terms = gross, net, net, gross
    other = _short_price(second, locale)
    return words._replace(
        note=note,
        other=f"{other} {other_note}",
        beside=(f"{other} {words.period} {brief}", *words.beside),
        terms=terms,
    )


def _amounts(plan_price: PlanPrice) -> tuple[Money, Money | None]:
    """Return the price that comes first, and the one with or without VAT that follows it."""
    net = Money(amount=plan_price.amount, currency=plan_price.currency)
    if plan_price.amount_with_vat is None:
        return net, None
    gross = Money(amount=plan_price.amount_with_vat, currency=plan_price.currency)
    return (gross, net) if plan_price.vat_first else (net, gross)
