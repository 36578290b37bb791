"""Subscribers: webhooks that get changes as the public API lists them, signed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from typing import Literal
from urllib.parse import urlsplit

from app.features.changes.change import ChangePage
from app.features.changes.feed import ChangeFeed, ChangeList, PageChange
from app.features.changes.followers.notifier import Follower, Notification
from app.features.changes.log import ChangeLog, Cursor
from app.platform.clock import Clock
from app.platform.concurrency.executors import BoundedExecutor
from app.platform.deliveries.delivery import AttemptResult, Delivery, DeliveryKind
from app.platform.deliveries.webhook import WebhookSender
from app.publishing.content.store import ContentStore
from knowledge.resources.base import Resource

MOST_CHANGES = 100
"""Changes in one delivery, of about 20 kB."""
COLLECTS = timedelta(seconds=2)
"""How long changes are collected; by then each process has loaded the content that changed."""

ListChanges = Callable[[ChangePage], Awaitable[ChangeList]]
"""Returns some changes, or the first of them, as the public API lists them."""

CHANGE = DeliveryKind("change")


class ChangeData(Resource):
    """The payload of the event; `cursor` is the one of the API, after the last item."""

    items: list[PageChange]
    cursor: str


class ContentChanged(Resource):
    """The body of a webhook; `timestamp` is when it was written."""

    type: Literal["content.changed"] = "content.changed"
    timestamp: datetime
    data: ChangeData


class CurrentChanges:
    """Lists changes with the ETags that their pages have in the current edition."""

    def __init__(
        self,
        log: ChangeLog,
        feed: ChangeFeed,
        content_store: ContentStore,
        executor: BoundedExecutor,
        clock: Clock,
    ) -> None:
        self._log = log
        self._feed = feed
        self._store = content_store
        self._executor = executor
        self._clock = clock

    async def __call__(self, page: ChangePage) -> ChangeList:
        """Return the changes, or the first of them; raises ContentUnavailable."""
        head, snapshot = await self._log.head(), self._store.current.snapshot
        listed = partial(self._feed.after, page, head.log, snapshot, self._clock())
        return await self._executor.run(listed)


def subscriber_id(url: str) -> str:
    """Return the id of the subscriber at a URL; the secret of its query may be replaced.

    >>> subscriber_id("https://a.example/x?token=1") == subscriber_id("https://a.example/x?token=2")
    True
    """
    parts = urlsplit(url)
    address = f"{parts.scheme}://{_host(url)}{parts.path}"
    return f"webhook-{sha256(address.encode()).hexdigest()[:16]}"


def subscriber(url: str, list_changes: ListChanges, clock: Clock) -> Follower:
    """Return the subscriber at a URL as a follower; only its host is shown, which is no secret."""

    async def notification(page: ChangePage) -> Notification:
        listed = await list_changes(page)
        data = ChangeData(items=listed.items, cursor=listed.cursor)
        body = ContentChanged(timestamp=clock(), data=data).model_dump_json().encode()
        return Notification(body, Cursor.parse(listed.cursor).number)

    kind = CHANGE
    return Follower(subscriber_id(url), _host(url), kind, MOST_CHANGES, notification, COLLECTS)


def _host(url: str) -> str:
    """Return the host and port of a URL, without a user."""
    return urlsplit(url).netloc.rpartition("@")[2]


class SubscriberSender:
    """Posts each delivery to the URL of its subscriber."""

    def __init__(self, urls: Sequence[str], secret: str) -> None:
        self._senders = {subscriber_id(url): WebhookSender(url, secret) for url in urls}

    async def aclose(self) -> None:
        """Close every HTTP client."""
        for sender in self._senders.values():
            await sender.aclose()

    async def send(self, delivery: Delivery, at: datetime) -> AttemptResult:
        """Post once; without its URL, as after a change of the settings, try again later."""
        sender = self._senders.get(delivery.subject_id)
        if sender is None:
            return AttemptResult(error=f"{delivery.subject} is not in CHANGES_WEBHOOK_URL")
        return await sender.send(delivery, at)
