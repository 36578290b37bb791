"""Prices of plans, and the rates of VAT that they include or exclude."""

import re
from collections.abc import Iterator, Mapping
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Annotated, Literal, NamedTuple, TypeVar

from pydantic import WithJsonSchema

from knowledge.locales import cldr
from knowledge.locales.locale import Country

AMOUNT_PATTERN = r"^-?\d+(\.\d{1,3})?$"
AmountText = Annotated[str, WithJsonSchema({"type": "string", "pattern": AMOUNT_PATTERN})]
"""An amount as a decimal string, with the decimals that ISO 4217 gives its currency."""

PERIODS = ("month", "year", "once")
PriceDisplay = Literal["inclusive", "exclusive"]
"""Which of two prices comes first: the one with VAT, as consumers pay it, or that without."""
ON_REQUEST = "request"
"""What authors write instead of an amount."""

_AMOUNT = re.compile(
    r"(?:(?P<before>[A-Z]{3})\s*)?(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d{1,4})?|\d{1,12}(?:\.\d{1,4})?)"
    r"(?:\s*(?P<after>[A-Z]{3}))?"
)


_NET_COUNTRIES = frozenset({"US", "CA"})
"""Where merchants tell prices without tax, which depends on the place of the buyer."""

Price = TypeVar("Price")


def merchant_price(net: Price, with_vat: Price | None, country: Country | None) -> Price:
    """Return the price that Google wants of merchants, in product feeds and in JSON-LD.

    >>> merchant_price(100, 115, Country("SA")), merchant_price(100, None, Country("KW"))
    (115, 100)
    """
    return net if with_vat is None or country in _NET_COUNTRIES else with_vat


class Amount(NamedTuple):
    """An amount and its currency, `""` for that of the reader."""

    number: Decimal
    currency: str


def amounts(text: str) -> Iterator[Amount]:
    """Yield the amounts of an option such as `399` or `399 AED, 33.000 KWD`.

    >>> [str(each.number) + each.currency for each in amounts("3,990 AED, KWD 33.000")]
    ['3990AED', '33.000KWD']
    """
    for match in _AMOUNT.finditer(text):
        currency = match["after"] or match["before"] or ""
        if not currency or cldr.is_currency(currency):
            yield Amount(Decimal(match["number"].replace(",", "")), currency)


def price(
    text: str, period: str, currency: str | None, rate: Decimal | None
) -> Mapping[str, object] | None:
    """Return the price for readers with a currency and a VAT rate, None without an amount.

    A rate of 0 is no VAT. Without an amount in their currency it is the first one, and says
    nothing about VAT.
    """
    found = {each.currency or currency or "": each.number for each in amounts(text)}
    chosen = currency if currency in found else next(iter(found), "")
    if not chosen:
        return None
    number = found[chosen]
    rate = rate if chosen == currency else None
    with_vat = amount_with_vat(number, rate, chosen) if rate else None
    return {
        "period": period,
        "amount": cldr.amount_text(number, chosen),
        "currency": chosen,
        "vat_rate": rate_text(rate) if rate is not None else None,
        "amount_with_vat": str(with_vat) if with_vat is not None else None,
    }


_CONTEXT = Context(prec=60, rounding=ROUND_HALF_UP)
"""Precise enough for every amount and rate that front matter may have."""


def amount_with_vat(net: Decimal, rate: Decimal, currency: str) -> Decimal:
    """Return a net amount with the tax on it; net and tax are rounded each, as on an invoice.

    >>> amount_with_vat(Decimal("9.99"), Decimal("15"), "SAR")
    Decimal('11.49')
    >>> amount_with_vat(Decimal("72.5"), Decimal("5"), "OMR")
    Decimal('76.125')
    """
    unit = Decimal(1).scaleb(-cldr.currency_digits(currency))
    net = net.quantize(unit, context=_CONTEXT)
    tax = _CONTEXT.divide(_CONTEXT.multiply(net, rate), Decimal(100))
    return _CONTEXT.add(net, tax.quantize(unit, context=_CONTEXT))


def rate_text(rate: Decimal) -> str:
    """Return a rate in percent without needless zeros.

    >>> rate_text(Decimal("15.00")), rate_text(Decimal("7.50")), rate_text(Decimal("10"))
    ('15', '7.5', '10')
    """
    text = f"{rate:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
