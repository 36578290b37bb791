"""The partner service: tokens, orders, and the dispatcher of pushed orders."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from app.features.orders.partner.errors import NotConfigured
from app.features.orders.partner.tokens import ApiTokens
from app.features.orders.store import OrderStore
from app.platform.clock import Clock
from app.platform.database.database import Database
from app.platform.deliveries.delivery import DeliveryKind
from app.platform.deliveries.dispatcher import Dispatcher
from app.platform.deliveries.outbox import DatabaseClock, Outbox
from app.platform.deliveries.webhook import WebhookSender
from app.platform.observability.metrics import Sample
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
