"""The courier: sends what is in the outbox, at once or when it is due, until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Self

from app.clock import Clock
from app.database.errors import StoreUnavailable
from app.deliveries.delivery import Attempt, Claim, Delivery, DeliveryStatus, Outcome, Result
from app.deliveries.outbox import Outbox
from app.deliveries.schedule import next_attempt
from app.deliveries.sender import Sender
from app.deliveries.webhook import body_of
from app.metrics import ATTEMPTS, Figure
from app.orders.order import Order
from app.pause import pause

log = logging.getLogger(__name__)

AT_ONCE = 8
"""How many attempts one process makes at a time."""
LOOK_AGAIN_SECONDS = 1.0


class Courier:
    """Delivers over one outbox and one sender; several may share the outbox."""

    def __init__(
        self,
        outbox: Outbox,
        sender: Sender,
        clock: Clock,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._outbox = outbox
        self._sender = sender
        self._clock = clock
        self._chance = chance
        self._attempts: Counter[Result] = Counter()

    def figures(self) -> Iterator[Figure]:
        """What metrics tell of the attempts made here."""
        for result in Result:
            yield ATTEMPTS, (result,), self._attempts[result]

    async def __aenter__(self) -> Self:
        if not self._sender.signs:
            log.warning("ERP_WEBHOOK_SECRET is not set: orders are pushed without a signature.")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._sender.__aexit__()

    async def push(self, order: Order) -> Delivery:
        """Write a delivery down and try it once; one already pending is joined and left to it."""
        opened = await self._outbox.open(order, body_of(order), self._clock())
        return await self.attempt(opened) if isinstance(opened, Claim) else opened

    async def deliver_due(self) -> int:
        """Try everything that is due now, a few at a time; how many that were."""
        claims = await self._outbox.claim(self._clock(), AT_ONCE)
        # One that fails must not cut off the others while they send.
        results = await asyncio.gather(*map(self.attempt, claims), return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result
        return len(claims)

    async def attempt(self, claim: Claim) -> Delivery:
        """Send once, and note what came of it."""
        started = self._clock()
        delivery = claim.delivery
        outcome = await self._sender.send(delivery.id, delivery.body, started)
        self._attempts[outcome.result] += 1
        now = self._clock()
        status, next_at = self._verdict(outcome, delivery.attempts + 1, now)
        attempt = Attempt(started, now, outcome.response_status, outcome.error)
        recorded = await self._outbox.record(claim, attempt, status, next_at)
        _tell(recorded)
        return recorded

    async def run(self, stop: asyncio.Event) -> None:
        """Deliver what becomes due until `stop` is set; attempts under way are finished."""
        while not stop.is_set():
            sent = 0
            try:
                sent = await self.deliver_due()
            except StoreUnavailable:
                pass  # it is logged where it is found
            except Exception:  # deliveries must go on, whatever one of them meets
                log.exception("A delivery failed for a reason of our own.")
            if not sent:
                await pause(stop, LOOK_AGAIN_SECONDS)

    def _verdict(
        self, outcome: Outcome, attempts: int, now: datetime
    ) -> tuple[DeliveryStatus, datetime | None]:
        """Where a delivery stands after an attempt, and when the next is to be."""
        if outcome.delivered:
            return DeliveryStatus.DELIVERED, None
        next_at = next_attempt(attempts, now, self._chance(), outcome.retry_after)
        if outcome.gone or next_at is None:
            return DeliveryStatus.FAILED, None
        return DeliveryStatus.PENDING, next_at


def _tell(delivery: Delivery) -> None:
    about = f"Delivery {delivery.id} of order {delivery.order_number}"
    if delivery.status is DeliveryStatus.DELIVERED:
        log.info("%s arrived at attempt %d.", about, delivery.attempts)
    elif delivery.status is DeliveryStatus.FAILED:
        remedy = f"`majlis deliveries replay {delivery.id}` sends it again."
        log.error("%s is given up: %s. %s", about, delivery.error, remedy)
    else:
        log.warning(
            "%s did not arrive at attempt %d: %s. Next at %s.",
            about,
            delivery.attempts,
            delivery.error,
            delivery.next_attempt_at,
        )
