"""Leads of an application: their store, what judges them, who is told, and what expires them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

import click
from dotenv import dotenv_values

from app.feature import Advice, Receiver
from app.features.leads.answers import FindForm, answer_texts, no_form
from app.features.leads.intake import KeyInFlight, KeyReused
from app.features.leads.model import Lead, StoredLead
from app.features.leads.notices import LEAD, MAIL, QuarantineDigests, notifier_of
from app.features.leads.proofs import Altcha, Proof, Turnstile
from app.features.leads.retention import ANONYMISATION, DELETION, Identities, Retention
from app.features.leads.settings import LeadSettings
from app.features.leads.spam_filter import HourlyLimits, SpamFilter, SpamHistory
from app.features.leads.store import LeadStore, lead_store
from app.features.leads.submission import LEADS_BUCKET, init_metrics
from app.features.leads.webhook import InvalidMapping, LeadMapping, LeadWebhookSender, read_mapping
from app.platform.clock import Clock
from app.platform.concurrency.background import Component, PolledSamples, Work
from app.platform.database.database import Database
from app.platform.database.seen_clock import hourly
from app.platform.deliveries.delivery import Sender
from app.platform.deliveries.dispatcher import Dispatcher, DispatcherGroup
from app.platform.deliveries.outbox import DatabaseClock, Outbox
from app.platform.deliveries.smtp import parse_smtp_url
from app.platform.keys import KeyFile, ProcessKey
from app.platform.observability.metrics import Sample
from app.services import Services
from app.web.extensions import ContractPart, WebhookReceivers
from knowledge.blocks.form import SiteForm
from knowledge.diagnostics.messages import mark as _
from knowledge.locales.locale import Language
from knowledge.resources.forms import enquiry_form
from knowledge.resources.site import site_settings
from knowledge.resources.site_chrome import brand
from knowledge.views.content_view import ContentView
from renderers.l10n.translation import contact_form, translate


@dataclass(frozen=True)
class Leads(Component):
    """What accepts leads; `proof` is None if the form asks for none."""

    store: LeadStore
    key: ProcessKey
    spam_filter: SpamFilter
    proof: Proof | None
    expirations: tuple[tuple[str, Work], ...]
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
        yield from self.expirations
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
    yield open_notifications(settings, database, outbox, store, clock, _forms(services))
    yield ContractPart(
        error_examples={409: KeyInFlight(), 422: KeyReused()}, buckets=(LEADS_BUCKET,)
    )
    if settings.leads_webhook_url:
        yield WebhookReceivers("leads")


def _forms(services: Services) -> FindForm:
    """Return what finds the form of a lead in the content of the moment."""

    def find(lead: Lead) -> SiteForm | None:
        content = services.content_store
        if not content.loaded:
            return None
        snapshot = content.current.snapshot
        is_open = lead.locale in snapshot.open_locales
        locale = lead.locale if is_open else snapshot.default_locale
        view = ContentView(snapshot, locale, services.clock(), "")
        asked = enquiry_form(view, lead.form) if lead.form else contact_form(view)
        reply_to = site_settings(view).site_settings.primary_email or ""
        return asked and asked.model_copy(update={"site": brand(view), "reply_to": reply_to})

    return find


def _proof(settings: LeadSettings, key: ProcessKey) -> Proof | None:
    if settings.leads_proof == "altcha":
        return Altcha(key)
    if settings.leads_proof == "turnstile":
        secret, url = settings.turnstile_secret, settings.turnstile_url
        return Turnstile(settings.turnstile_site_key, secret, url)
    return None


def _expirations(services: Services, store: LeadStore) -> Iterator[tuple[str, Work]]:
    settings, clock = services.settings.of(LeadSettings), services.clock
    task = partial(hourly, services.database, clock)
    if (days := settings.lead_retention_days) is not None:
        yield "retention", task(Retention(days, store, clock).delete_due, DELETION.what)
    if (days := settings.lead_anonymise_days) is not None:
        retention = Retention(days, Identities(services.database), clock, words=ANONYMISATION)
        yield "anonymise", task(retention.delete_due, ANONYMISATION.what)


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


@dataclass(frozen=True)
class NotificationService(DispatcherGroup):
    """Whom to tell of leads; empty unless a variable names somebody."""

    digests: QuarantineDigests | None

    def tasks(self) -> Iterator[tuple[str, Work]]:
        """Yield the background tasks by name."""
        yield from DispatcherGroup.tasks(self)
        if self.digests:
            yield "quarantine_digests", self.digests.run


def open_notifications(
    settings: LeadSettings,
    database: Database,
    outbox: Outbox,
    store: LeadStore,
    clock: Clock,
    forms: FindForm = no_form,
) -> NotificationService:
    """Build the service from the settings; `forms` has the words of the answers to a form."""
    dispatchers: list[Dispatcher] = []
    warnings: tuple[str, ...] = ()
    if url := settings.leads_webhook_url:
        secret, mapping = settings.leads_webhook_secret, mapping_of(settings)
        webhook = LeadWebhookSender(store, url, secret, mapping, _texts(settings, forms))
        dispatchers.append(Dispatcher(outbox, LEAD, webhook, clock))
        if not secret and mapping is None:
            warnings = ("LEADS_WEBHOOK_SECRET is not set; leads are sent without a signature.",)
    if settings.smtp_url:
        dispatchers.append(Dispatcher(outbox, MAIL, _mail(settings, store, forms), clock))
    notifier = notifier_of(settings, outbox)
    digests = QuarantineDigests(database, notifier, clock) if notifier else None
    return NotificationService(tuple(dispatchers), warnings, digests)


def mapping_of(settings: LeadSettings) -> LeadMapping | None:
    """Return the mapping of leads for a CRM, if there is one; raises InvalidMapping."""
    if settings.leads_mapping is None:
        return None
    variables = {name: value or "" for name, value in dotenv_values(".env").items()}
    return read_mapping(settings.leads_mapping, {**variables, **os.environ})


def _texts(settings: LeadSettings, forms: FindForm) -> Callable[[StoredLead], str]:
    def text(stored: StoredLead) -> str:
        """Return the answers of a lead, one in a line."""
        answers = stored.lead.answers or {}
        language = Language.parse(settings.leads_email_language) or stored.lead.locale.language
        yes = translate(_("Yes"), language)
        lines = answer_texts(answers, forms(stored.lead), language, yes)
        return "\n".join(f"{label}: {each or yes}" for label, each in lines)

    return text


def _mail(settings: LeadSettings, store: LeadStore, forms: FindForm) -> Sender:
    # Few services send mails, and their library takes 10 ms to import.
    from app.features.leads.mail import MailSender, MailTexts  # noqa: PLC0415

    language = Language.parse(settings.leads_email_language)
    names_commands = settings.leads_email_commands == "on"
    texts = MailTexts(settings.lead_sender, language, settings.public_url, forms, names_commands)
    server = parse_smtp_url(settings.smtp_url)
    return MailSender(store, server, settings.lead_recipients, texts)
