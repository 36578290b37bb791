"""E-invoicing: the order fields needed for a Saudi tax invoice to a company."""

from __future__ import annotations

from collections.abc import Iterator

from app.orders.order import Customer, Order, OrderDraft, PostalAddress

_ADDRESS = ("building_number", "district", "city", "postal_code")


def missing_for_invoice(order: OrderDraft | Order) -> list[str]:
    """Return the names of missing fields; empty if no Saudi tax invoice to a company is needed."""
    address = order.billing_address
    if not order.customer.company or address is None or address.country_code != "SA":
        return []
    return [*_missing_of_buyer(order.customer), *_missing_of_address(address)]


def _missing_of_buyer(customer: Customer) -> Iterator[str]:
    if not customer.tax_id:
        yield "customer.taxId"
    elif not customer.tax_id_scheme:
        yield "customer.taxIdScheme"


def _missing_of_address(address: PostalAddress) -> Iterator[str]:
    for field in _ADDRESS:
        if not getattr(address, field):
            yield f"billingAddress.{PostalAddress.model_fields[field].alias}"
