"""Order arithmetic: consistent orders are accepted, mismatches are named."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from cases import cases
from gulf import CURRENCIES
from hypothesis import given
from hypothesis import strategies as st
from storefront.pricing import Item, Written, priced, share_out

from app.features.orders.intake import check_totals, checked_draft, read_order
from app.features.orders.money import Currency

RATES = st.sampled_from([Decimal(rate) for rate in ("0", "5", "7.5", "10", "15")])


@st.composite
def amounts(draw: st.DrawFn, currency: Currency) -> Decimal:
    """Generate prices from the smallest unit up."""
    units = draw(st.integers(1, 10_000_000))
    return units * currency.unit


@st.composite
def orders(draw: st.DrawFn) -> Written:
    """Generate orders in all currencies, with discounts, with tax included or excluded."""
    code = draw(st.sampled_from(CURRENCIES))
    currency = Currency.of(code)
    items = [
        Item(
            sku=f"SKU-{number}",
            unit_price=draw(amounts(currency)),
            quantity=draw(st.decimals("0.25", 50, places=2)),
            rate=draw(RATES),
        )
        for number in range(draw(st.integers(1, 6)))
    ]
    total = Decimal(sum(currency.round(item.unit_price * item.quantity) for item in items))
    return priced(
        items,
        code,
        taxes_included=draw(st.booleans()),
        order_discount=currency.round(total * draw(st.integers(0, 100)) / 100),
        shipping=draw(amounts(currency)),
    )


@given(orders())
def test_a_consistent_order_is_accepted_unchanged(written: Written) -> None:
    """For any currency, rate, quantity and discount."""
    draft = read_order(json.dumps(written).encode())
    shown = json.loads(draft.model_dump_json())
    assert shown["totals"] == written["totals"]
    assert shown["lines"] == [{**line, "taxRate": line["taxRate"]} for line in written["lines"]]


@given(orders(), st.data())
def test_one_unit_too_many_in_any_amount_is_detected(written: Written, data: st.DataObject) -> None:
    """A difference of 0.01 or 0.001, depending on the currency."""
    currency = Currency.of(written["currency"])
    amounts_of, field = data.draw(
        st.sampled_from(
            [
                *((line, name) for line in written["lines"] for name in ("net", "tax", "total")),
                *((each, name) for each in written["shipping"] for name in ("net", "tax", "total")),
                *((written["totals"], name) for name in written["totals"]),
            ]
        )
    )
    amounts_of[field] = str(Decimal(amounts_of[field]) + currency.unit)
    assert check_totals(checked_draft(written)) != []


@given(st.sampled_from(CURRENCIES), st.integers(0, 10**9), st.data())
def test_a_discount_is_shared_out_to_the_last_unit(
    code: str, units: int, data: st.DataObject
) -> None:
    """The shares add up to the discount; each is within one unit of its exact part."""
    currency = Currency.of(code)
    amount = units * currency.unit
    weights = data.draw(st.lists(st.integers(1, 10**6).map(Decimal), min_size=1, max_size=20))
    shares = share_out(amount, weights, currency)
    assert sum(shares) == amount
    exact = [amount * weight / sum(weights) for weight in weights]
    assert all(abs(share - part) < currency.unit for share, part in zip(shares, exact, strict=True))


def changed(order: Written, path: str, value: Any) -> Written:
    """Return a copy with another value at a dotted path."""
    copy: Written = json.loads(json.dumps(order))
    *parents, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    node: Any = copy
    for part in parents:
        node = node[part]
    node[last] = value
    return copy


SAUDI = priced(
    [
        Item("POS", Decimal("4340.00"), Decimal(2), Decimal(15)),
        Item("GUIDE", Decimal("40.00"), category="Z"),
    ],
    "SAR",
    shipping=Decimal("50.00"),
)


@cases(
    ("path", "value", "message"),
    [
        pytest.param(
            "totals.tax",
            "1309.49",
            "totals.tax is 1309.49 but should be 1309.50 (difference -0.01 SAR)",
            id="totals",
        ),
        pytest.param(
            "lines.0.tax",
            "1302.01",
            "lines[0].tax is 1302.01 but should be 1302.00 (difference 0.01 SAR)",
            id="a line's tax",
        ),
        pytest.param(
            "lines.0.net",
            "8680.10",
            "lines[0].net is 8680.10 but should be 8680.00 (difference 0.10 SAR)",
            id="a line's net",
        ),
        pytest.param(
            "shipping.0.tax",
            "7.00",
            "shipping[0].tax is 7.00 but should be 7.50 (difference -0.50 SAR)",
            id="shipping",
        ),
        pytest.param(
            "lines.1.taxRate",
            "15",
            "lines[1].taxRate is 15 but should be 0 (difference 15 percent)",
            id="a zero-rated line bears no tax",
        ),
    ],
)
def test_a_mismatch_is_named_with_both_amounts(path: str, value: str, message: str) -> None:
    """So that an integrator sees which amount to correct."""
    mismatches = check_totals(checked_draft(changed(SAUDI, path, value)))
    assert message in [str(mismatch) for mismatch in mismatches]


def test_a_consistent_order_has_no_mismatches() -> None:
    """The base of the cases above."""
    assert check_totals(checked_draft(SAUDI)) == []


def test_prices_with_tax_are_the_total_of_the_line() -> None:
    """Tax is extracted from the price, not added to it."""
    order = priced([Item("A", Decimal("99.99"), rate=Decimal(5))], "AED", taxes_included=True)
    assert (order["lines"][0]["net"], order["lines"][0]["tax"]) == ("95.23", "4.76")
    assert check_totals(checked_draft(order)) == []


def test_a_discount_without_tax_is_accepted_too() -> None:
    """Shops differ in how they state discounts if prices include tax."""
    order = priced([Item("A", Decimal("115.00"), rate=Decimal(15))], "SAR", taxes_included=True)
    for path, value in {
        "lines.0.discount": "10.00",
        "lines.0.net": "90.00",
        "lines.0.tax": "13.50",
        "lines.0.total": "103.50",
        "totals.net": "90.00",
        "totals.tax": "13.50",
        "totals.discount": "10.00",
        "totals.grand": "103.50",
    }.items():
        order = changed(order, path, value)
    assert check_totals(checked_draft(order)) == []


@cases("code", CURRENCIES)
def test_every_currency_rounds_half_up_at_its_own_digits(code: str) -> None:
    """Not half to even: 12.5 units are 13."""
    currency = Currency.of(code)
    assert currency.digits == (3 if code in ("OMR", "KWD", "BHD") else 2)
    assert currency.round(currency.unit * Decimal("12.5")) == currency.unit * 13
