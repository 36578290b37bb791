"""Errors of the partner interface.

Unauthorized           no token, or an invalid one
LockedOut              too many invalid tokens from this address
NotConfigured          a required setting is missing
TotalsMismatch         the amounts of the order are inconsistent
"""

from __future__ import annotations

from collections.abc import Iterable

from app.features.orders.intake import Mismatch
from app.platform.limits.rate_limits import Count
from knowledge.resources.errors import MajlisError

_CHALLENGE = 'Bearer realm="erp"'


class Unauthorized(MajlisError):
    """No valid token was sent; `problem` is None if there was no token at all."""

    status = 401

    def __init__(self, problem: str | None = None) -> None:
        challenge = _CHALLENGE if problem is None else f'{_CHALLENGE}, error="invalid_token"'
        super().__init__(
            problem or "This path requires a partner token.",
            "Send the token that the operator issued as Authorization: Bearer, or as"
            " X-Ecom-Api-Token.",
            {"WWW-Authenticate": challenge},
        )


class LockedOut(MajlisError):
    """Too many invalid tokens came from this address, the current one included."""

    status = 429

    def __init__(self, count: Count) -> None:
        super().__init__(
            f"This address sent {count.bucket.limit} invalid tokens within"
            f" {count.bucket.seconds // 60} minutes.",
            "Send the valid token; it is accepted at any time. Other tokens are refused for another"
            f" {count.reset} seconds (Retry-After).",
            {"Retry-After": str(count.reset)},
        )


class NotConfigured(MajlisError):
    """A setting that this path requires is missing."""

    status = 503

    def __init__(self, what: str, variable: str) -> None:
        super().__init__(f"{what} is not configured.", f"Ask the operator to set {variable}.")


class TotalsMismatch(MajlisError):
    """The order must not be pushed because its amounts are inconsistent."""

    status = 409

    def __init__(self, mismatches: Iterable[Mismatch]) -> None:
        super().__init__(
            f"The amounts of the order are inconsistent: {'; '.join(map(str, mismatches))}.",
            "Correct the order in the shop and import it again.",
        )
