"""Dispatchers: each takes the due deliveries of one kind from the outbox, sends and retries them.

Every attempt occupies a slot of its kind, so that a slow receiver delays others only if none is
free; a free slot takes the delivery that has been due for the longest time.
"""

import asyncio
import logging
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

from opentelemetry.trace import SpanKind

from app.platform.clock import Clock
from app.platform.concurrency.background import Component, Work, wait_or_stop
from app.platform.database import StoreUnavailable
from app.platform.deliveries.delivery import (
    Attempt,
    AttemptOutcome,
    AttemptResult,
    Delivery,
    DeliveryKind,
    DeliveryStatus,
    Lease,
    Message,
    Sender,
)
from app.platform.deliveries.outbox import Outbox
from app.platform.observability.metrics import ATTEMPTS, Sample
from app.platform.observability.tracing import Attributes, continued, span

log = logging.getLogger(__name__)

AT_ONCE = 8
"""Maximum number of concurrent attempts of a process."""
WAIT_SECONDS = 5.0
"""How long a push waits for a slot before the background task takes over."""
POLL_SECONDS = 1.0

DELAYS = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=14),
    timedelta(hours=20),
    timedelta(hours=24),
)
"""Delay after the first attempt, after the second, and so on."""


class Dispatcher:
    """Sends the deliveries of one kind with one sender; several may share the outbox."""

    def __init__(
        self,
        outbox: Outbox,
        kind: DeliveryKind,
        sender: Sender,
        clock: Clock,
        chance: Callable[[], float] = random.random,
        wait_seconds: float = WAIT_SECONDS,
        delays: Sequence[timedelta] = DELAYS,
    ) -> None:
        self._outbox = outbox
        self.kind = kind
        self._sender = sender
        self._clock = clock
        self._chance = chance
        self._wait_seconds = wait_seconds
        self._delays = delays
        self._slots = asyncio.Semaphore(AT_ONCE)  # serves waiters first come, first served
        self._sending: Counter[str] = Counter()
        self._attempts: Counter[AttemptOutcome] = Counter()

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the number of attempts of this process by outcome."""
        for outcome in AttemptOutcome:
            yield ATTEMPTS, (outcome, self.kind), self._attempts[outcome]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the sender."""
        await self._sender.aclose()

    async def push(self, message: Message, *, again: bool = False) -> Delivery:
        """Record a delivery and make the first attempt, or return that of the revision.

        What was delivered is sent `again` only on request: a caller that lost the response repeats
        its request, and a receiver would take a new id for a new message. If no slot becomes free
        soon, the attempt is left to the background task.
        """
        try:
            async with asyncio.timeout(self._wait_seconds):
                await self._slots.acquire()
        except TimeoutError:
            return await self._outbox.open_due(message, again=again)
        try:
            opened = await self._outbox.open(message, again=again)
            return await self._attempt(opened) if isinstance(opened, Lease) else opened
        finally:
            self._slots.release()

    async def deliver_due(self) -> int:
        """Attempt all deliveries that are due now; return how many."""
        attempts: set[asyncio.Task[None]] = set()
        try:
            return await self._start_due(attempts, asyncio.Event())
        finally:
            await asyncio.gather(*attempts)

    async def run(self, stop: asyncio.Event) -> None:
        """Attempt deliveries as they become due until `stop` is set, then finish open attempts."""
        attempts: set[asyncio.Task[None]] = set()
        try:
            while not stop.is_set():
                with suppress(StoreUnavailable):  # the database layer has logged it
                    await self._start_due(attempts, stop)
                await wait_or_stop(stop, POLL_SECONDS)
        finally:
            await asyncio.gather(*attempts)

    async def _start_due(self, attempts: set[asyncio.Task[None]], stop: asyncio.Event) -> int:
        """Start an attempt of every due delivery as slots become free; return how many."""
        started = 0
        while lease := await self._next(stop):
            self._sending[lease.delivery.subject_id] += 1
            attempt = asyncio.create_task(self._deliver(lease))
            attempts.add(attempt)
            attempt.add_done_callback(attempts.discard)
            started += 1
        return started

    async def _next(self, stop: asyncio.Event) -> Lease | None:
        """Take a slot and lease the next due delivery; return None if nothing is due."""
        await self._slots.acquire()
        lease = None
        try:
            if not stop.is_set() and await self._outbox.has_due(self.kind):
                lease = await self._outbox.claim(self.kind, [*self._sending])
        finally:
            if lease is None:
                self._slots.release()
        return lease

    async def _deliver(self, lease: Lease) -> None:
        """Make one attempt in the slot already taken, then free the slot."""
        try:
            await self._attempt(lease)
        except StoreUnavailable:
            pass  # the database layer has logged it
        except Exception:  # one failure must not stop the other deliveries
            log.exception("A delivery attempt failed with an internal error.")
        finally:
            self._sending -= Counter([lease.delivery.subject_id])
            self._slots.release()

    async def _attempt(self, lease: Lease) -> Delivery:
        """Send once and record the result, in the trace of the request that caused the delivery."""
        with continued(lease.delivery.trace):
            started, delivery = self._clock(), lease.delivery
            result = await self._send(delivery, started)
            self._attempts[result.outcome] += 1
            status, delay = self._next_step(result, delivery.attempts + 1)
            attempt = Attempt(started, self._clock(), result.response_status, result.error)
            recorded = await self._outbox.record(lease, attempt, status, delay)
            _log_state(recorded)
            return recorded

    async def _send(self, delivery: Delivery, at: datetime) -> AttemptResult:
        attributes: Attributes = {
            "majlis.delivery.kind": str(delivery.kind),
            "majlis.delivery.attempt": delivery.attempts + 1,
        }
        name = f"deliver {delivery.kind}"
        with span(name, SpanKind.PRODUCER, attributes) as current:
            result = await self._sender.send(delivery, at)
            current.set_attribute("majlis.delivery.outcome", str(result.outcome))
            return result

    def _next_step(
        self, result: AttemptResult, attempts: int
    ) -> tuple[DeliveryStatus, timedelta | None]:
        """Return the new status of a delivery and the delay before the next attempt, if any."""
        if result.delivered:
            return DeliveryStatus.DELIVERED, None
        delay = delay_after(attempts, self._chance(), result.retry_after, self._delays)
        if result.final or delay is None:
            return DeliveryStatus.FAILED, None
        return DeliveryStatus.PENDING, delay


