"""Webhooks of changes: what subscribers get, in which order, and when a receiver is dead."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from contract.visitor import FakeClock, Visitor
from live.server import eventually
from standardwebhooks import Webhook
from storefront.clocks import FakeDatabaseClock
from storefront.page_changes import changed, record
from storefront.receiver import Receiver, answers

from app.features.changes.feed import ChangeList, PageChange
from app.features.changes.followers import COLLECTS, ChangeNotifier, SubscriberSender, subscriber
from app.features.changes.log import Cursor
from app.features.changes.model import ChangePage
from app.features.changes.service import FollowerService
from app.platform.clock import utc_now
from app.platform.database.database import Database
from app.platform.deliveries.delivery import DeliveryKind, DeliveryStatus
from app.platform.deliveries.dispatcher import DELAYS, Dispatcher
from app.platform.deliveries.outbox import Outbox

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
API = "/api/public/v1/changes"
AT_MOST = 2


async def listed(page: ChangePage) -> ChangeList:
    """List the first changes of a page, as the API may do."""
    recorded = page.items[:AT_MOST]
    items = [
        PageChange(path=each.change.path, kind="page", change=each.change.change, at=each.change.at)
        for each in recorded
    ]
    cursor = Cursor("0a1b2c3d", recorded[-1].number)
    return ChangeList(items=items, cursor=str(cursor), more=len(items) < len(page.items))


class Subscribers:
    """Subscribers of the changes in a database."""

    def __init__(self, database: Database, urls: Sequence[str], secret: str = SECRET) -> None:
        self.clock = FakeClock(utc_now())
        self.database = database
        self.outbox = Outbox(database, FakeDatabaseClock(self.clock))
        followers = [subscriber(url, listed, self.clock) for url in urls]
        self.notifier = ChangeNotifier(database, self.outbox, followers, self.clock)
        sender = SubscriberSender(urls, secret)
        kind = DeliveryKind("change")
        self.dispatcher = Dispatcher(self.outbox, kind, sender, self.clock, lambda: 0.5)

    async def publish(self, slugs: str) -> None:
        """Record a change of each page, and tell of them."""
        await self.notifier.notify()
        await record(self.database, *map(changed, slugs))
        await self.tell()

    async def tell(self) -> None:
        """Tell of changes that have been recorded, and send what is due."""
        await self.notifier.notify()
        self.clock.move(COLLECTS)
        await self.notifier.notify()
        await self.dispatcher.deliver_due()


def told(receiver: Receiver) -> list[list[str]]:
    """Return the pages of each accepted event."""
    events = [json.loads(request.body) for request in receiver.received]
    return [[item["path"][-1] for item in event["data"]["items"]] for event in events]


async def test_subscribers_get_signed_events_in_order(database: Database) -> None:
    """As many items as fit, each once; the cursor leads on in the API."""
    async with Receiver() as receiver:
        subscribers = Subscribers(database, [receiver.url])
        await subscribers.publish("abc")
        await subscribers.tell()
        await subscribers.publish("d")
        await subscribers.dispatcher.aclose()
    assert told(receiver) == [["a", "b"], ["c"], ["d"]]
    for request in receiver.received:
        event = Webhook(SECRET).verify(request.body, request.headers)
        assert list(event) == ["type", "timestamp", "data"]
        assert (event["type"], list(event["data"])) == ("content.changed", ["items", "cursor"])
    assert json.loads(receiver.received[1].body)["data"]["cursor"] == "0a1b2c3d-3"


async def test_a_dead_subscriber_gets_everything_later_and_delays_no_other(
    database: Database,
) -> None:
    """Its first event is repeated, and what changed meanwhile follows in order."""
    async with Receiver(answers(500), answers(200)) as dead, Receiver() as alive:
        subscribers = Subscribers(database, [f"{dead.url}?token=1", alive.url])
        await subscribers.publish("a")
        await subscribers.publish("b")
        assert (told(dead), told(alive)) == ([["a"]], [["a"], ["b"]])
        await subscribers.publish("c")
        for _ in range(2):
            subscribers.clock.move(DELAYS[0])
            await subscribers.tell()
        await subscribers.dispatcher.aclose()
    assert told(alive) == [["a"], ["b"], ["c"]]
    assert told(dead) == [["a"], ["a"], ["b", "c"]]
    assert dead.received[0].webhook_id == dead.received[1].webhook_id


async def test_an_event_that_was_given_up_can_be_sent_again(database: Database) -> None:
    """Under the same id; later events do not wait for it."""
    async with Receiver(answers(410), answers(200)) as receiver:
        subscribers = Subscribers(database, [receiver.url])
        await subscribers.publish("a")
        await subscribers.publish("b")
        (failed,) = await subscribers.outbox.newest(5, DeliveryStatus.FAILED)
        assert failed.subject == receiver.url.split("/")[2]
        await subscribers.outbox.replay(failed.id)
        await subscribers.tell()
        await subscribers.dispatcher.aclose()
    assert told(receiver) == [["a"], ["b"], ["a"]]


async def test_a_subscriber_that_was_removed_gets_nothing_more(database: Database) -> None:
    """Another process may have it still, so its delivery is not given up at once."""
    async with Receiver(answers(500)) as receiver:
        subscribers = Subscribers(database, [receiver.url])
        await subscribers.publish("a")
        await subscribers.dispatcher.aclose()
        sender = SubscriberSender(["http://other.example/"], "")
        clock, outbox = subscribers.clock, subscribers.outbox
        clock.move(DELAYS[0])
        async with Dispatcher(outbox, DeliveryKind("change"), sender, clock) as dispatcher:
            assert await dispatcher.deliver_due() == 1
        (delivery,) = await outbox.newest(5)
        assert len(receiver.received) == 1
    assert delivery.status is DeliveryStatus.PENDING
    assert "is not in CHANGES_WEBHOOK_URL" in str(delivery.error)


def test_an_edit_reaches_webhook_and_search_engines_as_the_api_has_it(
    visit: Callable[..., Visitor], clock: FakeClock, tmp_path: Path
) -> None:
    """The items and the cursor are those of the API; search engines get the URLs."""
    hook, engines = Receiver(), Receiver()
    files = {"site/home.md": "---\ntitle: Home\n---\n", "pages/erp.md": "---\ntitle: ERP\n---\nA\n"}
    settings = {"changes_webhook_url": hook.url, "changes_webhook_secret": SECRET}
    settings |= {"indexnow_key": "0123456789abcdef", "indexnow_url": engines.url}
    visitor = visit(files, **settings)
    for receiver in (hook, engines):
        visitor._runner.run(receiver.__aenter__())
    visitor.record_changes()
    since = visitor.get(API).json["cursor"]
    notifier = visitor.quart.extensions["majlis"].part(FollowerService).notifier
    visitor._runner.run(notifier.notify())
    (tmp_path / "content/pages/erp.md").write_text("---\ntitle: ERP\n---\nB\n")
    visitor.record_changes()

    def is_told() -> bool:
        clock.move(timedelta(seconds=1))
        visitor._runner.run(asyncio.sleep(0.02))
        return bool(hook.received and engines.received)

    eventually(is_told)
    listed_by_api: Any = visitor.get(f"{API}?since={since}&limit=100").json
    for receiver in (hook, engines):
        visitor._runner.run(receiver.__aexit__())
    data = json.loads(hook.received[0].body)["data"]
    assert data == {name: listed_by_api[name] for name in ("items", "cursor")}
    assert {item["change"] for item in data["items"]} == {"changed"}
    sent = json.loads(engines.received[0].body)["urlList"]
    base = visitor.quart.extensions["majlis"].settings.public_url
    assert sent == [base + item["path"] for item in data["items"]]


async def test_without_a_secret_events_are_not_signed(database: Database) -> None:
    """They have an id nevertheless."""
    async with Receiver() as receiver:
        subscribers = Subscribers(database, [receiver.url], secret="")
        await subscribers.publish("a")
        await subscribers.dispatcher.aclose()
    (request,) = receiver.received
    assert request.webhook_id
    assert "webhook-signature" not in request.headers


def test_without_a_secret_the_start_warns(
    visit: Callable[..., Visitor], caplog: pytest.LogCaptureFixture
) -> None:
    """Once."""
    visit({"site/home.md": "---\ntitle: Home\n---\n"}, changes_webhook_url="http://127.0.0.1:9/x")
    assert caplog.text.count("CHANGES_WEBHOOK_SECRET is not set") == 1
