"""The webhook's body: the event of an order, as the preview shows it and as it is sent."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from app.orders.order import Order
from knowledge.resources.base import Resource


class OrderData(Resource):
    """What the event is about."""

    order: Order


class OrderPushed(Resource):
    """The body of a webhook; `timestamp` is when the order came to be as it is sent."""

    type: Literal["order.pushed"] = "order.pushed"
    timestamp: datetime
    data: OrderData


def event(order: Order) -> OrderPushed:
    """The event of an order: the same as long as the order's revision is the same."""
    return OrderPushed(timestamp=order.updated_at, data=OrderData(order=order))


def body_of(order: Order) -> bytes:
    """The bytes that are shown by the preview, kept, signed and sent."""
    return event(order).model_dump_json().encode()
