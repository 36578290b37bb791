"""Value added tax on prices: exact decimals, rounded half up to the digits of the currency."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Context, Decimal

from knowledge.locales import cldr

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
