"""Orders to pull: a paginated list, or one order by id."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlencode

from quart import Blueprint, Response, request

from app.features.orders.order import Order
from app.features.orders.partner import PartnerService
from app.features.orders.routes import (
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
from app.services import services
from app.web.http.parameters import argument
from app.web.http.response_headers import link
from app.web.http.responses import respond
from app.web.http.workloads import in_executor
from app.web.openapi.operation import FINDS_ONE, operation
from knowledge.fields.field_types import Id
from knowledge.resources.base import Resource
from knowledge.resources.errors import InvalidArgument, NotFound
from knowledge.views.content_view import ContentView

routes = Blueprint("erp-orders", __name__)

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


def list_example(_view: ContentView) -> OrderList:
    """Return an example list: one page, the last."""
    return _list(OrderPage((sample_order(),), has_more=False), LIMIT.default)


def detail_example(_view: ContentView, _id: str) -> OrderDetail:
    """Return an example order."""
    return OrderDetail(order=sample_order())


@routes.get("/api/orders")
@operation(OrderList, list_example, query=ORDERS, secured=True)
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
@operation(OrderDetail, detail_example, path=(ORDER_ID,), errors=FINDS_ONE, secured=True)
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
