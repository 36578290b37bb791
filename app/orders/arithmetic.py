"""Arithmetic: whether the amounts of an order follow from one another, to the last fils.

Tax is counted per line, on the net amount, half up. Totals are sums of lines and shipping.

Where prices hold no tax, a line's net is price times quantity less its discount. Where they do,
the customer pays price times quantity less discount, and the tax is taken out of that; a shop
that states discounts without tax even then takes the tax out of the price first. Either is right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from app.orders.money import Currency
from app.orders.order import Line, Order, OrderDraft, TaxCategory, Taxed, Totals

_PERCENT = Decimal(100)


@dataclass(frozen=True, slots=True)
class Split:
    """An amount apart: what goods cost, and the tax on it."""

    net: Decimal
    tax: Decimal


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One amount that does not follow from the others."""

    field: str
    stated: Decimal
    expected: Decimal
    unit: str

    def __str__(self) -> str:
        """A sentence that names field, amounts and difference."""
        return (
            f"{self.field} is {self.stated}, but comes to {self.expected}:"
            f" a difference of {self.stated - self.expected} {self.unit}"
        )


def tax_on(net: Decimal, rate: Decimal, currency: Currency) -> Decimal:
    """The tax on a net amount, half up.

    >>> tax_on(Decimal("10.10"), Decimal(5), Currency.of("AED"))
    Decimal('0.51')
    """
    return currency.round(net * rate / _PERCENT)


def tax_within(total: Decimal, rate: Decimal, currency: Currency) -> Split:
    """A total with tax taken apart, nothing lost.

    >>> tax_within(Decimal("115.00"), Decimal(15), Currency.of("SAR"))
    Split(net=Decimal('100.00'), tax=Decimal('15.00'))
    """
    tax = currency.round(total * rate / (_PERCENT + rate))
    return Split(total - tax, tax)


def line_splits(line: Line, taxes_included: bool, currency: Currency) -> tuple[Split, ...]:
    """What a line's net and tax may be; the first is how this service counts."""
    quoted = currency.round(line.unit_price * line.quantity)
    if not taxes_included:
        net = quoted - line.discount
        return (Split(net, tax_on(net, line.tax_rate, currency)),)
    net = tax_within(quoted, line.tax_rate, currency).net - line.discount
    return (
        tax_within(quoted - line.discount, line.tax_rate, currency),
        Split(net, tax_on(net, line.tax_rate, currency)),
    )


def totals_of(order: OrderDraft | Order, currency: Currency) -> Totals:
    """The totals that lines and shipping come to."""
    nothing = currency.round(Decimal(0))
    net = sum((line.net for line in order.lines), nothing)
    shipping = sum((each.net for each in order.shipping), nothing)
    tax = sum((each.tax for each in (*order.lines, *order.shipping)), nothing)
    discount = sum((line.discount for line in order.lines), nothing)
    grand = net + shipping + tax
    return Totals(net=net, discount=discount, shipping=shipping, tax=tax, grand=grand)


def check_totals(order: OrderDraft | Order) -> list[Mismatch]:
    """Every amount that does not add up; an order is right when there is none."""
    currency = Currency.of(order.currency)
    return list(_mismatches(order, currency))


def _mismatches(order: OrderDraft | Order, currency: Currency) -> Iterator[Mismatch]:
    for index, line in enumerate(order.lines):
        splits = line_splits(line, order.taxes_included, currency)
        stated = Split(line.net, line.tax)
        expected = stated if stated in splits else splits[0]
        yield from _taxed(f"lines[{index}]", line, expected, currency)
    for index, each in enumerate(order.shipping):
        expected = _shipping_split(each, order.taxes_included, currency)
        yield from _taxed(f"shipping[{index}]", each, expected, currency)
    sums = totals_of(order, currency)
    for name in Totals.model_fields:
        yield from _unless_equal(
            f"totals.{name}", getattr(order.totals, name), getattr(sums, name), currency.code
        )


def _shipping_split(shipping: Taxed, taxes_included: bool, currency: Currency) -> Split:
    """Net as stated; where prices hold tax, so may what it was taken out of."""
    stated = Split(shipping.net, shipping.tax)
    if taxes_included and stated == tax_within(shipping.total, shipping.tax_rate, currency):
        return stated
    return Split(shipping.net, tax_on(shipping.net, shipping.tax_rate, currency))


def _taxed(place: str, taxed: Taxed, expected: Split, currency: Currency) -> Iterator[Mismatch]:
    if taxed.tax_category is not TaxCategory.STANDARD:
        yield from _unless_equal(f"{place}.taxRate", taxed.tax_rate, Decimal(0), "percent")
    yield from _unless_equal(f"{place}.net", taxed.net, expected.net, currency.code)
    yield from _unless_equal(f"{place}.tax", taxed.tax, expected.tax, currency.code)
    yield from _unless_equal(f"{place}.total", taxed.total, taxed.net + taxed.tax, currency.code)


def _unless_equal(field: str, stated: Decimal, expected: Decimal, unit: str) -> Iterator[Mismatch]:
    if stated != expected:
        yield Mismatch(field, stated, expected, unit)
