"""The courier: sends what is in the outbox, at once or when it is due, until it is told to stop.

Each attempt has a slot of its own. One that waits for its receiver holds up no other, as long as
one slot is free; who has a slot claims the delivery that is due for longest.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Self

from app.clock import Clock
from app.concurrency.wait_or_stop import wait_or_stop
from app.database.errors import StoreUnavailable
from app.deliveries.delivery import (
    Attempt,
    AttemptOutcome,
    AttemptResult,
    Delivery,
    DeliveryStatus,
    Lease,
)
from app.deliveries.outbox import Outbox
from app.deliveries.retry_policy import delay_after
from app.deliveries.sender import Sender
from app.deliveries.slots import Slots
from app.deliveries.webhook import body_of
from app.observability.metrics import ATTEMPTS, Sample
from app.orders.order import Order

log = logging.getLogger(__name__)

LOOK_AGAIN_SECONDS = 1.0


class WebhookDispatcher:
    """Delivers over one outbox and one sender; several may share the outbox."""

    def __init__(
        self,
        outbox: Outbox,
        sender: Sender,
        clock: Clock,
        chance: Callable[[], float] = random.random,
        slots: Slots | None = None,
    ) -> None:
        self._outbox = outbox
        self._sender = sender
        self._clock = clock
        self._chance = chance
        self._slots = slots or Slots()
        self._sending: Counter[int] = Counter()
        self._attempts: Counter[AttemptOutcome] = Counter()

    def metrics_samples(self) -> Iterator[Sample]:
        """What metrics tell of the attempts made here."""
        for result in AttemptOutcome:
            yield ATTEMPTS, (result,), self._attempts[result]

    async def __aenter__(self) -> Self:
        if not self._sender.signs:
            log.warning("ERP_WEBHOOK_SECRET is not set: orders are pushed without a signature.")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._sender.__aexit__()

    async def push(self, order: Order) -> Delivery:
        """Write a delivery down and try it once; one already pending is joined and left to it.

        Where too many attempts are under way, it is tried when one of them has ended.
        """
        body = body_of(order)
        if not await self._slots.take_soon(self._sender.host):
            return await self._outbox.open_due(order, body)
        try:
            opened = await self._outbox.open(order, body)
            return await self._attempt(opened) if isinstance(opened, Lease) else opened
        finally:
            self._slots.give_back(self._sender.host)

    async def deliver_due(self) -> int:
        """Try everything that is due now; how many that were."""
        attempts: set[asyncio.Task[None]] = set()
        try:
            return await self._start_due(attempts, asyncio.Event())
        finally:
            await asyncio.gather(*attempts)

    async def run(self, stop: asyncio.Event) -> None:
        """Deliver what becomes due until `stop` is set; attempts under way are finished."""
        attempts: set[asyncio.Task[None]] = set()
        try:
            while not stop.is_set():
                with suppress(StoreUnavailable):  # it is logged where it is found
                    await self._start_due(attempts, stop)
                await wait_or_stop(stop, LOOK_AGAIN_SECONDS)
        finally:
            await asyncio.gather(*attempts)

    async def _start_due(self, attempts: set[asyncio.Task[None]], stop: asyncio.Event) -> int:
        """Start an attempt of each delivery that is due, as slots become free; how many."""
        started = 0
        while claim := await self._next(stop):
            self._sending[claim.delivery.order_id] += 1
            attempt = asyncio.create_task(self._deliver(claim))
            attempts.add(attempt)
            attempt.add_done_callback(attempts.discard)
            started += 1
        return started

    async def _next(self, stop: asyncio.Event) -> Lease | None:
        """The next delivery to send, and a slot for it; None where nothing is due."""
        await self._slots.take(self._sender.host)
        claim = None
        try:
            if not stop.is_set():
                claim = await self._outbox.claim([*self._sending])
        finally:
            if claim is None:
                self._slots.give_back(self._sender.host)
        return claim

    async def _deliver(self, claim: Lease) -> None:
        """Make the attempt that has a slot, and free the slot."""
        try:
            await self._attempt(claim)
        except StoreUnavailable:
            pass  # it is logged where it is found
        except Exception:  # deliveries must go on, whatever one of them meets
            log.exception("A delivery failed for a reason of our own.")
        finally:
            self._sending -= Counter([claim.delivery.order_id])
            self._slots.give_back(self._sender.host)

    async def _attempt(self, claim: Lease) -> Delivery:
        """Send once, and note what came of it."""
        started = self._clock()
        delivery = claim.delivery
        outcome = await self._sender.send(delivery.id, delivery.body, started)
        self._attempts[outcome.result] += 1
        status, delay = self._verdict(outcome, delivery.attempts + 1)
        attempt = Attempt(started, self._clock(), outcome.response_status, outcome.error)
        recorded = await self._outbox.record(claim, attempt, status, delay)
        _tell(recorded)
        return recorded

    def _verdict(
        self, outcome: AttemptResult, attempts: int
    ) -> tuple[DeliveryStatus, timedelta | None]:
        """Where a delivery stands after an attempt, and how long it waits for the next."""
        if outcome.delivered:
            return DeliveryStatus.DELIVERED, None
        delay = delay_after(attempts, self._chance(), outcome.retry_after)
        if outcome.gone or delay is None:
            return DeliveryStatus.FAILED, None
        return DeliveryStatus.PENDING, delay


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
