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
    """A whole number within bounds, or none."""

    example: int
    low: int
    high: int

    @property
    def schema(self) -> dict[str, Any]:
        """Bounds; there is no default."""
        return {"type": "integer", "minimum": self.low, "maximum": self.high}

    def read(self) -> int | None:
        """The number in the current request; raises InvalidArgument."""
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
    """A comma list of states of orders; `any`, or none, for all of them."""

    example: str

    @property
    def schema(self) -> dict[str, Any]:
        """The list as one text."""
        word = "|".join(OrderStatus)
        return {"type": "string", "default": _ANY, "pattern": f"^({_ANY}|({word})(,({word}))*)$"}

    def read(self) -> tuple[OrderStatus, ...]:
        """The states in the current request; raises InvalidArgument."""
        written = (text(self.name) or _ANY).lower().split(",")
        words = [word.strip() for word in written]
        for word in words:
            if word not in (_ANY, *OrderStatus):
                allowed = f"{_ANY}, or a comma list of {', '.join(OrderStatus)}"
                raise InvalidArgument(self.name, f"“{word}” is no status", allowed)
        return () if _ANY in words else tuple(OrderStatus(word) for word in dict.fromkeys(words))


@dataclass(frozen=True, kw_only=True)
class InstantParameter(Parameter):
    """A point in time with its offset, or none."""

    example: str

    @property
    def schema(self) -> dict[str, Any]:
        """RFC 3339."""
        return {"type": "string", "format": "date-time"}

    def read(self) -> datetime | None:
        """The instant in the current request, in UTC; raises InvalidArgument."""
        written = text(self.name)
        if written is None:
            return None
        # A plus sign that is not percent-encoded arrives as a space.
        instant = parse_instant(written.replace(" ", "+"))
        if instant is None:
            allowed = "an instant with its offset, such as 2026-05-01T09:30:00+04:00"
            raise InvalidArgument(self.name, f"“{written}” is no instant", allowed)
        return instant


SINCE_ID = IntegerParameter(
    name="since_id",
    description="Only what has a greater id; take it from `nextSinceId` of the page before.",
    example=0,
    default=0,
    low=0,
    high=_MAX_ID,
)
LIMIT = IntegerParameter(
    name="limit", description="Orders on a page.", example=50, default=50, low=1, high=250
)
STATUS = Statuses(
    name="status",
    description="Only orders of these states, separated by commas; `any` is every one.",
    example="confirmed,processing",
)
UPDATED_SINCE = InstantParameter(
    name="updated_since",
    description="Only what changed here at this instant or later (RFC 3339 with offset).",
    example="2026-11-01T00:00:00Z",
)
PRODUCTS_LIMIT = OptionalInteger(
    name="limit",
    description="Products on a page; without it the whole catalogue comes.",
    example=100,
    low=1,
    high=250,
)
ORDERS = (LIMIT, SINCE_ID, STATUS, UPDATED_SINCE)
PRODUCTS = (PRODUCTS_LIMIT, SINCE_ID, UPDATED_SINCE)
