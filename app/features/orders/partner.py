"""The partner interface: its orders and their dispatcher, and the layer that authenticates."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Self

from quart import Quart

from app.feature import Receiver
from app.features.orders import partner_access
from app.features.orders.order import Order
from app.features.orders.settings import PartnerSettings
from app.features.orders.store import OrderStore
from app.platform.asgi.scope import HTTPApp, HTTPScope, Receive, Send
from app.platform.clock import Clock
from app.platform.concurrency.background import Component, Work
from app.platform.database.database import Database
from app.platform.deliveries.delivery import DeliveryKind, Message
from app.platform.deliveries.dispatcher import Dispatcher
from app.platform.deliveries.http_client import WebhookSender
from app.platform.deliveries.outbox import DatabaseClock, Outbox
from app.platform.observability.metrics import Sample
from app.services import Services, services_of
from app.web.extensions import AddedLayer, ContractPart, WebhookReceivers
from app.web.http.request_context import RequestContext, current_request
from app.web.http.route_policy import RoutePolicy
from app.web.pipeline import PipelineLayer
from app.web.pipeline.rate_limits import Limits, add_to_response
from knowledge.fields.content_types import PRODUCT
from knowledge.resources.base import Resource

log = logging.getLogger(__name__)

ORDER = DeliveryKind("order")


@dataclass(frozen=True)
class PartnerService(Component):
    """Dependencies of the partner endpoints; `webhook` is None if no webhook is configured."""

    tokens: partner_access.ApiTokens
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
            raise partner_access.NotConfigured("The webhook for orders", "ERP_WEBHOOK_URL")
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
        tokens=partner_access.ApiTokens.of(settings.partner_tokens),
        orders=OrderStore(database, clock),
        webhook=Dispatcher(outbox, ORDER, WebhookSender(url, secret), clock) if url else None,
        signs=bool(url and secret),
    )


def receivers(settings: PartnerSettings) -> Iterator[Receiver]:
    """Yield the receiver of orders, if there is one."""
    if url := settings.erp_webhook_url:
        yield Receiver("ERP_WEBHOOK_URL", url, not settings.erp_webhook_secret)


_TOKEN_HEADER = partner_access.TOKEN_HEADER.lower().encode()


class PartnerAccess(PipelineLayer):
    """ASGI middleware that requires a partner token for secured routes."""

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        super().__init__(app, quart)
        services = services_of(quart)
        self._tokens = services.part(PartnerService).tokens
        self._limiter = services.limiter
        self._metrics = services.metrics

    @classmethod
    def concerns(cls, policy: RoutePolicy, *, is_valid: bool) -> bool:
        """Return whether the policy is that of a secured route."""
        return policy.secured

    def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on if its token is valid and below the limit, or no route matches it."""
        app = self._authorized if current_request.get().route.rule else self._app
        return app(scope, receive, send)

    async def _authorized(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        context = current_request.get()
        count = await self._limiter.hit(
            partner_access.PARTNERS, await self._authenticate(scope, context)
        )
        add_to_response(context, count)
        await self._app(scope, receive, send)

    async def _authenticate(self, scope: HTTPScope, context: RequestContext) -> str:
        """Return the partner's identifier; raises NotConfigured, Unauthorized and LockedOut."""
        if not self._tokens.digests:
            raise partner_access.NotConfigured("The partner interface", "ERP_PULL_API_TOKEN")
        sent = _sent_tokens(scope)
        if not sent:
            raise partner_access.Unauthorized
        partner = self._tokens.authenticate(sent)
        if partner is None:
            await partner_access.count_invalid(self._limiter, self._metrics, context.client, sent)
            is_ambiguous = len(set(sent)) > 1
            raise partner_access.Unauthorized(
                "The request has several different tokens."
                if is_ambiguous
                else "The partner token is not valid."
            )
        return partner


def _sent_tokens(scope: HTTPScope) -> list[str]:
    def values(wanted: bytes) -> list[str]:
        return [value.decode("latin-1") for name, value in scope["headers"] if name == wanted]

    bearers = map(partner_access.bearer_token, values(b"authorization"))
    plain = (value.strip() for value in values(_TOKEN_HEADER))
    return [token for token in (*bearers, *plain) if token]


_INTRODUCTION = """\
`/api/orders`, `/api/products` and
`/api/erp/orders` are for approved partners and require a token that the operator issues."""
_TAGS = ("erp-orders", "erp-products", "erp-pushes", "erp-status")


def open_parts(services: Services) -> Iterable[object]:
    """Return the partner service of an application, its access checks and its contract."""
    settings = services.settings.of(PartnerSettings)
    partner_access.init_metrics(services.metrics)
    partner = open_partner(settings, services.database, services.clock)
    yield partner
    yield AddedLayer(PartnerAccess, inside=Limits)
    yield ContractPart(
        error_examples={401: partner_access.Unauthorized()},
        buckets=(partner_access.PARTNERS,),
        apis={"/api/erp": "/api/erp/status"},
        security_schemes=partner_access.SECURITY_SCHEMES,
        introduction=_INTRODUCTION,
        own_tags=_TAGS,
        is_useful=lambda snapshot: partner.is_configured or snapshot.has(PRODUCT),
    )
    if settings.erp_webhook_url:
        yield WebhookReceivers("orders")


class OrderData(Resource):
    """The payload of the event."""

    order: Order
    """The order."""


class OrderPushed(Resource):
    """The body of a webhook; `timestamp` is when this revision of the order was stored."""

    type: Literal["order.pushed"] = "order.pushed"
    """Type of the event."""
    timestamp: datetime
    """When this revision of the order was stored."""
    data: OrderData
    """What the event is about."""


def event(order: Order) -> OrderPushed:
    """Return the event of an order; equal revisions give equal events."""
    return OrderPushed(timestamp=order.updated_at, data=OrderData(order=order))


def body_of(order: Order) -> bytes:
    """Return the bytes of the event, as previewed, stored, signed and sent."""
    return event(order).model_dump_json().encode()


def message_of(order: Order) -> Message:
    """Return the message of an order; pushes of one revision join while it is pending."""
    return Message(
        kind=ORDER,
        subject_id=str(order.id),
        subject=order.number,
        revision=order.revision,
        body=body_of(order),
    )
