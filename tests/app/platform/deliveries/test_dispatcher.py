"""A dispatcher and its outbox, on both databases, with a real receiver."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from decimal import Decimal
from urllib.parse import urlsplit

import pytest
from cases import cases
from contract.visitor import NOW, FakeClock
from live.server import eventually
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import NoOpTracer, format_span_id
from standardwebhooks import Webhook, WebhookVerificationError
from storefront.clocks import FakeDatabaseClock
from storefront.pricing import Item, priced
from storefront.receiver import Exchange, Receiver, answers
from stores.postgresql import PostgreSQL

from app.features.orders.intake import read_order
from app.features.orders.order import Order
from app.features.orders.partner import body_of, message_of
from app.features.orders.store import OrderStore
from app.platform.clock import utc_now
from app.platform.database.database import Database
from app.platform.deliveries.delivery import Attempt, DeliveryKind, DeliveryStatus, Lease
from app.platform.deliveries.dispatcher import (
    AT_ONCE,
    DELAYS,
    WAIT_SECONDS,
    Dispatcher,
    delay_after,
)
from app.platform.deliveries.http_client import WebhookSender
from app.platform.deliveries.outbox import CUT_OFF, LEASE, AlreadyPending, DatabaseClock, Outbox
from app.platform.observability.logs import JsonLines
from app.platform.observability.otel import OtelTracing
from app.platform.observability.tracing import continued, current_tracer, trace_in
from app.tables import all_tables
from knowledge.resources.errors import NotFound

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@pytest.fixture
def clock() -> FakeClock:
    """The clock of the dispatcher."""
    return FakeClock()


@pytest.fixture
def outbox(database: Database, clock: FakeClock) -> Outbox:
    """An empty outbox whose database uses the same clock."""
    return Outbox(database, FakeDatabaseClock(clock))


async def stored(database: Database, number: str, notes: str = "none") -> Order:
    """Store and return an order with this number."""
    fields = priced([Item("A", Decimal("2.50"), rate=Decimal(5))], "AED", number=number)
    store = OrderStore(database, FakeClock())
    await store.save(read_order(json.dumps({**fields, "notes": notes}).encode()))
    order = await store.by_number(number)
    assert order is not None
    return order


@pytest.fixture
async def order(database: Database) -> Order:
    """An order to push."""
    return await stored(database, "WH-1")


class OpenDispatcher:
    """A dispatcher between an outbox and a receiver, as a context manager."""

    def __init__(
        self,
        outbox: Outbox,
        receiver: Receiver,
        clock: FakeClock,
        wait_seconds: float = WAIT_SECONDS,
    ) -> None:
        self.sender = WebhookSender(receiver.url, SECRET)
        self.dispatcher = Dispatcher(
            outbox, DeliveryKind("order"), self.sender, clock, lambda: 0.5, wait_seconds
        )

    async def __aenter__(self) -> Dispatcher:
        return self.dispatcher

    async def __aexit__(self, *_: object) -> None:
        await self.sender.aclose()


async def test_a_successful_push_is_delivered_at_once(
    outbox: Outbox, order: Order, clock: FakeClock
) -> None:
    """One request with the bytes of the preview; nothing remains due."""
    async with Receiver() as receiver, OpenDispatcher(outbox, receiver, clock) as dispatcher:
        delivery = await dispatcher.push(message_of(order))
        assert await dispatcher.deliver_due() == 0
    assert (delivery.status, delivery.attempts) == (DeliveryStatus.DELIVERED, 1)
    assert (delivery.response_status, delivery.next_attempt_at) == (200, None)
    assert [request.body for request in receiver.received] == [body_of(order)]
    assert receiver.received[0].webhook_id == delivery.id


async def test_a_dispatcher_without_work_waits_for_no_writer(
    outbox: Outbox, database: Database, order: Order, clock: FakeClock
) -> None:
    """It asks by reading whether something is due, so that idle processes write nothing."""
    async with Receiver() as receiver, OpenDispatcher(outbox, receiver, clock) as dispatcher:
        async with database.writing():
            assert await dispatcher.deliver_due() == 0
        await outbox.open_due(message_of(order))
        assert await dispatcher.deliver_due() == 1


async def test_a_failed_attempt_is_repeated_with_the_same_id_and_bytes(
    outbox: Outbox, order: Order, clock: FakeClock
) -> None:
    """Not before it is due, and with a new timestamp and signature."""
    async with (
        Receiver(answers(500), answers(200)) as receiver,
        OpenDispatcher(outbox, receiver, clock) as dispatcher,
    ):
        first = await dispatcher.push(message_of(order))
        assert (first.status, first.error) == (DeliveryStatus.PENDING, "the receiver answered 500")
        assert first.next_attempt_at == NOW + timedelta(seconds=5)
        clock.move(timedelta(seconds=4.9))
        assert await dispatcher.deliver_due() == 0
        clock.move(timedelta(seconds=0.1))
        assert await dispatcher.deliver_due() == 1
    last = await outbox.get(first.id)
    assert (last.status, last.attempts) == (DeliveryStatus.DELIVERED, 2)
    one, two = receiver.received
    assert (one.webhook_id, one.body) == (two.webhook_id, two.body)
    assert int(two.headers["webhook-timestamp"]) - int(one.headers["webhook-timestamp"]) == 5
    assert one.headers["webhook-signature"] != two.headers["webhook-signature"]


async def test_attempts_follow_the_retry_policy_and_failure_is_logged(
    outbox: Outbox, order: Order, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    """After ten attempts it has failed; the log has the command to replay it."""
    async with (
        Receiver(answers(503)) as receiver,
        OpenDispatcher(outbox, receiver, clock) as dispatcher,
    ):
        delivery = await dispatcher.push(message_of(order))
        for delay in DELAYS:
            assert delivery.next_attempt_at == clock.now + delay
            clock.move(delay)
            assert await dispatcher.deliver_due() == 1
            delivery = await outbox.get(delivery.id)
        clock.move(timedelta(days=9))
        assert await dispatcher.deliver_due() == 0
    assert (delivery.status, delivery.attempts) == (DeliveryStatus.FAILED, 10)
    assert len(receiver.received) == len(await outbox.attempts(delivery.id)) == 10
    assert f"majlis deliveries replay {delivery.id}" in caplog.text


@cases(
    ("chance", "seconds"),
    [
        pytest.param(0, 4.5, id="least"),
        pytest.param(0.5, 5, id="middle"),
        pytest.param(1, 5.5, id="most"),
    ],
)
def test_a_delay_is_a_tenth_longer_or_shorter(chance: float, seconds: float) -> None:
    """So that deliveries that failed together are not retried together."""
    assert delay_after(1, chance) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("asked", "wait"),
    [
        pytest.param("120", timedelta(minutes=2), id="longer than the schedule"),
        pytest.param("1", timedelta(seconds=5), id="shorter"),
        pytest.param("9999999", timedelta(hours=24), id="out of all reason"),
    ],
)
async def test_retry_after_is_respected(
    outbox: Outbox, order: Order, clock: FakeClock, asked: str, wait: timedelta
) -> None:
    """Up to a day, and never earlier than the retry policy allows."""
    answer = answers(429, f"Retry-After: {asked}")
    async with Receiver(answer) as receiver, OpenDispatcher(outbox, receiver, clock) as dispatcher:
        delivery = await dispatcher.push(message_of(order))
    assert delivery.next_attempt_at == NOW + wait


async def test_410_stops_a_delivery_but_not_the_next(
    outbox: Outbox, order: Order, clock: FakeClock
) -> None:
    """410 ends this delivery; a later push is a new one."""
    async with (
        Receiver(answers(410), answers(200)) as receiver,
        OpenDispatcher(outbox, receiver, clock) as dispatcher,
    ):
        gone = await dispatcher.push(message_of(order))
        clock.move(timedelta(days=2))
        assert await dispatcher.deliver_due() == 0
        again = await dispatcher.push(message_of(order))
    assert (gone.status, gone.next_attempt_at) == (DeliveryStatus.FAILED, None)
    assert (again.status, again.id != gone.id) == (DeliveryStatus.DELIVERED, True)


async def test_pushes_of_a_pending_revision_join_it(
    outbox: Outbox, order: Order, clock: FakeClock
) -> None:
    """Repeated pushes do not send anything twice."""
    async with (
        Receiver(answers(500), answers(200)) as receiver,
        OpenDispatcher(outbox, receiver, clock) as dispatcher,
    ):
        first = await dispatcher.push(message_of(order))
        second = await dispatcher.push(message_of(order))
        assert (second.id, second.attempts) == (first.id, 1)
        assert len(receiver.received) == 1


async def test_pushes_at_the_same_time_are_one_delivery(
    database: Database, migrated_url: str, order: Order, clock: FakeClock
) -> None:
    """Also from several processes."""
    async with (
        Receiver(answers(500)) as receiver,
        Database(migrated_url, tables=all_tables) as other,
        OpenDispatcher(Outbox(database, FakeDatabaseClock(clock)), receiver, clock) as here,
        OpenDispatcher(Outbox(other, FakeDatabaseClock(clock)), receiver, clock) as there,
    ):
        pushed = await asyncio.gather(*(each.push(message_of(order)) for each in [here, there] * 5))
    assert len({delivery.id for delivery in pushed}) == 1
    assert len(receiver.received) == 1


async def test_a_new_revision_is_a_new_delivery(
    database: Database, outbox: Outbox, order: Order, clock: FakeClock
) -> None:
    """They have different ids; `revision` shows their sequence."""
    async with (
        Receiver(answers(500), answers(200)) as receiver,
        OpenDispatcher(outbox, receiver, clock) as dispatcher,
    ):
        await dispatcher.push(message_of(order))
        changed = await stored(database, "WH-1", notes="Call first")
        await dispatcher.push(message_of(changed))
    bodies = [json.loads(request.body)["data"]["order"] for request in receiver.received]
    assert [body["revision"] for body in bodies] == [1, 2]
    assert len({request.webhook_id for request in receiver.received}) == 2


async def test_a_replay_sends_the_same_id_and_bytes_again(
    database: Database, outbox: Outbox, order: Order, clock: FakeClock
) -> None:
    """Even if the order has changed since."""
    async with Receiver() as receiver, OpenDispatcher(outbox, receiver, clock) as dispatcher:
        delivery = await dispatcher.push(message_of(order))
        await stored(database, "WH-1", notes="Call first")
        replayed = await outbox.replay(delivery.id)
        assert (replayed.status, replayed.attempts) == (DeliveryStatus.PENDING, 0)
        assert await dispatcher.deliver_due() == 1
    one, two = receiver.received
    assert (one.webhook_id, one.body) == (two.webhook_id, two.body)
    assert len(await outbox.attempts(delivery.id)) == 2


async def test_a_replay_is_refused_while_another_delivery_is_pending(
    outbox: Outbox, order: Order, clock: FakeClock
) -> None:
    """A revision has at most one pending delivery. An unknown delivery is an error too."""
    async with (
        Receiver(answers(410), answers(500)) as receiver,
        OpenDispatcher(outbox, receiver, clock) as dispatcher,
    ):
        failed, pending = (
            await dispatcher.push(message_of(order)),
            await dispatcher.push(message_of(order)),
        )
    with pytest.raises(AlreadyPending, match=pending.id):
        await outbox.replay(failed.id)
    with pytest.raises(NotFound, match="msg_none"):
        await outbox.replay("msg_none")


# Several processes


@pytest.fixture
async def others(migrated_url: str, database: Database) -> AsyncIterator[list[Database]]:
    """Three more connections to the same database, like those of other processes."""
    databases = [Database(migrated_url, tables=all_tables) for _ in range(3)]
    yield databases
    for each in databases:
        await each.close()


async def test_several_dispatchers_share_an_outbox_without_sending_anything_twice(
    database: Database, others: list[Database], clock: FakeClock
) -> None:
    """Each delivery is sent exactly once."""
    time = FakeDatabaseClock(clock)
    outbox = Outbox(database, time)
    for number in range(30):
        order = await stored(database, f"WH-{number}")
        opened = await outbox.open(message_of(order))
        assert isinstance(opened, Lease)
    clock.move(LEASE)
    async with Receiver() as receiver:
        posts = [
            OpenDispatcher(Outbox(each, time), receiver, clock) for each in (database, *others)
        ]

        async def work(post: OpenDispatcher) -> None:
            while await post.dispatcher.deliver_due():
                pass

        await asyncio.gather(*map(work, posts))
        for post in posts:
            await post.__aexit__()
    delivered = await outbox.newest(50, DeliveryStatus.DELIVERED)
    assert len(delivered) == 30
    sent = Counter(request.webhook_id for request in receiver.received)
    assert (len(sent), set(sent.values())) == (30, {1})


async def test_a_lease_excludes_others_until_it_expires(
    outbox: Outbox, order: Order, clock: FakeClock
) -> None:
    """Then the delivery is sent again; a late result of the old lease changes nothing."""
    dead = await outbox.open(message_of(order))
    assert isinstance(dead, Lease)
    clock.move(LEASE - timedelta(seconds=1))
    assert await outbox.claim(DeliveryKind("order")) is None
    clock.move(timedelta(seconds=1))
    async with Receiver() as receiver, OpenDispatcher(outbox, receiver, clock) as dispatcher:
        assert await dispatcher.deliver_due() == 1
    late = Attempt(NOW, clock.now, 500, "the receiver answered 500")
    after = await outbox.record(dead, late, DeliveryStatus.PENDING, timedelta())
    assert after.status is DeliveryStatus.DELIVERED
    assert len(await outbox.attempts(dead.delivery.id)) == 2


async def test_an_attempt_that_a_kill_cut_off_is_listed_and_counts(
    outbox: Outbox, order: Order, clock: FakeClock
) -> None:
    """It may have reached the receiver."""
    dead = await outbox.open(message_of(order))
    assert isinstance(dead, Lease)
    clock.move(LEASE)
    async with Receiver() as receiver, OpenDispatcher(outbox, receiver, clock) as dispatcher:
        assert await dispatcher.deliver_due() == 1
    cut, sent = await outbox.attempts(dead.delivery.id)
    assert (cut.started_at, cut.response_status, cut.error) == (NOW, None, CUT_OFF)
    assert (sent.started_at, sent.response_status) == (NOW + LEASE, 200)
    assert (await outbox.get(dead.delivery.id)).attempts == 2


async def test_a_delivered_revision_is_sent_again_only_on_request(
    database: Database, migrated_url: str, order: Order, clock: FakeClock
) -> None:
    """Also of pushes at the same time, in several processes; another revision is sent."""
    async with (
        Receiver() as receiver,
        Database(migrated_url, tables=all_tables) as other,
        OpenDispatcher(Outbox(database, FakeDatabaseClock(clock)), receiver, clock) as here,
        OpenDispatcher(Outbox(other, FakeDatabaseClock(clock)), receiver, clock) as there,
    ):
        message = message_of(order)
        pushed = await asyncio.gather(*(each.push(message) for each in [here, there] * 10))
        pushed.append(await here.push(message))
        assert len({each.id for each in pushed}) == len(receiver.received) == 1
        assert pushed[-1].status is DeliveryStatus.DELIVERED
        again = await there.push(message, again=True)
        assert again.id != pushed[0].id
        assert len(receiver.received) == 2
        assert (await here.push(message)).id in {again.id, pushed[0].id}
        changed = await stored(database, "WH-1", notes="Call first")
        assert (await here.push(message_of(changed))).revision == 2
    assert len({request.webhook_id for request in receiver.received}) == 3


async def test_the_signature_is_that_of_the_secret(outbox: Outbox, order: Order) -> None:
    """The public verifier accepts it, and refuses it with another secret."""
    clock = FakeClock()
    clock.now = clock.now.now(clock.now.tzinfo)
    async with Receiver() as receiver, OpenDispatcher(outbox, receiver, clock) as dispatcher:
        await dispatcher.push(message_of(order))
    (request,) = receiver.received
    Webhook(SECRET).verify(request.body, request.headers)
    with pytest.raises(WebhookVerificationError):
        Webhook("whsec_AAAAAAAAAAAAAAAAAAAAAAAA").verify(request.body, request.headers)


# Slots


class HeldResponse:
    """A response that waits until the test sets `go`."""

    def __init__(self) -> None:
        self.go = asyncio.Event()

    async def __call__(self, exchange: Exchange) -> None:
        """Respond 200 once `go` is set."""
        await self.go.wait()
        await answers(200)(exchange)


async def until(happened: Callable[[], object]) -> None:
    """Wait until a condition is true."""
    await asyncio.to_thread(eventually, happened)


async def due(database: Database, outbox: Outbox, number: str, revisions: int = 1) -> list[str]:
    """Open due deliveries for several revisions of one order; return their ids."""
    ids = []
    for revision in range(revisions):
        order = await stored(database, number, notes=f"Note {revision}")
        ids.append((await outbox.open_due(message_of(order))).id)
    return ids


async def test_a_hanging_attempt_does_not_delay_others(
    database: Database, outbox: Outbox, clock: FakeClock
) -> None:
    """Every free slot takes the next delivery at once."""
    held = HeldResponse()
    for number in range(2 * AT_ONCE):
        await due(database, outbox, f"WH-{number}")
    async with (
        Receiver(held, answers(200)) as receiver,
        OpenDispatcher(outbox, receiver, clock) as dispatcher,
    ):
        delivering = asyncio.create_task(dispatcher.deliver_due())
        await until(lambda: len(receiver.received) == 2 * AT_ONCE)
        assert not delivering.done()
        held.go.set()
        assert await delivering == 2 * AT_ONCE


async def test_concurrent_attempts_per_host_are_limited(
    database: Database, outbox: Outbox, clock: FakeClock
) -> None:
    """Due deliveries and pushes share the slots; a push without a slot is sent later."""
    held = HeldResponse()
    for number in range(AT_ONCE + 2):
        await due(database, outbox, f"WH-{number}")
    late = await stored(database, "WH-late")
    async with (
        Receiver(held) as receiver,
        OpenDispatcher(outbox, receiver, clock, wait_seconds=0) as dispatcher,
    ):
        delivering = asyncio.create_task(dispatcher.deliver_due())
        await until(lambda: len(receiver.received) == AT_ONCE)
        pushed = await dispatcher.push(message_of(late))
        assert (pushed.status, pushed.attempts) == (DeliveryStatus.PENDING, 0)
        assert (pushed.due_at, receiver.at_once) == (clock.now, AT_ONCE)
        held.go.set()
        assert await delivering == AT_ONCE + 3
        assert receiver.most_at_once == AT_ONCE
    assert (await outbox.get(pushed.id)).status is DeliveryStatus.DELIVERED


async def test_many_deliveries_of_one_order_do_not_delay_others(
    database: Database, outbox: Outbox, clock: FakeClock
) -> None:
    """Even if they were due earlier: other orders come first while one is being sent."""
    held = HeldResponse()
    many = await due(database, outbox, "WH-many", AT_ONCE)
    clock.move(timedelta(seconds=1))
    others = [(await due(database, outbox, f"WH-{number}"))[0] for number in range(AT_ONCE - 2)]
    async with Receiver(held) as receiver, OpenDispatcher(outbox, receiver, clock) as dispatcher:
        delivering = asyncio.create_task(dispatcher.deliver_due())
        await until(lambda: len(receiver.received) == AT_ONCE)
        first = {request.webhook_id for request in receiver.received}
        assert first == {many[0], many[1], *others}
        held.go.set()
        assert await delivering == len(many) + len(others)


async def test_a_stop_finishes_open_attempts_and_starts_none(
    database: Database, outbox: Outbox, clock: FakeClock
) -> None:
    """Their results are recorded; the rest stays pending."""
    held = HeldResponse()
    for number in range(AT_ONCE + 2):
        await due(database, outbox, f"WH-{number}")
    stop = asyncio.Event()
    async with Receiver(held) as receiver, OpenDispatcher(outbox, receiver, clock) as dispatcher:
        running = asyncio.create_task(dispatcher.run(stop))
        await until(lambda: len(receiver.received) == AT_ONCE)
        stop.set()
        held.go.set()
        await running
        assert len(receiver.received) == AT_ONCE
    assert len(await outbox.newest(50, DeliveryStatus.DELIVERED)) == AT_ONCE
    assert len(await outbox.newest(50, DeliveryStatus.PENDING)) == 2


async def test_a_wrong_clock_on_one_machine_sends_nothing_twice(
    postgresql: PostgreSQL,
) -> None:
    """The clock of PostgreSQL decides about leases and due times."""
    ahead = FakeClock(utc_now() + timedelta(days=1))
    async with Database(postgresql.new_database(), tables=all_tables) as database:
        await database.upgrade()
        outbox = Outbox(database, DatabaseClock(ahead))
        order = await stored(database, "WH-1")
        leased = await Outbox(database).open(message_of(order))
        assert isinstance(leased, Lease)
        assert await outbox.claim(DeliveryKind("order")) is None
        attempt = Attempt(ahead.now, ahead.now, 500, "the receiver answered 500")
        recorded = await outbox.record(leased, attempt, DeliveryStatus.PENDING, timedelta(hours=1))
        assert recorded.next_attempt_at is not None
        assert recorded.next_attempt_at < ahead.now
        assert await outbox.claim(DeliveryKind("order")) is None


TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
TRACEPARENT = f"00-{TRACE}-{SPAN}-01"


async def in_trace(outbox: Outbox, order: Order) -> None:
    """Open a delivery in a request that belongs to a trace."""
    with continued(trace_in({"traceparent": TRACEPARENT, "tracestate": "vendor=1"})):
        await outbox.open_due(message_of(order))


async def test_a_delivery_belongs_to_the_trace_of_the_request_that_caused_it(
    outbox: Outbox, order: Order, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    """At every attempt, in any process, and in the log lines about it."""
    caplog.set_level(logging.INFO, "app")
    caplog.handler.setFormatter(JsonLines())
    await in_trace(outbox, order)
    async with (
        Receiver(answers(500), answers(200)) as receiver,
        OpenDispatcher(outbox, receiver, clock) as dispatcher,
    ):
        await dispatcher.deliver_due()
        clock.move(timedelta(minutes=1))
        await dispatcher.deliver_due()
    sent = [each.headers for each in receiver.received]
    assert [each["traceparent"] for each in sent] == 2 * [TRACEPARENT]
    assert [each["tracestate"] for each in sent] == 2 * ["vendor=1"]
    lines = [json.loads(line) for line in caplog.text.splitlines()]
    assert [line["trace"] for line in lines if "ttempt" in line["message"]] == 2 * [TRACE]


async def test_a_delivery_without_a_trace_sends_none(
    outbox: Outbox, order: Order, clock: FakeClock
) -> None:
    """Nothing is invented."""
    async with Receiver() as receiver, OpenDispatcher(outbox, receiver, clock) as dispatcher:
        await dispatcher.push(message_of(order))
    assert not {"traceparent", "tracestate"} & receiver.received[0].headers.keys()


async def test_attempts_are_spans_of_that_trace(
    outbox: Outbox, order: Order, clock: FakeClock
) -> None:
    """The receiver gets the span of the request to it; no span has the rest of its URL."""
    exporter = InMemorySpanExporter()
    await in_trace(outbox, order)
    async with (
        Receiver(answers(500)) as receiver,
        OtelTracing(exporter),
        OpenDispatcher(outbox, receiver, clock) as dispatcher,
    ):
        port = urlsplit(receiver.url).port
        await dispatcher.deliver_due()
    current_tracer.set(NoOpTracer())
    spans = {span.name: span for span in exporter.get_finished_spans()}
    posted, delivered = spans["POST"], spans["deliver order"]
    assert posted.parent
    assert delivered.parent
    assert format_span_id(delivered.parent.span_id) == SPAN
    assert posted.parent.span_id == delivered.context.span_id
    sent = receiver.received[0].headers["traceparent"]
    assert sent == f"00-{TRACE}-{format_span_id(posted.context.span_id)}-01"
    assert posted.attributes == {
        "http.request.method": "POST",
        "server.address": "127.0.0.1",
        "server.port": port,
        "http.response.status_code": 500,
        "error.type": "500",
    }
    assert delivered.attributes == {
        "majlis.delivery.kind": "order",
        "majlis.delivery.attempt": 1,
        "majlis.delivery.outcome": "refused",
    }
