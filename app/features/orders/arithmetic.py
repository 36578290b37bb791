"""Order arithmetic: checks that the amounts of an order are consistent, to the smallest unit.

Tax is calculated per line on the net amount and rounded half up. Totals are the sums of lines and
shipping.

If prices exclude tax, a line's net is price times quantity, less discount. If they include tax,
the tax is extracted from price times quantity, less discount. A shop whose discounts exclude tax
extracts the tax before it subtracts the discount. Both are accepted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from app.features.orders.money import Currency
from app.features.orders.order import Line, OrderDraft, TaxCategory, Taxed, Totals

_PERCENT = Decimal(100)


@dataclass(frozen=True, slots=True)
class Split:
    """An amount split into net and tax."""

    net: Decimal
    tax: Decimal


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A stated amount that differs from the calculated one."""

    field: str
    stated: Decimal
    expected: Decimal
    unit: str

    def __str__(self) -> str:
        """Return a sentence with field, amounts and difference."""
        return (
            f"{self.field} is {self.stated} but should be {self.expected}"
            f" (difference {self.stated - self.expected} {self.unit})"
        )


def tax_on(net: Decimal, rate: Decimal, currency: Currency) -> Decimal:
    """Return the tax on a net amount, rounded half up.

    >>> tax_on(Decimal("10.10"), Decimal(5), Currency.of("AED"))
    Decimal('0.51')
    """
    return currency.round(net * rate / _PERCENT)


def tax_within(total: Decimal, rate: Decimal, currency: Currency) -> Split:
    """Split a total that includes tax; net and tax add up to the total exactly.

    >>> tax_within(Decimal("115.00"), Decimal(15), Currency.of("SAR"))
    Split(net=Decimal('100.00'), tax=Decimal('15.00'))
    """
    tax = currency.round(total * rate / (_PERCENT + rate))
    return Split(total - tax, tax)


def line_splits(line: Line, taxes_included: bool, currency: Currency) -> tuple[Split, ...]:
    """Return the accepted splits of a line; the first is the one reported as expected."""
    quoted = currency.round(line.unit_price * line.quantity)
    if not taxes_included:
        net = quoted - line.discount
        return (Split(net, tax_on(net, line.tax_rate, currency)),)
    net = tax_within(quoted, line.tax_rate, currency).net - line.discount
    return (
        tax_within(quoted - line.discount, line.tax_rate, currency),
        Split(net, tax_on(net, line.tax_rate, currency)),
    )


def shipping_splits(shipping: Taxed, taxes_included: bool, currency: Currency) -> tuple[Split, ...]:
    """Return the accepted splits: tax on the net, or within the total if prices include tax."""
    on_net = Split(shipping.net, tax_on(shipping.net, shipping.tax_rate, currency))
    within = tax_within(shipping.total, shipping.tax_rate, currency)
    return (on_net, within) if taxes_included else (on_net,)


def totals_of(order: OrderDraft, currency: Currency) -> Totals:
    """Return the totals calculated from lines and shipping."""
    zero = currency.round(Decimal(0))
    net = sum((line.net for line in order.lines), zero)
    shipping = sum((entry.net for entry in order.shipping), zero)
    tax = sum((taxed.tax for taxed in (*order.lines, *order.shipping)), zero)
    discount = sum((line.discount for line in order.lines), zero)
    grand = net + shipping + tax
    return Totals(net=net, discount=discount, shipping=shipping, tax=tax, grand=grand)


def check_totals(order: OrderDraft) -> list[Mismatch]:
    """Return every mismatch between stated and calculated amounts; empty for a valid order."""
    return list(_mismatches(order))


def _mismatches(order: OrderDraft) -> Iterator[Mismatch]:
    currency = Currency.of(order.currency)
    for index, line in enumerate(order.lines):
        splits = line_splits(line, order.taxes_included, currency)
        yield from _check_taxed(f"lines[{index}]", line, splits, currency)
    for index, shipping in enumerate(order.shipping):
        splits = shipping_splits(shipping, order.taxes_included, currency)
        yield from _check_taxed(f"shipping[{index}]", shipping, splits, currency)
    sums = totals_of(order, currency)
    for name in Totals.model_fields:
        yield from _check_equal(
            f"totals.{name}", getattr(order.totals, name), getattr(sums, name), currency.code
        )


def _check_taxed(
    path: str, taxed: Taxed, splits: tuple[Split, ...], currency: Currency
) -> Iterator[Mismatch]:
    stated = Split(taxed.net, taxed.tax)
    expected = stated if stated in splits else splits[0]
    if taxed.tax_category is not TaxCategory.STANDARD:
        yield from _check_equal(f"{path}.taxRate", taxed.tax_rate, Decimal(0), "percent")
    yield from _check_equal(f"{path}.net", taxed.net, expected.net, currency.code)
    yield from _check_equal(f"{path}.tax", taxed.tax, expected.tax, currency.code)
    yield from _check_equal(f"{path}.total", taxed.total, taxed.net + taxed.tax, currency.code)


def _check_equal(field: str, stated: Decimal, expected: Decimal, unit: str) -> Iterator[Mismatch]:
    if stated != expected:
        yield Mismatch(field, stated, expected, unit)
