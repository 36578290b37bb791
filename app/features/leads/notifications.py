"""The service of notifications: receivers from the settings, and the dispatchers of their kinds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from dotenv import dotenv_values

from app.features.leads.lead_mapping import LeadMapping, read_mapping
from app.features.leads.mail_texts import recipient_id
from app.features.leads.notices import LEAD, MAIL, LeadNotifier, NoticeReceiver, QuarantineDigests
from app.features.leads.settings import LeadSettings
from app.features.leads.store import LeadStore
from app.features.leads.webhook_sender import LeadWebhookSender
from app.platform.clock import Clock
from app.platform.concurrency.background import Work
from app.platform.database.database import Database
from app.platform.database.transaction_groups import TransactionGroups
from app.platform.deliveries.delivery import Sender
from app.platform.deliveries.dispatcher import Dispatcher, DispatcherGroup
from app.platform.deliveries.outbox import Outbox
from app.platform.deliveries.smtp_server import parse_smtp_url
from knowledge.locales.locale import Language

_WEBHOOK = "webhook"


@dataclass(frozen=True)
class NotificationService(DispatcherGroup):
    """Whom to tell of leads; empty unless a variable names somebody."""

    digests: QuarantineDigests | None

    def tasks(self) -> Iterator[tuple[str, Work]]:
        """Yield the background tasks by name."""
        yield from DispatcherGroup.tasks(self)
        if self.digests:
            yield "quarantine_digests", self.digests.run


def lead_store(
    settings: LeadSettings,
    database: Database,
    outbox: Outbox,
    writer: TransactionGroups | None = None,
) -> LeadStore:
    """Return the store of leads, which tells the receivers of the settings, if there are any."""
    return LeadStore(database, _notifier(settings, outbox), writer)


def open_notifications(
    settings: LeadSettings, database: Database, outbox: Outbox, store: LeadStore, clock: Clock
) -> NotificationService:
    """Build the service from the settings."""
    dispatchers: list[Dispatcher] = []
    if settings.leads_webhook_url:
        webhook = _webhook(settings, store)
        dispatchers.append(Dispatcher(outbox, LEAD, webhook, clock))
    if settings.lead_recipients:
        dispatchers.append(Dispatcher(outbox, MAIL, _mail(settings, store), clock))
    notifier = _notifier(settings, outbox)
    digests = QuarantineDigests(database, notifier, clock) if notifier else None
    return NotificationService(tuple(dispatchers), tuple(_warnings(settings)), digests)


def _warnings(settings: LeadSettings) -> Iterator[str]:
    is_event = settings.leads_webhook_url and settings.leads_mapping is None
    if is_event and not settings.leads_webhook_secret:
        yield "LEADS_WEBHOOK_SECRET is not set; leads are sent without a signature."


def _receivers(settings: LeadSettings) -> Iterator[NoticeReceiver]:
    if settings.leads_webhook_url:
        yield NoticeReceiver(LEAD, _WEBHOOK, gets_digests=settings.leads_mapping is None)
    for address in settings.lead_recipients:
        yield NoticeReceiver(MAIL, recipient_id(address))


def _notifier(settings: LeadSettings, outbox: Outbox) -> LeadNotifier | None:
    receivers = tuple(_receivers(settings))
    return LeadNotifier(outbox, receivers) if receivers else None


def mapping_of(settings: LeadSettings) -> LeadMapping | None:
    """Return the mapping of leads for a CRM, if there is one; raises InvalidMapping."""
    if settings.leads_mapping is None:
        return None
    variables = {name: value or "" for name, value in dotenv_values(".env").items()}
    return read_mapping(settings.leads_mapping, {**variables, **os.environ})


def _webhook(settings: LeadSettings, store: LeadStore) -> LeadWebhookSender:
    url, secret = settings.leads_webhook_url, settings.leads_webhook_secret
    return LeadWebhookSender(store, url, secret, mapping_of(settings))


def _mail(settings: LeadSettings, store: LeadStore) -> Sender:
    # Few services send mails, and their library takes 10 ms to import.
    from app.features.leads.mail_sender import MailSender  # noqa: PLC0415
    from app.features.leads.mail_texts import MailTexts  # noqa: PLC0415

    language = Language(settings.leads_email_language)
    texts = MailTexts(settings.lead_sender, language, settings.public_url)
    server = parse_smtp_url(settings.smtp_url)
    return MailSender(store, server, settings.lead_recipients, texts)
