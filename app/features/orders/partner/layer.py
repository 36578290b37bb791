"""Partner access: authentication and rate limit of secured routes, before all other checks."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable

from quart import Quart

from app.features.orders.partner.errors import NotConfigured, Unauthorized
from app.features.orders.partner.security_schemes import SECURITY_SCHEMES
from app.features.orders.partner.service import PartnerService, open_partner
from app.features.orders.partner.tokens import (
    TOKEN_HEADER,
    bearer_token,
    count_invalid,
    init_metrics,
)
from app.features.orders.settings import PartnerSettings
from app.platform.asgi.scope import HTTPApp, HTTPScope, Receive, Send
from app.platform.limits.rate_limits import PARTNERS
from app.services import Services, services_of
from app.web.extensions import AddedLayer, ContractPart, WebhookReceivers
from app.web.http.request_context import RequestContext, current_request
from app.web.http.route_policy import RoutePolicy
from app.web.pipeline.layer import Layer
from app.web.pipeline.rate_limits import Limits, add_to_response

_TOKEN_HEADER = TOKEN_HEADER.lower().encode()


class PartnerAccess(Layer):
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
        count = await self._limiter.hit(PARTNERS, await self._authenticate(scope, context))
        add_to_response(context, count)
        await self._app(scope, receive, send)

    async def _authenticate(self, scope: HTTPScope, context: RequestContext) -> str:
        """Return the partner's identifier; raises NotConfigured, Unauthorized and LockedOut."""
        if not self._tokens.digests:
            raise NotConfigured("The partner interface", "ERP_PULL_API_TOKEN")
        sent = _sent_tokens(scope)
        if not sent:
            raise Unauthorized
        partner = self._tokens.authenticate(sent)
        if partner is None:
            await count_invalid(self._limiter, self._metrics, context.client, sent)
            raise Unauthorized(_problem(sent))
        return partner


def _sent_tokens(scope: HTTPScope) -> list[str]:
    def values(wanted: bytes) -> list[str]:
        return [value.decode("latin-1") for name, value in scope["headers"] if name == wanted]

    bearers = map(bearer_token, values(b"authorization"))
    plain = (value.strip() for value in values(_TOKEN_HEADER))
    return [token for token in (*bearers, *plain) if token]


def _problem(sent: list[str]) -> str:
    if len(set(sent)) > 1:
        return "The request has several different tokens."
    return "The partner token is not valid."


def open_parts(services: Services) -> Iterable[object]:
    """Return the partner service of an application, its access checks and its contract."""
    settings = services.settings.of(PartnerSettings)
    init_metrics(services.metrics)
    yield open_partner(settings, services.database, services.clock)
    yield AddedLayer(PartnerAccess, inside=Limits)
    yield ContractPart(error_examples={401: Unauthorized()}, security_schemes=SECURITY_SCHEMES)
    if settings.erp_webhook_url:
        yield WebhookReceivers("orders")
