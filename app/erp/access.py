"""Authentication and rate limit of partner endpoints; both precede all other checks."""

from __future__ import annotations

from typing import cast

from hypercorn.typing import Scope
from quart import Blueprint, Response, g, request

from app.asgi.caching import keep_private
from app.http.request_client import client_of_request
from app.limits.middleware import RateLimited, rate_headers
from app.limits.rate_limits import PARTNERS
from app.partner.errors import NotConfigured, Unauthorized
from app.partner.lock_out import count_invalid
from app.partner.tokens import TOKEN_HEADER, bearer_token
from app.services import services


def require_partner(routes: Blueprint) -> None:
    """Require a partner token for a blueprint and keep its responses out of the shared cache."""
    routes.before_request(_authorize)
    routes.after_request(_add_rate_headers)


async def _authorize() -> None:
    keep_private(cast(Scope, request.scope))
    partner = await _authenticate()
    g.partner_count = await services().limiter.hit(PARTNERS, partner)
    if g.partner_count.is_over:
        raise RateLimited(g.partner_count)


async def _authenticate() -> str:
    """Return the identifier of the partner; raises NotConfigured, Unauthorized and LockedOut."""
    app_services = services()
    tokens = app_services.partner.tokens
    if not tokens.digests:
        raise NotConfigured("The partner interface", "ERP_PULL_API_TOKEN")
    sent = _sent_tokens()
    if not sent:
        raise Unauthorized
    partner = tokens.authenticate(sent)
    if partner is None:
        limiter, metrics = app_services.limiter, app_services.metrics
        await count_invalid(limiter, metrics, client_of_request(), sent)
        raise Unauthorized(_problem(sent))
    return partner


def _sent_tokens() -> list[str]:
    bearers = map(bearer_token, request.headers.getlist("Authorization"))
    plain = (value.strip() for value in request.headers.getlist(TOKEN_HEADER))
    return [token for token in (*bearers, *plain) if token]


def _problem(sent: list[str]) -> str:
    if len(set(sent)) > 1:
        return "The request has several different tokens."
    return "The partner token is not valid."


async def _add_rate_headers(response: Response) -> Response:
    count = g.get("partner_count")
    if count is not None:
        for name, value in rate_headers(count):
            response.headers[name.decode()] = value.decode()
    return response
