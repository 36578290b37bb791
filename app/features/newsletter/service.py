"""The newsletter of an application: its store, its links, its mails, and what expires."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from app.features.newsletter.mail import SubscriberLinks, SubscriberMailSender
from app.features.newsletter.settings import NewsletterSettings
from app.features.newsletter.store import NEWSLETTER, VALID, SubscriberStore
from app.platform.clock import Clock
from app.platform.concurrency.background import Work
from app.platform.database.seen_clock import hourly
from app.platform.deliveries.dispatcher import Dispatcher, DispatcherGroup
from app.platform.deliveries.outbox import DatabaseClock, Outbox
from app.platform.deliveries.smtp import parse_smtp_url
from app.platform.keys import KeyFile, ProcessKey
from app.platform.limits.rate_limits import Bucket
from app.services import Services
from app.web.extensions import ContractPart
from knowledge.locales.locale import Locale
from knowledge.snapshot.snapshot import NO_DOCUMENTS
from knowledge.views.content_view import ContentView

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

    server = parse_smtp_url(settings.smtp_url)
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
