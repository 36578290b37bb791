"""The webhook: what a receiver is sent, and how it knows that it is from us.

Signed after Standard Webhooks: `webhook-id` is the same at each attempt, `webhook-timestamp` is
that of the attempt, and the signature covers both and the very bytes of the body.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

from standardwebhooks import Webhook

from app.orders.order import Order
from app.version import VERSION
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


def headers(webhook_id: str, at: datetime, body: bytes, secret: str) -> dict[str, str]:
    """The headers of one attempt; without a secret there is no signature."""
    at = at.astimezone(UTC)
    named = {
        "Content-Type": "application/json",
        "User-Agent": f"majlis/{VERSION}",
        "webhook-id": webhook_id,
        "webhook-timestamp": str(int(at.timestamp())),
    }
    if secret:
        named["webhook-signature"] = Webhook(secret).sign(webhook_id, at, body.decode())
    return named
