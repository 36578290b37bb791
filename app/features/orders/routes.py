"""The partner interface: parameters and examples of its contract, its products and its status."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache

from quart import Blueprint, Response

from app.features.orders.intake import read_order
from app.features.orders.order import Order, OrderStatus, to_order
from app.features.orders.partner import PartnerService
from app.platform import VERSION
from app.platform.asgi.caching import Caching
from app.platform.clock import parse_instant
from app.platform.database.errors import StoreUnavailable
from app.platform.sample import read_sample
from app.services import services
from app.web.extensions import FirstSeen
from app.web.http.parameters import Parameter, choice, default_view, integer
from app.web.http.responses import respond
from app.web.http.route_policy import UNSECURED, policy
from app.web.http.workloads import in_executor
from app.web.openapi.operation import PathParameter, operation
from app.web.public.health import SERVICE
from knowledge.resources.base import Resource
from knowledge.resources.catalogue import Catalogue, CatalogueQuery, catalogue
from knowledge.resources.products import PRODUCT_PAGE
from knowledge.views.content_view import ContentView

_MAX_ID = 2**63 - 1
_ANY = "any"
_STATUS = "|".join(OrderStatus)


def _statuses(value: str) -> tuple[OrderStatus, ...]:
    """Parse a comma-separated list of order states; all of them are an empty tuple."""
    words = [word.strip() for word in value.lower().split(",")]
    for word in words:
        if word not in (_ANY, *OrderStatus):
            raise ValueError(f"unknown status “{word}”")
    return () if _ANY in words else tuple(OrderStatus(word) for word in dict.fromkeys(words))


def _instant(value: str) -> datetime:
    """Parse an RFC 3339 date-time with offset, into UTC."""
    # A plus sign that is not percent-encoded arrives as a space.
    instant = parse_instant(value.replace(" ", "+"))
    if instant is None:
        raise ValueError(f"invalid instant “{value}”")
    return instant


SINCE_ID = integer(
    "since_id",
    "Only entries with a greater id; use `nextSinceId` of the previous page.",
    example=0,
    default=0,
    low=0,
    high=_MAX_ID,
    format="int64",
)
LIMIT = integer(
    "limit", "Maximum number of orders per page.", example=50, default=50, low=1, high=250
)
STATUS = Parameter[tuple[OrderStatus, ...]](
    name="status",
    description="Only orders with these states, separated by commas; `any` for all states.",
    example="confirmed,processing",
    schema={"type": "string", "default": _ANY, "pattern": f"^({_ANY}|({_STATUS})(,({_STATUS}))*)$"},
    parse=_statuses,
    default=(),
    allowed=f"{_ANY}, or a comma-separated list of {', '.join(OrderStatus)}",
)
UPDATED_SINCE = Parameter[datetime | None](
    name="updated_since",
    description="Only entries that changed here at this instant or later (RFC 3339 with offset).",
    example="2026-11-01T00:00:00Z",
    schema={"type": "string", "format": "date-time"},
    parse=_instant,
    default=None,
    allowed="an RFC 3339 date-time with offset, such as 2026-05-01T09:30:00+04:00",
)
PRODUCTS_LIMIT = integer(
    "limit",
    "Maximum number of products per page; without it, the whole catalogue.",
    example=100,
    default=None,
    low=1,
    high=250,
)
AGAIN = choice(
    "again",
    "Send a revision again that was delivered, under a new `webhook-id`.",
    options=("false", "true"),
    example="true",
    fold=str.lower,
)
ORDERS = (LIMIT, SINCE_ID, STATUS, UPDATED_SINCE)
PRODUCTS = (PRODUCTS_LIMIT, SINCE_ID, UPDATED_SINCE)

NOON = datetime(2026, 11, 2, 12, tzinfo=UTC)
"""The time in all examples."""

ORDER_ID = PathParameter(
    "Id of the order, from `GET /api/orders`; not the order number.", lambda _: "1", is_id=True
)


@cache
def sample_order() -> Order:
    """Return the first sample order as it is after import."""
    first, *_ = read_sample("_orders/sample.jsonl").splitlines()
    return to_order(read_order(first), order_id=1, revision=1, updated_at=NOON)


products = Blueprint("erp-products", __name__)


def _products_example(view: ContentView) -> Catalogue:
    """Return an example: the first products of the current catalogue."""
    return catalogue(view.for_locale(view.snapshot.locales.default), CatalogueQuery(limit=2))


@products.get("/api/products")
@operation(Catalogue, _products_example, query=PRODUCTS, secured=True)
async def list_products() -> Response:
    """List the product catalogue by ascending id, including products no longer on sale."""
    query = CatalogueQuery(
        since_id=SINCE_ID.read(),
        limit=PRODUCTS_LIMIT.read(),
        updated_since=UPDATED_SINCE.read(),
        seen_at=await _seen_at(),
    )
    return await in_executor(lambda: respond(catalogue(default_view(), query), Caching.REVALIDATED))


async def _seen_at() -> Mapping[str, datetime]:
    """Return when each product was first seen as it is; nothing, so that all count, on failure."""
    first_seen = services().find(FirstSeen)
    if first_seen is None:
        return {}
    pages = services().content_store.page_types
    try:
        return await first_seen.seen_at(pages.own(PRODUCT_PAGE).path.removesuffix("{slug}"))
    except StoreUnavailable:  # the database layer has logged it
        return {}


status = Blueprint("erp-status", __name__)


class Pull(Resource):
    """Whether orders and products can be pulled."""

    enabled: bool
    """Whether the interface has a token, so that partners can pull."""


class WebhookStatus(Resource):
    """Whether orders can be pushed, and whether they are signed."""

    configured: bool
    """Whether the webhook has an address."""
    signed: bool
    """Whether pushed orders are signed."""


class ErpStatus(Resource):
    """The configuration of the integration; contains no addresses, tokens or counts."""

    ok: bool
    """Always true."""
    service: str
    """Name of the service."""
    version: str
    """Version of the interface."""
    time: datetime
    """Current time of the service."""
    pull: Pull
    """Whether orders and products can be pulled."""
    webhook: WebhookStatus
    """Whether orders can be pushed."""


def _status_example(_view: ContentView) -> ErpStatus:
    """Return an example: a service with everything configured."""
    return ErpStatus(
        ok=True,
        service=SERVICE,
        version=VERSION,
        time=NOON,
        pull=Pull(enabled=True),
        webhook=WebhookStatus(configured=True, signed=True),
    )


@status.get("/api/erp/status")
@policy(UNSECURED)
@operation(ErpStatus, _status_example, errors=())
async def get_erp_status() -> Response:
    """Get which parts of the ERP integration are configured; needs no token."""
    partner = services().part(PartnerService)
    current = ErpStatus(
        ok=True,
        service=SERVICE,
        version=VERSION,
        time=services().clock(),
        pull=Pull(enabled=bool(partner.tokens.digests)),
        webhook=WebhookStatus(configured=partner.webhook is not None, signed=partner.signs),
    )
    return respond(current, Caching.NEVER)
