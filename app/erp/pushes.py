"""Pushing an order to the webhook, and seeing beforehand what would be sent."""

from __future__ import annotations

from datetime import datetime

from quart import Blueprint, Response

from app.deliveries.delivery import Delivery, DeliveryStatus
from app.deliveries.webhook import body_of
from app.erp.access import guard
from app.erp.orders import find_order
from app.orders.arithmetic import differences
from app.partner.errors import DoesNotAddUp
from app.responses import Caching, represent, respond
from app.services import services
from knowledge.resources.base import Maybe, Resource
from renderers.json import MEDIA_TYPE
from renderers.representation import Representation

routes = Blueprint("erp-pushes", __name__, url_prefix="/api/erp/orders/<order_id>")
guard(routes)


class PushResult(Resource):
    """What became of a push; `deliveryId` is the webhook-id that the receiver sees."""

    ok: bool
    delivery_id: str
    status: DeliveryStatus
    attempts: int
    response_status: Maybe[int] = None
    next_attempt_at: Maybe[datetime] = None


@routes.get("/preview")
async def preview_order(order_id: str) -> Response:
    """Show the very bytes that a push of the order sends."""
    body = body_of(await find_order(order_id))
    return represent(Representation(MEDIA_TYPE, body), Caching.NEVER)


@routes.post("/push")
async def push_order(order_id: str) -> Response:
    """Push an order to the webhook: 200 when it has arrived, 202 while it is still to be tried."""
    courier = services().partner.courier
    order = await find_order(order_id)
    wrong = differences(order)
    if wrong:
        raise DoesNotAddUp(wrong)
    delivery = await courier.push(order)
    status = 202 if delivery.status is DeliveryStatus.PENDING else 200
    return respond(_result(delivery), Caching.NEVER, status)


def _result(delivery: Delivery) -> PushResult:
    return PushResult(
        ok=delivery.status is not DeliveryStatus.FAILED,
        delivery_id=delivery.id,
        status=delivery.status,
        attempts=delivery.attempts,
        response_status=delivery.response_status,
        next_attempt_at=delivery.due_at,
    )
