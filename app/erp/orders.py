"""Orders to pull: in pages that skip nothing, or one by its id."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlencode

from quart import Blueprint, Response, request

from app.asgi.caching import Caching
from app.erp import examples, parameters
from app.erp.access import require_partner
from app.http.responses import respond
from app.http.workloads import in_executor
from app.openapi.operation import operation
from app.openapi.security import PARTNER
from app.orders.order import Order
from app.orders.store import OrderPage, OrderQuery
from app.services import services
from knowledge.content_view import ContentView
from knowledge.errors import InvalidArgument, NotFound
from knowledge.resources.base import Resource

routes = Blueprint("erp-orders", __name__)
require_partner(routes)

_ID = re.compile(r"[0-9]{1,1000}")
_MOST_DIGITS = 18


class OrderPagination(Resource):
    """Where a page stands; `nextSinceId` is the `since_id` of the next one, null on the last."""

    limit: int
    count: int
    has_more: bool
    next_since_id: int | None


class OrderList(Resource):
    """Orders by ascending id, which is the order in which they came in."""

    orders: tuple[Order, ...]
    pagination: OrderPagination


class OrderDetail(Resource):
    """One order, wrapped as the other details are."""

    order: Order


def list_example(_view: ContentView) -> OrderList:
    """One page, which is the last."""
    return _list(OrderPage((examples.order(),), has_more=False), parameters.LIMIT.default)


def detail_example(_view: ContentView, _id: str) -> OrderDetail:
    """The same order alone."""
    return OrderDetail(order=examples.order())


@routes.get("/api/orders")
@operation(OrderList, list_example, query=parameters.ORDERS, errors=(401, 503), security=PARTNER)
async def list_orders() -> Response:
    """List orders by ascending id, in pages that skip and repeat nothing while others come in."""
    query = OrderQuery(
        limit=parameters.LIMIT.read(),
        since_id=parameters.SINCE_ID.read(),
        statuses=parameters.STATUS.read(),
        updated_since=parameters.UPDATED_SINCE.read(),
    )
    page = await services().partner.orders.page(query)
    shown = _list(page, query.limit)
    return await in_executor(respond, shown, Caching.NEVER, headers=_next(shown))


@routes.get("/api/orders/<id>")
@operation(
    OrderDetail,
    detail_example,
    path=(examples.ORDER_ID,),
    errors=examples.ERROR_RESPONSES,
    security=PARTNER,
)
async def get_order(id: str) -> Response:  # noqa: A002  # as the contract's path has it
    """Get one order by its id."""
    return respond(OrderDetail(order=await find_order(id)), Caching.NEVER)


async def find_order(written: str) -> Order:
    """The order of an id as it stands in a path; raises InvalidArgument and NotFound."""
    if not _ID.fullmatch(written):
        raise InvalidArgument("id", f"“{written}” is no id of an order", "its integer id")
    if len(written) > _MOST_DIGITS:
        raise NotFound("There is no order with an id that long.", "Take it from GET /api/orders.")
    return await services().partner.orders.get(int(written))


def _list(page: OrderPage, limit: int) -> OrderList:
    pagination = OrderPagination(
        limit=limit,
        count=len(page.orders),
        has_more=page.has_more,
        next_since_id=page.orders[-1].id if page.has_more else None,
    )
    return OrderList(orders=page.orders, pagination=pagination)


def _next(shown: OrderList) -> Mapping[str, str]:
    """The next page as a Link, with the filters of this one."""
    since_id = shown.pagination.next_since_id
    if since_id is None:
        return {}
    named = {each.name: request.args.get(each.name) for each in parameters.ORDERS}
    filters = {name: value for name, value in named.items() if value}
    query = urlencode({**filters, parameters.SINCE_ID.name: since_id})
    return {"Link": f'<{services().settings.public_url}{request.path}?{query}>; rel="next"'}
