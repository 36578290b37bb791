"""E-invoicing: the order fields needed for a Saudi tax invoice to a company."""

from __future__ import annotations

from app.features.orders.order import OrderDraft, PostalAddress

_ADDRESS = ("building_number", "district", "city", "postal_code")


def missing_for_invoice(order: OrderDraft) -> list[str]:
    """Return the names of missing fields; empty if no Saudi tax invoice to a company is needed."""
    buyer, address = order.customer, order.billing_address
    if not buyer.company or address is None or address.country_code != "SA":
        return []
    fields = (
        {"customer.taxIdScheme": buyer.tax_id_scheme} if buyer.tax_id else {"customer.taxId": None}
    )
    for name in _ADDRESS:
        fields[f"billingAddress.{PostalAddress.model_fields[name].alias}"] = getattr(address, name)
    return [name for name, value in fields.items() if not value]
