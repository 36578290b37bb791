"""The service of notifications: receivers from the settings, and the dispatchers of their kinds."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from dotenv import dotenv_values

from app.clock import Clock
from app.concurrency.background import Work
from app.database.database import Database
from app.deliveries.delivery import DeliveryKind
from app.deliveries.dispatcher import Dispatcher
from app.deliveries.outbox import Outbox
from app.deliveries.smtp import parse_smtp_url
from app.leads.digests import QuarantineDigests
from app.leads.lead_mapping import LeadMapping, read_mapping
from app.leads.notices import LeadNotifier, Receiver
from app.leads.store import LeadStore
from app.notifications.mail import MailSender, recipient_id
from app.notifications.mail_text import MailTexts
from app.notifications.webhook import LeadWebhookSender
from app.observability.metrics import Sample
from app.settings import Settings
from knowledge.locale import Language

log = logging.getLogger(__name__)

_WEBHOOK = "webhook"


@dataclass(frozen=True, slots=True)
class NotificationService:
    """Whom to tell of leads; empty unless a variable names somebody."""

    dispatchers: tuple[Dispatcher, ...]
    digests: QuarantineDigests | None
    is_unsigned: bool

    async def __aenter__(self) -> Self:
        if self.is_unsigned:
            log.warning("LEADS_WEBHOOK_SECRET is not set; leads are sent without a signature.")
        return self

    async def __aexit__(self, *_: object) -> None:
        for dispatcher in self.dispatchers:
            await dispatcher.aclose()

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the metrics of attempts."""
        for dispatcher in self.dispatchers:
            yield from dispatcher.metrics_samples()

    def background_tasks(self) -> Iterator[tuple[str, Work]]:
        """Yield the background tasks by name."""
        for dispatcher in self.dispatchers:
            yield f"deliver_{dispatcher.kind}", dispatcher.run
        if self.digests:
            yield "quarantine_digests", self.digests.run


def lead_store(settings: Settings, database: Database, outbox: Outbox) -> LeadStore:
    """Return the store of leads, which tells the receivers of the settings, if there are any."""
    return LeadStore(database, _notifier(settings, outbox))


def open_notifications(
    settings: Settings, database: Database, outbox: Outbox, store: LeadStore, clock: Clock
) -> NotificationService:
    """Build the service from the settings."""
    dispatchers: list[Dispatcher] = []
    if settings.leads_webhook_url:
        webhook = _webhook(settings, store)
        dispatchers.append(Dispatcher(outbox, DeliveryKind.LEAD, webhook, clock))
    if settings.lead_recipients:
        dispatchers.append(Dispatcher(outbox, DeliveryKind.MAIL, _mail(settings, store), clock))
    notifier = _notifier(settings, outbox)
    return NotificationService(
        tuple(dispatchers),
        QuarantineDigests(database, notifier, clock) if notifier else None,
        is_unsigned=bool(settings.leads_webhook_url and not settings.leads_webhook_secret)
        and settings.leads_mapping is None,
    )


def _receivers(settings: Settings) -> Iterator[Receiver]:
    if settings.leads_webhook_url:
        yield Receiver(DeliveryKind.LEAD, _WEBHOOK, gets_digests=settings.leads_mapping is None)
    for address in settings.lead_recipients:
        yield Receiver(DeliveryKind.MAIL, recipient_id(address))


def _notifier(settings: Settings, outbox: Outbox) -> LeadNotifier | None:
    receivers = tuple(_receivers(settings))
    return LeadNotifier(outbox, receivers) if receivers else None


def mapping_of(settings: Settings) -> LeadMapping | None:
    """Return the mapping of leads for a CRM, if there is one; raises InvalidMapping."""
    if settings.leads_mapping is None:
        return None
    variables = {name: value or "" for name, value in dotenv_values(".env").items()}
    return read_mapping(settings.leads_mapping, {**variables, **os.environ})


def _webhook(settings: Settings, store: LeadStore) -> LeadWebhookSender:
    url, secret = settings.leads_webhook_url, settings.leads_webhook_secret
    return LeadWebhookSender(store, url, secret, mapping_of(settings))


def _mail(settings: Settings, store: LeadStore) -> MailSender:
    language = Language(settings.leads_email_language)
    texts = MailTexts(settings.lead_sender, language, settings.public_url)
    server = parse_smtp_url(settings.smtp_url)
    return MailSender(store, server, settings.lead_recipients, texts)
