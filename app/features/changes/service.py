"""Changes of an application: their log and feed, the tasks that record them, and who is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from quart import Quart

from app.features.changes.cdn import response_headers
from app.features.changes.cdn.purger import Editions
from app.features.changes.feed import ChangeFeed
from app.features.changes.followers import indexnow_routes
from app.features.changes.followers.service import open_followers
from app.features.changes.followers.subscribers import CurrentChanges
from app.features.changes.log import ChangeLog, ChangeRetention, Cursor, CursorExpired
from app.features.changes.markdown_tags import MarkdownTags
from app.features.changes.recorder import ChangeRecorder
from app.features.changes.settings import ChangeSettings
from app.features.feature import Receiver
from app.platform.component import Component
from app.platform.concurrency.background import Work
from app.services import Services, services_of
from app.web.extensions import ContractPart, WebhookReceivers


@dataclass(frozen=True)
class Changes(Component):
    """The changes of pages: where they are recorded, and how the API lists them."""

    log: ChangeLog
    feed: ChangeFeed
    recorder: ChangeRecorder
    retention: ChangeRetention

    def tasks(self) -> Iterator[tuple[str, Work]]:
        """Yield the task that deletes old changes."""
        yield "changes_retention", self.retention.run

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
    yield Changes(
        log,
        feed,
        ChangeRecorder(database, store, edits, clock),
        ChangeRetention(settings.changes_retention_days, log, clock),
    )
    current = CurrentChanges(log, feed, store, edits, clock)
    editions = Editions(store, edits, settings.public_url)
    yield open_followers(settings, database, clock, current, editions)
    yield log
    yield ContractPart(error_examples={410: CursorExpired(Cursor("0a1b2c3d", 152))})
    if settings.changes_webhook_url:
        yield WebhookReceivers("changes")


def install(app: Quart) -> None:
    """Add the headers for CDNs and the key file of IndexNow, if the settings ask for them."""
    settings = services_of(app).settings.of(ChangeSettings)
    response_headers.install(app, settings.cdn)
    indexnow_routes.install(app, settings.indexnow_key)


def receivers(settings: ChangeSettings) -> Iterator[Receiver]:
    """Yield the receivers of changes and of purges."""
    for url in settings.change_webhooks:
        yield Receiver("CHANGES_WEBHOOK_URL", url, not settings.changes_webhook_secret)
    if settings.indexnow_key:
        yield Receiver("INDEXNOW_URL", settings.indexnow_url)
    if url := settings.cdn_purge_url:
        yield Receiver("CDN_PURGE_URL", url, not settings.cdn_purge_secret)
