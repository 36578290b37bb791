"""Leads of an application: their store, what judges them, who is told, and what expires them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import click

from app.features.feature import Advice, Receiver
from app.features.leads.lead_mapping import InvalidMapping
from app.features.leads.notifications import lead_store, mapping_of, open_notifications
from app.features.leads.outcome import KeyInFlight, KeyReused, init_metrics
from app.features.leads.proofs import Altcha, Proof, Turnstile
from app.features.leads.retention import ANONYMISATION, Identities, Retention
from app.features.leads.settings import LeadSettings
from app.features.leads.spam_history import HourlyLimits, SpamHistory
from app.features.leads.store import LeadStore
from app.features.leads.submission import SpamFilter
from app.platform.concurrency.background import Component, Work
from app.platform.database.periodic_work import PolledSamples
from app.platform.deliveries.outbox import DatabaseClock, Outbox
from app.platform.key_file import KeyFile, ProcessKey
from app.platform.observability.metrics import Sample
from app.services import Services
from app.web.extensions import ContractPart, WebhookReceivers


@dataclass(frozen=True)
class Leads(Component):
    """What accepts leads; `proof` is None if the form asks for none."""

    store: LeadStore
    key: ProcessKey
    spam_filter: SpamFilter
    proof: Proof | None
    expirations: tuple[tuple[str, Retention], ...]
    quarantine: PolledSamples | None

    async def __aexit__(self, *_: object) -> None:
        if self.proof:
            await self.proof.aclose()

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the number of leads in quarantine."""
        if self.quarantine:
            yield from self.quarantine.metrics_samples()

    def tasks(self) -> Iterator[tuple[str, Work]]:
        """Yield the tasks that delete old leads, and anonymise those that are less old."""
        for name, expiration in self.expirations:
            yield name, expiration.run
        if self.quarantine:
            yield "quarantine", self.quarantine.run


def open_parts(services: Services) -> Iterable[object]:
    """Return the leads of an application, who is told of them, and their errors."""
    settings, database, clock = (
        services.settings.of(LeadSettings),
        services.database,
        services.clock,
    )
    init_metrics(services.metrics)
    outbox = Outbox(database, DatabaseClock(clock))
    store = lead_store(settings, database, outbox, services.writer)
    key = ProcessKey(KeyFile(settings.leads_key_file))
    limits = HourlyLimits(settings.leads_per_network, settings.leads_per_hour)
    yield Leads(
        store,
        key,
        SpamFilter(SpamHistory(database), key, limits),
        _proof(settings, key),
        tuple(_expirations(services, store)),
        PolledSamples(store.quarantined_samples) if settings.metrics_port is not None else None,
    )
    yield open_notifications(settings, database, outbox, store, clock)
    yield ContractPart(error_examples={409: KeyInFlight(), 422: KeyReused()})
    if settings.leads_webhook_url:
        yield WebhookReceivers("leads")


def _proof(settings: LeadSettings, key: ProcessKey) -> Proof | None:
    if settings.leads_proof == "altcha":
        return Altcha(key)
    if settings.leads_proof == "turnstile":
        secret, url = settings.turnstile_secret, settings.turnstile_url
        return Turnstile(settings.turnstile_site_key, secret, url)
    return None


def _expirations(services: Services, store: LeadStore) -> Iterator[tuple[str, Retention]]:
    settings, clock = services.settings.of(LeadSettings), services.clock
    if settings.lead_retention_days is not None:
        yield "retention", Retention(settings.lead_retention_days, store, clock)
    if settings.lead_anonymise_days is not None:
        days, identities = settings.lead_anonymise_days, Identities(services.database)
        yield "anonymise", Retention(days, identities, clock, words=ANONYMISATION)


def receivers(settings: LeadSettings) -> Iterator[Receiver]:
    """Yield the receiver of leads and the mail server, if they are set.

    A CRM has its own way of knowing who sends: a header of the mapping.
    """
    if url := settings.leads_webhook_url:
        is_event = settings.leads_mapping is None
        yield Receiver("LEADS_WEBHOOK_URL", url, is_event and not settings.leads_webhook_secret)
    if settings.smtp_url:
        yield Receiver("SMTP_URL", settings.smtp_url)


def advice(settings: LeadSettings) -> Iterator[Advice]:
    """Yield what contradicts itself."""
    expires, anonymises = settings.lead_retention_days, settings.lead_anonymise_days
    if expires and anonymises and anonymises >= expires:
        yield Advice(
            "LEAD_ANONYMISE_DAYS is not shorter than LEAD_RETENTION_DAYS: leads are deleted first.",
            "Set LEAD_ANONYMISE_DAYS to a shorter time, or remove it.",
        )


def check_mapping(settings: LeadSettings) -> None:
    """Refuse to start if a CRM would get nothing, or something else than was meant."""
    try:
        mapping_of(settings)
    except InvalidMapping as error:
        raise click.ClickException(f"LEADS_MAPPING: {error}.") from None
