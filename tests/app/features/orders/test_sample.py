"""The sample orders: valid, and consistent with the sample catalogue."""

from __future__ import annotations

from collections import Counter

import pytest
from contract.visitor import Visitor
from gulf import COUNTRIES, CURRENCIES

from app.features.orders.commands import missing_for_invoice
from app.features.orders.intake import ParsedOrder, read_lines, tax_within
from app.features.orders.money import Currency
from app.features.orders.order import OrderDraft, OrderStatus, TaxCategory
from app.platform.settings import SAMPLE_CONTENT
from knowledge.fields.content_types import PRODUCT
from knowledge.snapshot.loading import load_content

SAMPLE = SAMPLE_CONTENT / "_orders" / "sample.jsonl"


@pytest.fixture(scope="module")
def orders() -> list[OrderDraft]:
    """Every order of the sample file; all must be valid."""
    results = list(read_lines(SAMPLE.read_bytes().splitlines()))
    assert [str(result) for result in results if not isinstance(result, ParsedOrder)] == []
    return [result.draft for result in results if isinstance(result, ParsedOrder)]


def test_they_cover_the_cases_an_integrator_needs(orders: list[OrderDraft]) -> None:
    """All countries, states and tax categories; discounts, refunds, prices with and without tax."""
    addresses = [order.shipping_address for order in orders]
    assert {address.country_code for address in addresses if address} == set(COUNTRIES)
    assert {order.currency for order in orders} == set(CURRENCIES)
    assert {order.status for order in orders} == set(OrderStatus)
    assert {order.taxes_included for order in orders} == {True, False}
    categories = [{line.tax_category for line in order.lines} for order in orders]
    assert set().union(*categories) >= {
        TaxCategory.STANDARD,
        TaxCategory.ZERO,
        TaxCategory.OUT_OF_SCOPE,
        TaxCategory.REVERSE_CHARGE,
    }
    assert any(len(each) > 1 for each in categories)
    assert any(order.discounts for order in orders)
    assert any(payment.amount < 0 for order in orders for payment in order.payments)


def test_their_lines_match_the_catalogue(orders: list[OrderDraft]) -> None:
    """SKU, barcode, both names and the price in the order's currency."""
    products = {}
    for entry in load_content(SAMPLE_CONTENT).snapshot.all(PRODUCT):
        languages = {each.path.endswith(".ar.md"): each.fields for each in entry.documents}
        products[languages[False].sku] = (languages[False], languages[True])
    for order in orders:
        for line in order.lines:
            english, arabic = products[line.sku]
            assert line.barcode == english.barcode
            assert line.name.en == (english.title or {})["en"]
            assert line.name.ar == (arabic.title or {})["ar"]
            price = line.unit_price
            if order.taxes_included:
                price = tax_within(price, line.tax_rate, Currency.of(order.currency)).net
            assert price == (english.prices or {})[order.currency]


def test_their_numbers_are_unique_and_saudi_invoices_are_complete(
    orders: list[OrderDraft],
) -> None:
    """So that every line becomes an order, and no invoice field is missing."""
    assert max(Counter(order.number for order in orders).values()) == 1
    assert [missing_for_invoice(order) for order in orders if missing_for_invoice(order)] == []


def test_they_are_not_published(sample: Visitor) -> None:
    """Names in the content folder that start with an underscore are not served."""
    for path in ("/_orders/sample.jsonl", "/orders/sample.jsonl"):
        assert sample.get(path).status == 404
