"""The webhook of orders: the event that the preview shows, and the message that a push sends."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from app.features.orders.order import Order
from app.platform.deliveries.delivery import DeliveryKind, Message
from knowledge.resources.base import Resource

ORDER = DeliveryKind("order")


class OrderData(Resource):
    """The payload of the event."""

    order: Order
    """The order."""


class OrderPushed(Resource):
    """The body of a webhook; `timestamp` is when this revision of the order was stored."""

    type: Literal["order.pushed"] = "order.pushed"
    """Type of the event."""
    timestamp: datetime
    """When this revision of the order was stored."""
    data: OrderData
    """What the event is about."""


def event(order: Order) -> OrderPushed:
    """Return the event of an order; equal revisions give equal events."""
    return OrderPushed(timestamp=order.updated_at, data=OrderData(order=order))


def body_of(order: Order) -> bytes:
    """Return the bytes of the event, as previewed, stored, signed and sent."""
    return event(order).model_dump_json().encode()


def message_of(order: Order) -> Message:
    """Return the message of an order; pushes of one revision join while it is pending."""
    return Message(
        kind=ORDER,
        subject_id=str(order.id),
        subject=order.number,
        revision=order.revision,
        body=body_of(order),
    )
