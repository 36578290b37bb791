"""The partner service: tokens, orders, and the dispatcher of pushed orders."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from app.features.feature import Receiver
from app.features.orders.partner.errors import NotConfigured
from app.features.orders.partner.tokens import ApiTokens
from app.features.orders.settings import PartnerSettings
from app.features.orders.store import OrderStore
from app.features.orders.webhook import ORDER
from app.platform.clock import Clock
from app.platform.component import Component
from app.platform.concurrency.background import Work
from app.platform.database.database import Database
from app.platform.deliveries.dispatcher import Dispatcher
from app.platform.deliveries.outbox import DatabaseClock, Outbox
from app.platform.deliveries.webhook import WebhookSender
from app.platform.observability.metrics import Sample
from app.web.extensions import PartnerInterface

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PartnerService(Component, PartnerInterface):
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

    def tasks(self) -> Iterator[tuple[str, Work]]:
        """Yield the task that sends due deliveries."""
        if self.webhook:
            yield "deliver", self.webhook.run

    @property
    def is_configured(self) -> bool:
        """Whether there is a token or a webhook."""
        return bool(self.tokens.digests) or self.webhook is not None


def open_partner(settings: PartnerSettings, database: Database, clock: Clock) -> PartnerService:
    """Build the partner service from the settings."""
    url, secret = settings.erp_webhook_url, settings.erp_webhook_secret
    outbox = Outbox(database, DatabaseClock(clock))
    return PartnerService(
        tokens=ApiTokens.of(settings.partner_tokens),
        orders=OrderStore(database, clock),
        webhook=Dispatcher(outbox, ORDER, WebhookSender(url, secret), clock) if url else None,
        signs=bool(url and secret),
    )


def receivers(settings: PartnerSettings) -> Iterator[Receiver]:
    """Yield the receiver of orders, if there is one."""
    if url := settings.erp_webhook_url:
        yield Receiver("ERP_WEBHOOK_URL", url, not settings.erp_webhook_secret)
