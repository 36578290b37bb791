"""The partner service: tokens, orders, and the dispatcher of pushed orders."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from app.clock import Clock
from app.database.database import Database
from app.deliveries.delivery import DeliveryKind
from app.deliveries.dispatcher import Dispatcher
from app.deliveries.outbox import DatabaseClock, Outbox
from app.deliveries.webhook import WebhookSender
from app.observability.metrics import Sample
from app.orders.store import OrderStore
from app.partner.errors import NotConfigured
from app.partner.tokens import ApiTokens
from app.settings import Settings

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PartnerService:
    """Dependencies of the partner endpoints; `webhook` is None if no webhook is configured."""

    tokens: ApiTokens
    orders: OrderStore
    webhook: Dispatcher | None
    signs: bool

    async def __aenter__(self) -> Self:
        if self.webhook and not self.signs:
            log.warning("ERP_WEBHOOK_SECRET is not set; orders are pushed without a signature.")
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.webhook:
            await self.webhook.aclose()

    @property
    def dispatcher(self) -> Dispatcher:
        """The dispatcher of orders; raises NotConfigured if there is none."""
        if self.webhook is None:
            raise NotConfigured("The webhook for orders", "ERP_WEBHOOK_URL")
        return self.webhook

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the metrics of attempts."""
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
        webhook=Dispatcher(outbox, DeliveryKind.ORDER, WebhookSender(url, secret), clock)
        if url
        else None,
        signs=bool(url and secret),
    )
