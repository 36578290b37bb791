"""VAT on prices: exact in every currency, and the same as on an order."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from babel.core import get_global
from hypothesis import given
from hypothesis import strategies as st

from app.features.orders.intake import tax_on, tax_within
from app.features.orders.money import Currency
from knowledge.fields.prices import amount_with_vat, rate_text
from knowledge.locales.cldr import currency_digits

currencies = st.sampled_from(sorted(get_global("all_currencies")))
amounts = st.decimals("0", "999999999999", places=4)
rates = st.decimals("0", "100", places=4)


@given(net=amounts, rate=rates, code=currencies)
def test_a_price_with_vat_is_net_and_tax_to_the_smallest_unit(
    net: Decimal, rate: Decimal, code: str
) -> None:
    """As an order with this price has it, in the digits of the currency."""
    currency = Currency.of(code)
    gross = amount_with_vat(net, rate, code)
    assert gross.as_tuple().exponent == -currency_digits(code)
    net = currency.round(net)
    assert gross == net + tax_on(net, rate, currency)


@given(net=amounts, rate=rates, code=currencies)
def test_no_fraction_is_lost(net: Decimal, rate: Decimal, code: str) -> None:
    """The exact amount differs by half a unit at most, and an exact half is rounded up."""
    unit = Decimal(1).scaleb(-currency_digits(code))
    rounded = net.quantize(unit, ROUND_HALF_UP)
    exact = Fraction(rounded) * (1 + Fraction(rate) / 100)
    error = Fraction(amount_with_vat(net, rate, code)) - exact
    assert -Fraction(unit) / 2 < error <= Fraction(unit) / 2


@given(net=amounts, rate=rates, code=currencies)
def test_the_net_price_comes_back_from_the_gross_one(
    net: Decimal, rate: Decimal, code: str
) -> None:
    """Within a unit, as an invoice with prices that include tax extracts it."""
    currency = Currency.of(code)
    split = tax_within(amount_with_vat(net, rate, code), rate, currency)
    assert abs(split.net - currency.round(net)) <= currency.unit


@given(rate=rates)
def test_the_text_of_a_rate_has_its_value(rate: Decimal) -> None:
    """Without zeros at its end."""
    text = rate_text(rate)
    assert Decimal(text) == rate
    assert "." not in text or not text.endswith("0")
