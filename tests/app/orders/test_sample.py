"""The sample orders that ship with the content: whole, right, and of the products on show."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal

import pytest
from contract.visitor import Visitor

from app.orders.arithmetic import tax_within
from app.orders.e_invoicing import missing_for_invoice
from app.orders.intake import ParsedOrder, read_lines
from app.orders.money import CURRENCIES, Currency
from app.orders.order import OrderDraft, OrderStatus, TaxCategory
from app.settings import SAMPLE_CONTENT
from knowledge.content_path import ContentType
from knowledge.loading import load_content
from knowledge.locale import Country

SAMPLE = SAMPLE_CONTENT / "_orders" / "sample.jsonl"


@pytest.fixture(scope="module")
def orders() -> list[OrderDraft]:
    """Every order of the file; each adds up, or it would not be here."""
    read = list(read_lines(SAMPLE.read_bytes().splitlines()))
    assert [str(each) for each in read if not isinstance(each, ParsedOrder)] == []
    return [each.draft for each in read if isinstance(each, ParsedOrder)]


def test_they_show_what_an_integrator_will_meet(orders: list[OrderDraft]) -> None:
    """All countries and states; with tax, without and mixed; discounts, refunds, both prices."""
    addresses = [order.shipping_address for order in orders]
    assert {address.country_code for address in addresses if address} == set(Country)
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


def test_their_lines_are_the_catalogue_s_products_at_its_prices(orders: list[OrderDraft]) -> None:
    """SKU, barcode, both names and the price in the order's currency."""
    products = {}
    for entry in load_content(SAMPLE_CONTENT).snapshot.all(ContentType.PRODUCT):
        languages = {each.path.endswith(".ar.md"): each.metadata for each in entry.documents}
        products[languages[False]["sku"]] = (languages[False], languages[True])
    for order in orders:
        for line in order.lines:
            english, arabic = products[line.sku]
            assert line.barcode == english["barcode"]
            assert line.name.en == english["title"]["en"]
            assert line.name.ar == arabic["title"]["ar"]
            price = line.unit_price
            if order.taxes_included:
                price = tax_within(price, line.tax_rate, Currency.of(order.currency)).net
            assert price == Decimal(english["prices"][order.currency])


def test_their_numbers_are_their_own_and_saudi_invoices_have_all_they_need(
    orders: list[OrderDraft],
) -> None:
    """So that an import makes as many orders as there are lines."""
    assert max(Counter(order.number for order in orders).values()) == 1
    assert [missing_for_invoice(order) for order in orders if missing_for_invoice(order)] == []


def test_they_are_not_published(sample: Visitor) -> None:
    """They stand in the content folder, where names with an underscore are left alone."""
    for path in ("/_orders/sample.jsonl", "/orders/sample.jsonl"):
        assert sample.get(path).status == 404
