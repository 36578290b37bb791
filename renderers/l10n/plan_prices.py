"""Prices of plans in words, the same in all representations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from knowledge.diagnostics.messages import mark as _
from knowledge.locales.locale import Locale
from knowledge.resources.base import PlanPrice
from knowledge.resources.products import Money
from renderers.l10n.formats import price
from renderers.l10n.translation import translations

_PERIODS: Mapping[str, str] = {
    "month": _("per month"),
    "year": _("per year"),
    "once": _("one-time payment"),
}


class PriceWords(NamedTuple):
    """An amount and its period, what is said about VAT, and the amount with VAT."""

    amount: str
    period: str
    note: str = ""
    with_vat: str = ""


def price_words(plan_price: PlanPrice, locale: Locale) -> PriceWords:
    """Return the words of a price."""
    gettext = translations(locale.language).gettext
    amount = price(Money(amount=plan_price.amount, currency=plan_price.currency), locale)
    period = gettext(_PERIODS[plan_price.period])
    if plan_price.vat_rate is None:
        return PriceWords(amount, period)
    if plan_price.amount_with_vat is None:
        return PriceWords(amount, period, gettext("no VAT"))
    money = Money(amount=plan_price.amount_with_vat, currency=plan_price.currency)
    note = gettext("incl. %(rate)s VAT") % {"rate": f"{plan_price.vat_rate}%"}
    return PriceWords(amount, period, gettext("excl. VAT"), f"{price(money, locale)} {note}")
