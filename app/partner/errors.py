"""What can keep a partner from an answer.

PartnerRefused         with headers that say more
├── Unauthorized       no token, or not the right one
└── LockedOut          too many wrong tokens from this address, and this one is wrong too
NotConfigured          the operator has not opened it
TotalsMismatch           an order whose amounts do not follow from one another
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.limits.bucket import Count
from app.orders.arithmetic import Mismatch
from knowledge.errors import MajlisError

_CHALLENGE = 'Bearer realm="erp"'


class PartnerRefused(MajlisError):
    """The partner may not have it; `headers` go with the answer."""

    def __init__(self, message: str, resolution: str, headers: Mapping[str, str]) -> None:
        super().__init__(message, resolution)
        self.headers = headers


class Unauthorized(PartnerRefused):
    """No token came, or a wrong one; `problem` is None where none came."""

    def __init__(self, problem: str | None = None) -> None:
        challenge = _CHALLENGE if problem is None else f'{_CHALLENGE}, error="invalid_token"'
        super().__init__(
            problem or "This needs a partner token.",
            "Send the token that the operator issued as Authorization: Bearer, or as"
            " X-Ecom-Api-Token.",
            {"WWW-Authenticate": challenge},
        )


class LockedOut(PartnerRefused):
    """Too many wrong tokens came from this address, and what came now is another."""

    def __init__(self, count: Count) -> None:
        super().__init__(
            f"{count.bucket.limit} wrong tokens came from this address within"
            f" {count.bucket.seconds // 60} minutes.",
            "Send the right token: it is taken at any time. Wrong ones are looked at again after"
            f" {count.reset} seconds, as Retry-After says.",
            {"Retry-After": str(count.reset)},
        )


class NotConfigured(MajlisError):
    """The operator has not set what this needs."""

    def __init__(self, what: str, variable: str) -> None:
        super().__init__(f"{what} is not configured.", f"Ask the operator to set {variable}.")


class TotalsMismatch(MajlisError):
    """An order that must not be pushed."""

    def __init__(self, check_totals: Iterable[Mismatch]) -> None:
        super().__init__(
            f"The order does not add up: {'; '.join(map(str, check_totals))}",
            "Correct the order in the shop and import it again.",
        )
