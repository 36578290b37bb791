"""The sender of a kind of deliveries: makes one attempt, and returns its result."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from app.platform.deliveries.delivery import AttemptResult, Delivery


class Sender(Protocol):
    """Sends deliveries to wherever their kind goes."""

    async def send(self, delivery: Delivery, at: datetime) -> AttemptResult:
        """Send once. Errors of the network become results, not exceptions."""
        ...

    async def aclose(self) -> None:
        """Release the connections."""
        ...
