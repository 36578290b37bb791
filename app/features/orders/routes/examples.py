"""Examples for the OpenAPI document, from the sample orders that ship with the service."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache

from app.features.orders.intake import read_order
from app.features.orders.order import Order, to_order
from app.platform.settings import SAMPLE_CONTENT
from app.web.openapi.operation import PathParameter

_SAMPLE = SAMPLE_CONTENT / "_orders" / "sample.jsonl"
NOON = datetime(2026, 11, 2, 12, tzinfo=UTC)
"""The time in all examples."""

ORDER_ID = PathParameter(
    "Id of the order, from `GET /api/orders`; not the order number.",
    lambda _: "1",
    is_id=True,
)


@cache
def order() -> Order:
    """Return the first sample order as it is after import."""
    with _SAMPLE.open("rb") as file:
        return to_order(read_order(file.readline()), order_id=1, revision=1, updated_at=NOON)
