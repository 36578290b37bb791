"""The endpoints of the partner interface: their parameters, and the examples of its contract."""

from datetime import UTC, datetime
from functools import cache

from app.features.orders.intake import read_order
from app.features.orders.order import Order, OrderStatus, to_order
from app.platform.clock import parse_instant
from app.platform.sample import read_sample
from app.web.http.parameters import Parameter, choice, integer
from app.web.openapi.operation import PathParameter

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
