"""Orders: a paginated list, one by its id, its push to the webhook, and what that would send."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from urllib.parse import urlencode

from quart import Blueprint, Response, request

from app.features.orders.intake import Mismatch, check_totals
from app.features.orders.order import Order
from app.features.orders.partner import OrderPushed, PartnerService, body_of, event, message_of
from app.features.orders.routes import (
    AGAIN,
    LIMIT,
    ORDER_ID,
    ORDERS,
    SINCE_ID,
    STATUS,
    UPDATED_SINCE,
    sample_order,
)
from app.features.orders.store import OrderPage, OrderQuery
from app.platform.asgi.caching import Caching
from app.platform.deliveries.delivery import DeliveryStatus
from app.services import services
from app.web.http.parameters import argument
from app.web.http.response_headers import link
from app.web.http.responses import represent, respond
from app.web.http.workloads import in_executor
from app.web.openapi.operation import FINDS_ONE, operation
from knowledge.fields.field_types import Id, Omittable
from knowledge.resources.base import LocalizedResource, Resource
from knowledge.resources.errors import InvalidArgument, MajlisError, NotFound
from knowledge.views.content_view import ContentView
from renderers import json
from renderers.representation import Representation

routes = Blueprint("erp-orders", __name__)
pushes = Blueprint("erp-pushes", __name__, url_prefix="/api/erp/orders/<id>")

_ID = re.compile(r"[0-9]{1,1000}")
_MAX_DIGITS = 18


class OrderPagination(Resource):
    """Pagination; `nextSinceId` is the `since_id` of the next page, null on the last page."""

    limit: int
    """Maximum number of orders, as requested."""
    count: int
    """Number of orders in this response."""
    has_more: bool
    """Whether there are orders after these."""
    next_since_id: Id | None
    """The `since_id` of the next page, null on the last page."""


class OrderList(Resource):
    """Orders by ascending id, that is, in the sequence of their import."""

    orders: tuple[Order, ...]
    """The orders of this page."""
    pagination: OrderPagination
    """Where to go on."""


class OrderDetail(Resource):
    """One order, wrapped like other detail responses."""

    order: Order
    """The order."""


@routes.get("/api/orders")
@operation(
    OrderList,
    lambda _: _list(OrderPage((sample_order(),), has_more=False), LIMIT.default),
    query=ORDERS,
    secured=True,
)
async def list_orders() -> Response:
    """List orders by ascending id; pages neither skip nor repeat orders during an import."""
    query = OrderQuery(
        limit=LIMIT.read(),
        since_id=SINCE_ID.read(),
        statuses=STATUS.read(),
        updated_since=UPDATED_SINCE.read(),
    )
    page = await services().part(PartnerService).orders.page(query)
    order_list = _list(page, query.limit)
    headers = _link_to_next(order_list)
    return await in_executor(respond, order_list, Caching.NEVER, headers=headers)


@routes.get("/api/orders/<id>")
@operation(
    OrderDetail,
    lambda *_: OrderDetail(order=sample_order()),
    path=(ORDER_ID,),
    errors=FINDS_ONE,
    secured=True,
)
async def get_order(id: str) -> Response:  # noqa: A002  # the name in the documented path
    """Get one order by its id."""
    return respond(OrderDetail(order=await find_order(id)), Caching.NEVER)


async def find_order(text: str) -> Order:
    """Return the order with the id in a path; raises InvalidArgument and NotFound."""
    if not _ID.fullmatch(text):
        raise InvalidArgument("id", f"invalid order id “{text}”", "an integer")
    if len(text) > _MAX_DIGITS:
        raise NotFound("There is no order with an id that long.", "Take it from GET /api/orders.")
    return await services().part(PartnerService).orders.get(int(text))


def _list(page: OrderPage, limit: int) -> OrderList:
    pagination = OrderPagination(
        limit=limit,
        count=len(page.orders),
        has_more=page.has_more,
        next_since_id=page.orders[-1].id if page.has_more else None,
    )
    return OrderList(orders=page.orders, pagination=pagination)


def _link_to_next(order_list: OrderList) -> Mapping[str, str]:
    """Return a Link header to the next page with the same filters, if there is a next page."""
    since_id = order_list.pagination.next_since_id
    if since_id is None:
        return {}
    values = {parameter.name: argument(parameter.name) for parameter in ORDERS}
    filters = {name: value for name, value in values.items() if value}
    query = urlencode({**filters, SINCE_ID.name: since_id})
    return {"Link": link(f"{services().settings.public_url}{request.path}?{query}", "next")}


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


def push_example(_view: ContentView, _id: str) -> PushResult:
    """Return an example: a delivered push."""
    return PushResult(
        ok=True,
        delivery_id="msg_2c7f5a0d9b7e4f60a1b3c2d4e5f60718",
        status=DeliveryStatus.DELIVERED,
        attempts=1,
        response_status=200,
    )


@pushes.get("/preview")
@operation(
    OrderPushed,
    lambda *_: event(sample_order()),
    path=(ORDER_ID,),
    errors=FINDS_ONE,
    secured=True,
    markdown=False,
)
async def preview_order(id: str) -> Response:  # noqa: A002  # the name in the documented path
    """Get the exact bytes that a push of the order would send."""
    body = body_of(await find_order(id))
    return represent(Representation(json.MEDIA_TYPE, body), Caching.NEVER)


@pushes.post("/push")
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
