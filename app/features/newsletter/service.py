"""The newsletter of an application: its mails and links, its store, and what expires."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, Policy

from app.features.newsletter.settings import NewsletterSettings
from app.features.newsletter.store import NEWSLETTER, VALID, Subscriber, SubscriberStore
from app.platform.clock import Clock
from app.platform.concurrency.background import Work
from app.platform.database.seen_clock import hourly
from app.platform.deliveries import smtp
from app.platform.deliveries.delivery import AttemptResult, Delivery
from app.platform.deliveries.dispatcher import Dispatcher, DispatcherGroup
from app.platform.deliveries.outbox import DatabaseClock, Outbox
from app.platform.keys import KeyFile, ProcessKey, signature
from app.platform.limits.rate_limits import Bucket
from app.services import Services
from app.web.extensions import ContractPart
from knowledge.diagnostics.messages import mark as _
from knowledge.locales.locale import Locale, localized_text
from knowledge.resources.forms import site_form
from knowledge.resources.site_chrome import brand
from knowledge.snapshot.snapshot import NO_DOCUMENTS
from knowledge.views.content_view import ContentView
from renderers.l10n.translation import translate


class _OneLine(UnstructuredHeader):
    """A header in one line: folded, a long URL would become encoded words (RFC 2047)."""

    name: str

    def fold(self, *, policy: Policy) -> str:
        """Return the line."""
        return f"{self.name}: {self}{policy.linesep}"


_HEADERS = HeaderRegistry()
_HEADERS.map_to_type("list-unsubscribe", _OneLine)  # type: ignore[arg-type]  # as it does itself
_POLICY = SMTP.clone(header_factory=_HEADERS)

_PENDING = _("Please confirm: %(title)s", "mail")
_CONFIRM = _(
    "Somebody, we hope you, has asked for “%(title)s” of %(site)s at this address. To confirm it,"
    " open this page and press the button:",
    "mail",
)
_OTHERWISE = _(
    "The link is valid for two days. If it was not you, do nothing: you get no “%(title)s”, and"
    " the address is deleted.",
    "mail",
)
_SUBSCRIBED = _("You are subscribed: %(title)s", "mail")
_CANCEL = _(
    "This address gets “%(title)s” of %(site)s. To unsubscribe, now or later, open this page and"
    " press the button:",
    "mail",
)


@dataclass(frozen=True, slots=True)
class SubscriberMailSender:
    """Sends what the outbox has for subscribers; `view` is the site as a locale sees it."""

    store: SubscriberStore
    server: smtp.SmtpServer
    sender: str
    links: SubscriberLinks
    view: Callable[[Locale], ContentView]

    async def aclose(self) -> None:
        """Do nothing: each mail has a connection of its own."""

    async def send(self, delivery: Delivery, _at: datetime) -> AttemptResult:
        """Send once; raises StoreUnavailable, so that it is sent when its lease has expired."""
        subscriber = await self.store.get(delivery.body.decode())
        to = smtp.mail_address(subscriber.email) if subscriber else None
        if subscriber is None or to is None:
            return AttemptResult(error="the address is no longer on the list", final=True)
        return await smtp.send_mail(self.server, self.mail(delivery, subscriber, to), to)

    def mail(self, delivery: Delivery, subscriber: Subscriber, to: str) -> EmailMessage:
        """Return the mail, which asks to confirm the address or says how to unsubscribe."""
        view, language = self.view(subscriber.locale), subscriber.locale.language
        asked, site = site_form(view, subscriber.form), brand(view)
        cancellation = self.links.cancellation(subscriber)
        title = localized_text(asked.title, language) if asked else subscriber.form
        mail = smtp.new_mail(delivery, Address(site, addr_spec=self.sender), to, _POLICY)
        mail["List-Unsubscribe"] = f"<{cancellation}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"  # RFC 8058
        if subscriber.confirmed_at is None:
            url, lines = self.links.confirmation(subscriber), [_PENDING, _CONFIRM, _OTHERWISE]
        else:
            url, lines = cancellation, [_SUBSCRIBED, _CANCEL]
        subject, before, *after = (
            translate(line, language, title=title, site=site) for line in lines
        )
        mail["Subject"] = subject
        mail.set_content("\n\n".join([before, url, *after]))
        return mail


_CONFIRMATION = b"majlis newsletter confirmation 1\n"
_CANCELLATION = b"majlis newsletter cancellation 1\n"
"""Signed too, so that no link is the other one."""


@dataclass(frozen=True, slots=True)
class SubscriberLinks:
    """Makes and reads the links below a URL with a key."""

    key: Callable[[], bytes]
    base_url: str

    def confirmation(self, subscriber: Subscriber) -> str:
        """Return the URL that asks whether to confirm an address, for a limited time."""
        until = (subscriber.mailed_at or subscriber.requested_at) + VALID
        token = self._token(_CONFIRMATION, f"{subscriber.id}.{until.timestamp():.0f}")
        return f"{self.base_url}{subscriber.locale.path}/confirm-subscription/{token}"

    def cancellation(self, subscriber: Subscriber) -> str:
        """Return the URL that asks whether to unsubscribe; it stays valid."""
        token = self._token(_CANCELLATION, subscriber.id)
        return f"{self.base_url}{subscriber.locale.path}/unsubscribe/{token}"

    def confirmed(self, token: str, now: datetime) -> str | None:
        """Return the ID of the subscriber of a confirmation; None if it is not valid."""
        subscriber_id, _, until = self._signed(_CONFIRMATION, token).partition(".")
        return subscriber_id if until and now.timestamp() < int(until) else None

    def cancelled(self, token: str) -> str | None:
        """Return the ID of the subscriber of a cancellation; None if it is not valid."""
        return self._signed(_CANCELLATION, token) or None

    def _token(self, purpose: bytes, signed: str) -> str:
        return f"{signed}.{signature(self.key(), purpose, signed)}"

    def _signed(self, purpose: bytes, token: str) -> str:
        """Return what a token signs, `""` if it does not."""
        signed, _, sent = token.rpartition(".")
        expected = signature(self.key(), purpose, signed)
        return signed if hmac.compare_digest(sent.encode(), expected.encode()) else ""


NEWSLETTER_BUCKET = Bucket("newsletter", 12, 600, "Requests for a newsletter", patience_seconds=1.0)


@dataclass(frozen=True)
class Newsletter(DispatcherGroup):
    """What enters subscribers, and mails them."""

    store: SubscriberStore
    links: SubscriberLinks
    expiration: Work
    clock: Clock
    share: Bucket
    """The requests of one network, and of all without the token of the form."""

    def tasks_of_one_process(self) -> Iterator[tuple[str, Work]]:
        """Yield the task that deletes what nobody has confirmed."""
        yield "newsletter_requests", self.expiration


def open_parts(services: Services) -> Iterable[object]:
    """Return the newsletter of an application, and its limit in the manual."""
    settings, clock = services.settings.of(NewsletterSettings), services.clock
    outbox = Outbox(services.database, DatabaseClock(clock))
    store = SubscriberStore(services.database, outbox)
    links = SubscriberLinks(ProcessKey(KeyFile(settings.newsletter_key_file)), settings.public_url)

    def view(locale: Locale) -> ContentView:
        content = services.content_store
        snapshot = content.current.snapshot if content.loaded else NO_DOCUMENTS
        return ContentView(snapshot, locale, clock(), settings.public_url)

    server = smtp.parse_smtp_url(settings.smtp_url)
    sender = SubscriberMailSender(store, server, settings.newsletter_sender, links, view)
    dispatcher = Dispatcher(outbox, NEWSLETTER, sender, clock)
    share = Bucket(
        "newsletter-network",
        settings.newsletter_per_network,
        3_600,
        "Requests for a newsletter from one network, in addition",
        is_additional=True,
        patience_seconds=1.0,
    )
    expiration = hourly(
        services.database,
        clock,
        lambda: store.purge(clock() - VALID),
        "requests for a newsletter",
    )
    yield Newsletter((dispatcher,), (), store, links, expiration, clock, share)
    yield ContractPart(buckets=(NEWSLETTER_BUCKET, share))
