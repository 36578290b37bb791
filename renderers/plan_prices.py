"""Prices of plans in words, the same in all representations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from knowledge.locale import Locale
from knowledge.messages import mark as _
from knowledge.resources.base import PlanPrice
from knowledge.resources.products import Money
from renderers.l10n import price
from renderers.translation import translations

_PERIODS: Mapping[str, str] = {
    "month": _("per month"),
    "year": _("per year"),
    "once": _("one-time payment"),
}


class PriceWords(NamedTuple):
    """An amount and its period; of a country with VAT, how it is without and with it."""

    amount: str
    period: str
    without_vat: str = ""
    with_vat: str = ""


def price_words(plan_price: PlanPrice, locale: Locale) -> PriceWords:
    """Return the words of a price."""
    gettext = translations(locale.language).gettext
    amount = price(Money(amount=plan_price.amount, currency=plan_price.currency), locale)
    period = gettext(_PERIODS[plan_price.period])
    if plan_price.amount_with_vat is None:
        return PriceWords(amount, period)
    money = Money(amount=plan_price.amount_with_vat, currency=plan_price.currency)
    included = gettext("%(price)s incl. %(rate)s%% VAT")
    with_vat = included % {"price": price(money, locale), "rate": plan_price.vat_rate}
    return PriceWords(amount, period, gettext("excl. VAT"), with_vat)
