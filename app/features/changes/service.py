"""Changes of an application: their log and feed, who is told of them, and their tasks."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from urllib.parse import urlsplit

from quart import Quart

from app.feature import Receiver
from app.features.changes import indexnow
from app.features.changes.cdn import (
    CDN_PURGE,
    PURGE_DELAYS,
    Editions,
    Purger,
    PurgeSender,
    add_cache_tags,
)
from app.features.changes.feed import ChangeFeed, MarkdownTags
from app.features.changes.followers import (
    CHANGE,
    ChangeNotifier,
    Follower,
    ListChanges,
    SubscriberSender,
    current_changes,
    subscriber,
)
from app.features.changes.indexnow import INDEXNOW, IndexNowSender, is_public, search_engines
from app.features.changes.log import (
    FIRST_SECONDS,
    ChangeLog,
    Cursor,
    CursorExpired,
    delete_due,
)
from app.features.changes.recorder import ChangeRecorder
from app.features.changes.settings import INDEXNOW_URL, ChangeSettings
from app.platform.clock import Clock
from app.platform.concurrency.background import Component, Work
from app.platform.database.database import Database
from app.platform.database.seen_clock import hourly
from app.platform.deliveries.dispatcher import Dispatcher, DispatcherGroup
from app.platform.deliveries.outbox import DatabaseClock, Outbox
from app.services import Services, services_of
from app.web.extensions import ContractPart, WebhookReceivers


@dataclass(frozen=True)
class Changes(Component):
    """The changes of pages: where they are recorded, and how the API lists them."""

    log: ChangeLog
    feed: ChangeFeed
    recorder: ChangeRecorder
    retention: Work

    def tasks(self) -> Iterator[tuple[str, Work]]:
        """Yield the task that deletes old changes."""
        yield "changes_retention", self.retention

    def tasks_of_one_process(self) -> Iterator[tuple[str, Work]]:
        """Yield the task that records changes."""
        yield "changes", self.recorder.run


def open_parts(services: Services) -> Iterable[object]:
    """Return the changes of an application, those who are told of them, and their errors."""
    settings, database, clock = (
        services.settings.of(ChangeSettings),
        services.database,
        services.clock,
    )
    store, edits = services.content_store, services.executors.edits
    log, feed = ChangeLog(database), ChangeFeed(MarkdownTags(settings.public_url))
    delete = partial(delete_due, settings.changes_retention_days, log, clock)
    yield Changes(
        log,
        feed,
        ChangeRecorder(database, store, edits, clock),
        hourly(database, clock, delete, "changes", FIRST_SECONDS),
    )
    current = current_changes(log, feed, store, edits, clock)
    editions = Editions(store, edits, settings.public_url)
    yield open_followers(settings, database, clock, current, editions)
    yield log
    yield ContractPart(error_examples={410: CursorExpired(Cursor("0a1b2c3d", 152))})
    if settings.changes_webhook_url:
        yield WebhookReceivers("changes")


def install(app: Quart) -> None:
    """Add the headers for CDNs and the key file of IndexNow, if the settings ask for them."""
    settings = services_of(app).settings.of(ChangeSettings)
    add_cache_tags(app, settings.cdn)
    indexnow.install(app, settings.indexnow_key)


def receivers(settings: ChangeSettings) -> Iterator[Receiver]:
    """Yield the receivers of changes and of purges."""
    for url in settings.change_webhooks:
        yield Receiver("CHANGES_WEBHOOK_URL", url, not settings.changes_webhook_secret)
    if settings.indexnow_key:
        yield Receiver("INDEXNOW_URL", settings.indexnow_url)
    if url := settings.cdn_purge_url:
        yield Receiver("CDN_PURGE_URL", url, not settings.cdn_purge_secret)


@dataclass(frozen=True)
class FollowerService(DispatcherGroup):
    """Whom to tell of changes; empty unless a variable names somebody."""

    notifier: ChangeNotifier | None
    purger: Purger | None

    def tasks(self) -> Iterator[tuple[str, Work]]:
        """Yield the background tasks by name."""
        if self.notifier:
            yield "notify", self.notifier.run
        yield from DispatcherGroup.tasks(self)

    def tasks_of_one_process(self) -> Iterator[tuple[str, Work]]:
        """Yield the background tasks of the process that follows the editions for all others."""
        if self.purger:
            yield "purge", self.purger.run


def open_followers(
    settings: ChangeSettings,
    database: Database,
    clock: Clock,
    list_changes: ListChanges,
    editions: Editions,
) -> FollowerService:
    """Build the service from the settings."""
    outbox = Outbox(database, DatabaseClock(clock))
    followers: list[Follower] = []
    dispatchers: list[Dispatcher] = []
    if urls := settings.change_webhooks:
        followers += [subscriber(url, list_changes, clock) for url in urls]
        webhooks = SubscriberSender(urls, settings.changes_webhook_secret)
        dispatchers.append(Dispatcher(outbox, CHANGE, webhooks, clock))
    if settings.indexnow_key and _reaches_search_engines(settings):
        engines = search_engines(settings.public_url, settings.indexnow_key, settings.indexnow_url)
        followers.append(engines)
        sender = IndexNowSender(settings.indexnow_url)
        dispatchers.append(Dispatcher(outbox, INDEXNOW, sender, clock))
    purger = None
    if url := settings.cdn_purge_url:
        purger = Purger(database, outbox, editions, clock, urlsplit(url).netloc)
        purges = PurgeSender(url, settings.cdn_purge_secret)
        dispatchers.append(Dispatcher(outbox, CDN_PURGE, purges, clock, delays=PURGE_DELAYS))
    retention = timedelta(days=settings.changes_retention_days)
    notifier = ChangeNotifier(database, outbox, followers, clock, retention)
    return FollowerService(
        tuple(dispatchers), tuple(_warnings(settings)), notifier if followers else None, purger
    )


def _reaches_search_engines(settings: ChangeSettings) -> bool:
    """Whether to send: not of a private address to the public service."""
    return settings.indexnow_url != INDEXNOW_URL or is_public(settings.base_url)


def _warnings(settings: ChangeSettings) -> Iterator[str]:
    if settings.change_webhooks and not settings.changes_webhook_secret:
        yield "CHANGES_WEBHOOK_SECRET is not set; changes are sent without a signature."
    if settings.cdn_purge_url and not settings.cdn_purge_secret:
        yield "CDN_PURGE_SECRET is not set; purges are sent without a signature."
    if settings.indexnow_key and not _reaches_search_engines(settings):
        yield (
            "INDEXNOW_KEY is set, but search engines cannot reach this site; they are told nothing."
            " Set BASE_URL to the public address."
        )
