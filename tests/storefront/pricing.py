"""Pricing: builds complete orders from items, with all amounts calculated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from typing import Any

from app.features.orders.intake import tax_on, tax_within
from app.features.orders.money import Currency

Written = dict[str, Any]
"""An order as a JSON object, with amounts as strings."""


@dataclass(frozen=True)
class Item:
    """A product in the cart."""

    sku: str
    unit_price: Decimal
    quantity: Decimal = Decimal(1)
    rate: Decimal = Decimal(0)
    category: str = "S"
    discount: Decimal = Decimal(0)
    barcode: str | None = None
    name: tuple[str, str] = ("Product", "منتج")


def share_out(amount: Decimal, weights: Sequence[Decimal], currency: Currency) -> list[Decimal]:
    """Split an amount in proportion to the weights, by the largest remainder method."""
    total = sum(weights)
    exact = [amount * weight / total for weight in weights]
    shares = [share.quantize(currency.unit, ROUND_FLOOR) for share in exact]
    remaining_units = int((amount - sum(shares)) / currency.unit)
    by_remainder = sorted(range(len(shares)), key=lambda index: shares[index] - exact[index])
    for index in by_remainder[:remaining_units]:
        shares[index] += currency.unit
    return shares


def priced(
    items: Sequence[Item],
    code: str,
    *,
    taxes_included: bool = False,
    order_discount: Decimal = Decimal(0),
    shipping: Decimal = Decimal(0),
    **fields: Any,
) -> Written:
    """Build an order with lines, shipping and totals; `fields` adds or replaces fields."""
    currency = Currency.of(code)
    quoted = [currency.round(item.unit_price * item.quantity) - item.discount for item in items]
    shares = [Decimal(0)] * len(items)
    if order_discount:
        shares = share_out(order_discount, quoted, currency)
    lines = [
        _line(item, number, share, currency, taxes_included)
        for number, (item, share) in enumerate(zip(items, shares, strict=True), 1)
    ]
    charges = [_shipping(shipping, items[0], currency)] if shipping else []
    fields = {"status": "confirmed", "customer": {"name": "Noura Example"}, **fields}
    return {
        "number": "T-1",
        "createdAt": "2026-05-01T09:30:00+04:00",
        **fields,
        "currency": code,
        "taxesIncluded": taxes_included,
        "lines": lines,
        "shipping": charges,
        "totals": _totals(lines, charges, currency),
    }


def _line(
    item: Item, number: int, share: Decimal, currency: Currency, taxes_included: bool
) -> Written:
    discount = item.discount + share
    quoted = currency.round(item.unit_price * item.quantity) - discount
    if taxes_included:
        split = tax_within(quoted, item.rate, currency)
        net, tax = split.net, split.tax
    else:
        net, tax = quoted, tax_on(quoted, item.rate, currency)
    quantity = item.quantity
    return {
        "id": number,
        "sku": item.sku,
        **({"barcode": item.barcode} if item.barcode else {}),
        "name": {"en": item.name[0], "ar": item.name[1]},
        "quantity": int(quantity) if quantity == int(quantity) else float(quantity),
        "unit": "piece",
        "unitPrice": _text(item.unit_price, currency),
        "discount": _text(discount, currency),
        "net": _text(net, currency),
        "taxCategory": item.category,
        "taxRate": f"{item.rate:f}",
        "tax": _text(tax, currency),
        "total": _text(net + tax, currency),
    }


def _shipping(net: Decimal, like: Item, currency: Currency) -> Written:
    tax = tax_on(net, like.rate, currency)
    return {
        "method": "Courier, next working day",
        "net": _text(net, currency),
        "taxCategory": like.category,
        "taxRate": f"{like.rate:f}",
        "tax": _text(tax, currency),
        "total": _text(net + tax, currency),
    }


def _totals(lines: list[Written], charges: list[Written], currency: Currency) -> Written:
    def total(rows: list[Written], field: str) -> Decimal:
        return sum((Decimal(row[field]) for row in rows), Decimal(0))

    sums = {
        "net": total(lines, "net"),
        "discount": total(lines, "discount"),
        "shipping": total(charges, "net"),
        "tax": total([*lines, *charges], "tax"),
        "grand": total([*lines, *charges], "total"),
    }
    return {name: _text(amount, currency) for name, amount in sums.items()}


def _text(amount: Decimal, currency: Currency) -> str:
    return str(amount.quantize(currency.unit))
