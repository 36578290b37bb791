"""The purger: tells the CDN which responses an edit, or a scheduled change, may have changed.

It runs in one process of a machine, and each machine has one, as each loads an edit at its own
time. A process that begins purges everything, as it does not know what was sent before it.

What pages share, such as a footer, is compared at each edit. The purger makes all of it in advance:
other processes may have sent pages with results that nobody has asked this one for.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from http import HTTPStatus
from itertools import repeat

from app.features.changes.cache_tags import purge_tags
from app.platform.clock import Clock
from app.platform.concurrency.background import wait_or_stop
from app.platform.concurrency.executors import BoundedExecutor, Overloaded
from app.platform.database.database import Database
from app.platform.database.errors import StoreUnavailable
from app.platform.deliveries.delivery import AttemptResult, Delivery, DeliveryKind, Message
from app.platform.deliveries.http_client import HttpClient, Timeouts
from app.platform.deliveries.outbox import Outbox
from app.platform.deliveries.signature import signed_headers
from app.publishing.content.store import ContentStore, Edition
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import shared_keys
from knowledge.views.edit_effects import EVERYTHING, Touched, touched_between

log = logging.getLogger(__name__)

_CHECK_SECONDS = 0.5
COLLECTS = timedelta(seconds=2)
"""How long edits are collected; by then each process has loaded them, and the CDN cannot get the
page of before again."""

PURGE_DELAYS = (timedelta(seconds=5), *repeat(timedelta(minutes=1), 24 * 60))
"""A purge that is not delivered is tried again each minute, for a day: readers see old pages."""

_KEPT_FOR = timedelta(days=7)
_MOST_DELETED = 10
"""Old deliveries that are deleted with each new one."""

SUBJECT = "cdn"

CDN = DeliveryKind("cdn")


class Editions:
    """The editions of a store, with all that their pages share at `base_url`."""

    def __init__(self, store: ContentStore, executor: BoundedExecutor, base_url: str) -> None:
        self.store = store
        self._executor = executor
        self._base_url = base_url
        self._made: tuple[Snapshot, datetime | None] | None = None

    async def make_shared_results(self, now: datetime) -> None:
        """Make the shared results of the current edition, unless that is done."""
        snapshot = self.store.current.snapshot
        current = (snapshot, snapshot.next_change_at(now))
        if self._made != current:
            await self._executor.run(partial(_make_shared_results, snapshot, now, self._base_url))
            self._made = current


def _make_shared_results(snapshot: Snapshot, now: datetime, base_url: str) -> None:
    for key in shared_keys(snapshot, base_url):
        try:
            key.value(snapshot, now)
        except Exception:  # whoever asks for a page with it gets the error
            log.debug("A result that pages share cannot be made", exc_info=True)


def touched_since(edition: Edition, edit: int, at: datetime, now: datetime) -> Touched | None:
    """Return what the edits after one, and the schedule after an instant, touched; None if nothing.

    The shared results of that instant must have been made.
    """
    touched = edition.edits.since(edit)
    change = edition.snapshot.next_change_at(at)
    if change is None or change > now:
        return touched
    return EVERYTHING if touched else touched_between(edition.snapshot, at, now)


class Purger:
    """Puts a purge into the outbox after each edit; `receiver` is the name that operators see."""

    def __init__(
        self,
        database: Database,
        outbox: Outbox,
        editions: Editions,
        clock: Clock,
        receiver: str,
    ) -> None:
        self._database = database
        self._outbox = outbox
        self._editions = editions
        self._clock = clock
        self._receiver = receiver
        self._purged: int | None = None
        """The number of the last edit that was purged; None before the first purge."""
        self._purged_at = clock()
        self._due_since: datetime | None = None

    async def run(self, stop: asyncio.Event) -> None:
        """Purge after each edit until `stop` is set."""
        while not stop.is_set():
            with suppress(StoreUnavailable, Overloaded):  # the first is logged where it arises
                await self.purge()
            await wait_or_stop(stop, _CHECK_SECONDS)

    async def purge(self) -> bool:
        """Put a purge into the outbox if one is due; return whether it was.

        While the last one is not delivered, edits are collected.
        """
        if not self._editions.store.loaded:
            return False
        await self._editions.make_shared_results(self._clock())
        now, edits = self._clock(), self._editions.store.current.edits
        touched = self._touched(now)
        if touched is None:
            return False
        self._due_since = self._due_since or now
        if now - self._due_since < COLLECTS:
            return False
        if await self._outbox.is_pending(CDN, SUBJECT):
            return False
        async with self._database.writing() as connection:
            await self._outbox.add(connection, self._message(purge_tags(touched), now))
            before = now - _KEPT_FOR
            subject = (CDN, SUBJECT)
            await self._outbox.purge(connection, *subject, before, _MOST_DELETED)
        self._purged, self._purged_at, self._due_since = edits.number, now, None
        return True

    def _touched(self, now: datetime) -> Touched | None:
        """Return what was touched since the last purge, or None."""
        if self._purged is None:
            return EVERYTHING
        return touched_since(self._editions.store.current, self._purged, self._purged_at, now)

    def _message(self, tags: Sequence[str], now: datetime) -> Message:
        event = {"type": "cdn.purge", "timestamp": now.isoformat(), "data": {"tags": tags}}
        return Message(
            kind=CDN,
            subject_id=SUBJECT,
            subject=self._receiver,
            body=json.dumps(event).encode(),
            ordered=True,
        )


HEADER = "Cache-Tag"
"""The tags, separated by commas: a cache such as Varnish reads them more easily than a body."""


class PurgeSender:
    """Posts to one URL; with an empty secret, without a signature."""

    def __init__(self, url: str, secret: str, timeouts: Timeouts | None = None) -> None:
        self._url = url
        self._secret = secret
        self._client = HttpClient(timeouts)

    async def aclose(self) -> None:
        """Close the HTTP client."""
        await self._client.aclose()

    async def send(self, delivery: Delivery, at: datetime) -> AttemptResult:
        """Post the body once; a receiver ends the delivery with 410, as Standard Webhooks say."""
        tags = json.loads(delivery.body)["data"]["tags"]
        headers = signed_headers(delivery.id, at, delivery.body, self._secret)
        result = await self._client.post(
            self._url, delivery.body, {**headers, HEADER: ",".join(tags)}, at
        )
        return replace(result, final=result.response_status == HTTPStatus.GONE)
