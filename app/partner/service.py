"""The partner service: tokens, orders, and the webhook dispatcher."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from app.clock import Clock
from app.database.database import Database
from app.database.polled_samples import PolledSamples
from app.deliveries.dispatcher import WebhookDispatcher
from app.deliveries.outbox import DatabaseClock, Outbox
from app.deliveries.sender import Sender
from app.observability.metrics import Sample
from app.orders.store import OrderStore
from app.partner.errors import NotConfigured
from app.partner.tokens import ApiTokens
from app.settings import Settings


@dataclass(frozen=True, slots=True)
class PartnerService:
    """Dependencies of the partner endpoints; `webhook` is None if no webhook is configured."""

    tokens: ApiTokens
    orders: OrderStore
    webhook: WebhookDispatcher | None
    outbox_metrics: PolledSamples
    signs: bool

    @property
    def dispatcher(self) -> WebhookDispatcher:
        """The webhook dispatcher; raises NotConfigured if there is none."""
        if self.webhook is None:
            raise NotConfigured("The webhook for orders", "ERP_WEBHOOK_URL")
        return self.webhook

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the metrics of deliveries and attempts."""
        yield from self.outbox_metrics.metrics_samples()
        if self.webhook:
            yield from self.webhook.metrics_samples()

    async def deliver(self, stop: asyncio.Event) -> None:
        """Send due deliveries until `stop` is set; return at once without a webhook."""
        if self.webhook:
            await self.webhook.run(stop)


def open_partner(settings: Settings, database: Database, clock: Clock) -> PartnerService:
    """Build the partner service from the settings."""
    url, secret = settings.erp_webhook_url, settings.erp_webhook_secret
    outbox = Outbox(database, DatabaseClock(clock))
    return PartnerService(
        tokens=ApiTokens.of(settings.partner_tokens),
        orders=OrderStore(database, clock),
        webhook=WebhookDispatcher(outbox, Sender(url, secret), clock) if url else None,
        outbox_metrics=PolledSamples(partial(outbox.samples, clock)),
        signs=bool(url and secret),
    )
