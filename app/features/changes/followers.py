"""Followers: the notifiers of all who are told of changes, and webhooks that subscribe to them.

The position of a follower advances in the transaction that stores the delivery. So each change is
in exactly one delivery of a follower, however many processes do this, and whenever they die.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from typing import Literal
from urllib.parse import urlsplit

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from app.features.changes.feed import ChangeFeed, ChangeList, PageChange
from app.features.changes.log import ChangeLog, Cursor, follower_positions
from app.features.changes.model import ChangePage
from app.platform.clock import Clock
from app.platform.concurrency.background import wait_or_stop
from app.platform.concurrency.executors import BoundedExecutor
from app.platform.database import StoreUnavailable
from app.platform.database.database import Database
from app.platform.database.metadata import insert_of
from app.platform.deliveries.delivery import AttemptResult, Delivery, DeliveryKind, Message
from app.platform.deliveries.http_client import WebhookSender
from app.platform.deliveries.outbox import Outbox
from app.publishing.content.store import ContentStore
from knowledge.resources.base import Resource
from knowledge.resources.errors import ContentUnavailable

POLL_SECONDS = 1.0

_MOST_PURGED = 10
"""Old deliveries that are deleted with each new one, so that the outbox does not grow forever."""


class ChangeNotifier:
    """Notifies followers of changes; several processes that share a database may do the same."""

    def __init__(
        self,
        database: Database,
        outbox: Outbox,
        followers: Sequence[Follower],
        clock: Clock,
        retention: timedelta = timedelta(days=90),
    ) -> None:
        self._database = database
        self._log = ChangeLog(database)
        self._positions = Positions(database)
        self._outbox = outbox
        self._followers = followers
        self._clock = clock
        self._retention = retention
        self._notified: dict[str, int] = {}
        self._collecting: dict[str, tuple[int, datetime]] = {}
        """The position of each follower, and since when this process knows of changes after it."""

    async def run(self, stop: asyncio.Event) -> None:
        """Notify followers of new changes until `stop` is set."""
        while not stop.is_set():
            with suppress(StoreUnavailable, ContentUnavailable):  # both are logged where they arise
                await self.notify()
            await wait_or_stop(stop, POLL_SECONDS)

    async def notify(self) -> int:
        """Put a delivery into the outbox for each follower that is to get one; return how many."""
        newest = (await self._log.head()).last
        waiting = [each for each in self._followers if self._notified.get(each.id) != newest]
        return sum([await self._notify(follower, newest) for follower in waiting])

    async def _notify(self, follower: Follower, newest: int) -> bool:
        position = await self._positions.of(follower.id, newest)
        if position >= newest:
            self._notified[follower.id] = newest
            return False
        # The numbers of changes have no gaps, so that a delivery may be known to be full.
        is_full = newest - position >= follower.at_most
        if not is_full and self._is_collecting(follower, position):
            return False
        if await self._outbox.is_pending(follower.kind, follower.id):
            return False
        return await self._open(follower, position, newest)

    def _is_collecting(self, follower: Follower, position: int) -> bool:
        """Whether to wait for further changes; the time starts when one is first seen."""
        now = self._clock()
        known, since = self._collecting.get(follower.id, (None, now))
        if known != position:
            since = now
            self._collecting[follower.id] = position, now
        return now - since < follower.collects

    async def _open(self, follower: Follower, position: int, newest: int) -> bool:
        page = await self._log.after(position, follower.at_most)
        if not page.items:  # retention has deleted them
            async with self._database.writing() as connection:
                await self._positions.advance(connection, follower.id, position, newest)
            return False
        told = await follower.notification(page)
        async with self._database.writing() as connection:
            moved = await self._positions.advance(connection, follower.id, position, told.last)
            if moved:
                await self._outbox.add(connection, follower.message(told.body))
                subject = (follower.kind, follower.id)
                await self._outbox.purge(connection, *subject, self._retention, _MOST_PURGED)
        return moved


@dataclass(frozen=True, slots=True)
class Notification:
    """The body that tells of changes, and the number of the last of them."""

    body: bytes
    last: int


@dataclass(frozen=True, slots=True)
class Follower:
    """One that is told of changes; `id` is that of its position and deliveries.

    Changes are collected for the time `collects`, so that many edits become one delivery of up to
    `at_most` changes. `notification` tells of some changes, or the first of them.
    """

    id: str
    name: str
    kind: DeliveryKind
    at_most: int
    notification: Callable[[ChangePage], Awaitable[Notification]]
    collects: timedelta = timedelta()

    def message(self, body: bytes) -> Message:
        """Return the message with a body; a follower gets its messages one by one."""
        return Message(
            kind=self.kind, subject_id=self.id, subject=self.name, body=body, ordered=True
        )


class Positions:
    """Positions in a database; every method may raise StoreUnavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, follower: str, newest: int) -> int:
        """Return the position of a follower; a new one starts at the newest change."""
        insert = insert_of(follower_positions, is_postgresql=self._database.is_postgresql)
        new = insert.values(follower=follower, last_change=newest)
        known = select(follower_positions.c.last_change).where(
            follower_positions.c.follower == follower
        )
        async with self._database.reading() as connection:
            position: int | None = (await connection.execute(known)).scalar_one_or_none()
        if position is None:
            async with self._database.writing() as connection:
                await connection.execute(new.on_conflict_do_nothing())
                position = (await connection.execute(known)).scalar_one()
        return position

    async def advance(
        self, connection: AsyncConnection, follower: str, position: int, to: int
    ) -> bool:
        """Move a position, unless another process has moved it: then return False."""
        row = follower_positions.c
        moved = await connection.execute(
            update(follower_positions)
            .where(row.follower == follower, row.last_change == position)
            .values(last_change=to)
        )
        return bool(moved.rowcount)


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


def current_changes(
    log: ChangeLog,
    feed: ChangeFeed,
    content_store: ContentStore,
    executor: BoundedExecutor,
    clock: Clock,
) -> ListChanges:
    """Return what lists changes with their present ETags; it raises ContentUnavailable."""

    async def list_changes(page: ChangePage) -> ChangeList:
        head, snapshot = await log.head(), content_store.current.snapshot
        return await executor.run(partial(feed.after, page, head.log, snapshot, clock()))

    return list_changes


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

    return Follower(subscriber_id(url), _host(url), CHANGE, MOST_CHANGES, notification, COLLECTS)


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
