"""Query parameters of the partner interface."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.clock import parse_instant
from app.http.parameters import IntegerParameter, Parameter, text
from app.orders.order import OrderStatus
from knowledge.errors import InvalidArgument

_MAX_ID = 2**63 - 1
_ANY = "any"


@dataclass(frozen=True, kw_only=True)
class OptionalInteger(Parameter):
    """An optional integer within bounds."""

    example: int
    low: int
    high: int

    @property
    def schema(self) -> dict[str, Any]:
        """JSON Schema: an integer with bounds and no default."""
        return {"type": "integer", "minimum": self.low, "maximum": self.high}

    def read(self) -> int | None:
        """Return the number in the current request, or None; raises InvalidArgument."""
        if text(self.name) is None:
            return None
        bounds = IntegerParameter(
            name=self.name,
            description=self.description,
            example=self.example,
            default=self.low,
            low=self.low,
            high=self.high,
        )
        return bounds.read()


@dataclass(frozen=True, kw_only=True)
class Statuses(Parameter):
    """A comma-separated list of order states; `any` or an empty value selects all."""

    example: str

    @property
    def schema(self) -> dict[str, Any]:
        """JSON Schema: a string with a pattern."""
        word = "|".join(OrderStatus)
        return {"type": "string", "default": _ANY, "pattern": f"^({_ANY}|({word})(,({word}))*)$"}

    def read(self) -> tuple[OrderStatus, ...]:
        """Return the states in the current request, empty for all; raises InvalidArgument."""
        words = [word.strip() for word in (text(self.name) or _ANY).lower().split(",")]
        for word in words:
            if word not in (_ANY, *OrderStatus):
                allowed = f"{_ANY}, or a comma-separated list of {', '.join(OrderStatus)}"
                raise InvalidArgument(self.name, f"unknown status “{word}”", allowed)
        return () if _ANY in words else tuple(OrderStatus(word) for word in dict.fromkeys(words))


@dataclass(frozen=True, kw_only=True)
class InstantParameter(Parameter):
    """An optional RFC 3339 date-time with offset."""

    example: str

    @property
    def schema(self) -> dict[str, Any]:
        """JSON Schema: a date-time."""
        return {"type": "string", "format": "date-time"}

    def read(self) -> datetime | None:
        """Return the instant in the current request in UTC, or None; raises InvalidArgument."""
        value = text(self.name)
        if value is None:
            return None
        # A plus sign that is not percent-encoded arrives as a space.
        instant = parse_instant(value.replace(" ", "+"))
        if instant is None:
            allowed = "an RFC 3339 date-time with offset, such as 2026-05-01T09:30:00+04:00"
            raise InvalidArgument(self.name, f"invalid instant “{value}”", allowed)
        return instant


SINCE_ID = IntegerParameter(
    name="since_id",
    description="Only entries with a greater id; use `nextSinceId` of the previous page.",
    example=0,
    default=0,
    low=0,
    high=_MAX_ID,
)
LIMIT = IntegerParameter(
    name="limit",
    description="Maximum number of orders per page.",
    example=50,
    default=50,
    low=1,
    high=250,
)
STATUS = Statuses(
    name="status",
    description="Only orders with these states, separated by commas; `any` for all states.",
    example="confirmed,processing",
)
UPDATED_SINCE = InstantParameter(
    name="updated_since",
    description="Only entries that changed here at this instant or later (RFC 3339 with offset).",
    example="2026-11-01T00:00:00Z",
)
PRODUCTS_LIMIT = OptionalInteger(
    name="limit",
    description="Maximum number of products per page; without it, the whole catalogue.",
    example=100,
    low=1,
    high=250,
)
ORDERS = (LIMIT, SINCE_ID, STATUS, UPDATED_SINCE)
PRODUCTS = (PRODUCTS_LIMIT, SINCE_ID, UPDATED_SINCE)
