"""Pushing an order to the webhook, and previewing what would be sent."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from quart import Blueprint, Response

from app.features.orders.intake import Mismatch, check_totals
from app.features.orders.partner import OrderPushed, PartnerService, body_of, event, message_of
from app.features.orders.routes import AGAIN, ORDER_ID, sample_order
from app.features.orders.routes.orders import find_order
from app.platform.asgi.caching import Caching
from app.platform.deliveries.delivery import DeliveryStatus
from app.services import services
from app.web.http.responses import represent
from app.web.openapi.operation import FINDS_ONE, operation
from knowledge.fields.field_types import Omittable
from knowledge.resources.base import LocalizedResource, Resource
from knowledge.resources.errors import MajlisError
from knowledge.views.content_view import ContentView
from renderers import json
from renderers.representation import Representation

routes = Blueprint("erp-pushes", __name__, url_prefix="/api/erp/orders/<id>")


class TotalsMismatch(MajlisError):
    """The order must not be pushed because its amounts are inconsistent."""

    status = 409

    def __init__(self, mismatches: Iterable[Mismatch]) -> None:
        super().__init__(
            f"The amounts of the order are inconsistent: {'; '.join(map(str, mismatches))}.",
            "Correct the order in the shop and import it again.",
        )


class PushResult(Resource):
    """The state of a push; `deliveryId` is the webhook-id that the receiver gets."""

    ok: bool
    """False if the delivery has failed for good."""
    delivery_id: str
    """The `webhook-id` that the receiver gets."""
    status: DeliveryStatus
    """State of the delivery."""
    attempts: int
    """How many requests have been sent."""
    response_status: Omittable[int] = None
    """HTTP status of the receiver's last response."""
    next_attempt_at: Omittable[datetime] = None
    """When the next request will be sent."""


def preview_example(_view: ContentView, _id: str) -> OrderPushed:
    """Return an example: the event of the first sample order."""
    return event(sample_order())


def push_example(_view: ContentView, _id: str) -> PushResult:
    """Return an example: a delivered push."""
    return PushResult(
        ok=True,
        delivery_id="msg_2c7f5a0d9b7e4f60a1b3c2d4e5f60718",
        status=DeliveryStatus.DELIVERED,
        attempts=1,
        response_status=200,
    )


@routes.get("/preview")
@operation(
    OrderPushed, preview_example, path=(ORDER_ID,), errors=FINDS_ONE, secured=True, markdown=False
)
async def preview_order(id: str) -> Response:  # noqa: A002  # the name in the documented path
    """Get the exact bytes that a push of the order would send."""
    body = body_of(await find_order(id))
    return represent(Representation(json.MEDIA_TYPE, body), Caching.NEVER)


@routes.post("/push")
@operation(
    PushResult,
    push_example,
    path=(ORDER_ID,),
    query=(AGAIN,),
    errors=(*FINDS_ONE, 409),
    secured=True,
    accepted=True,
)
async def push_order(id: str) -> Response:  # noqa: A002  # the name in the documented path
    """Push an order to the webhook: 200 once delivered or failed, 202 while pending.

    A revision that is pending or was delivered is not sent again: the response names its delivery.
    """
    again = AGAIN.read() == "true"
    dispatcher = services().part(PartnerService).dispatcher
    order = await find_order(id)
    mismatches = check_totals(order)
    if mismatches:
        raise TotalsMismatch(mismatches)
    delivery = await dispatcher.push(message_of(order), again=again)
    status = 202 if delivery.status is DeliveryStatus.PENDING else 200
    result = PushResult(
        ok=delivery.status is not DeliveryStatus.FAILED,
        delivery_id=delivery.id,
        status=delivery.status,
        attempts=delivery.attempts,
        response_status=delivery.response_status,
        next_attempt_at=delivery.due_at,
    )
    return represent(json.render(LocalizedResource(result)), Caching.NEVER, status)
