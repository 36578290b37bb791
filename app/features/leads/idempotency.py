"""Idempotency keys of leads: how long they are stored, and the errors of their use."""

from __future__ import annotations

from datetime import timedelta

from knowledge.resources.errors import MajlisError

IDEMPOTENCY_TTL = timedelta(hours=24)
"""How long an Idempotency-Key is stored."""


class KeyInFlight(MajlisError):
    """A request with the same Idempotency-Key is in progress."""

    status = 409

    def __init__(self) -> None:
        super().__init__(
            "A request with this Idempotency-Key is in progress.",
            "Wait a second, then send the request again.",
        )


class KeyReused(MajlisError):
    """The Idempotency-Key was sent before with a different body."""

    status = 422

    def __init__(self) -> None:
        super().__init__(
            "This Idempotency-Key was already used with a different body.",
            "Use a new key for each body.",
        )