def _log_state(delivery: Delivery) -> None:
    name = f"delivery {delivery.name}"
    if delivery.status is DeliveryStatus.DELIVERED:
        log.info("Attempt %d of %s succeeded.", delivery.attempts, name)
    elif delivery.status is DeliveryStatus.FAILED:
        remedy = f"Send it again with `majlis deliveries replay {delivery.id}`."
        log.error("Giving up on %s: %s. %s", name, delivery.error, remedy)
    else:
        log.warning(
            "Attempt %d of %s failed: %s. Next attempt at %s.",
            delivery.attempts,
            name,
            delivery.error,
            delivery.next_attempt_at,
        )


JITTER = 0.1
"""Fraction by which a delay may vary, so that many deliveries do not retry at once."""
LONGEST = timedelta(hours=24)
"""Upper limit for the delay that a receiver may request."""


def delay_after(
    attempts: int,
    chance: float,
    retry_after: timedelta | None = None,
    delays: Sequence[timedelta] = DELAYS,
) -> timedelta | None:
    """Return the delay before the next attempt, or None if no further attempt is due.

    `chance` is a random number from 0 to 1; `retry_after` is the delay the receiver requested.

    >>> delay_after(1, chance=0.5)
    datetime.timedelta(seconds=5)
    """
    if attempts > len(delays):
        return None
    delay = delays[attempts - 1] * (1 + JITTER * (2 * chance - 1))
    return max(delay, min(retry_after or delay, LONGEST))


@dataclass(frozen=True)
class DispatcherGroup(Component):
    """Dispatchers of several kinds, and what is to be said about them at the start."""

    dispatchers: tuple[Dispatcher, ...]
    warnings: tuple[str, ...]

    async def __aenter__(self) -> Self:
        for warning in self.warnings:
            log.warning(warning)
        return self

    async def __aexit__(self, *_: object) -> None:
        for dispatcher in self.dispatchers:
            await dispatcher.aclose()

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the metrics of attempts."""
        for dispatcher in self.dispatchers:
            yield from dispatcher.metrics_samples()

    def tasks(self) -> Iterator[tuple[str, Work]]:
        """Yield the background tasks by name."""
        for dispatcher in self.dispatchers:
            yield f"deliver_{dispatcher.kind}", dispatcher.run
