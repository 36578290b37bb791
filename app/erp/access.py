"""Access: who may use a partner endpoint, and how often. It is decided before anything else."""

from __future__ import annotations

from typing import cast

from hypercorn.typing import Scope
from quart import Blueprint, Response, g, request

from app.asgi.caching import keep_private
from app.http.client_address import client_of_request
from app.limits.bucket import PARTNERS
from app.limits.middleware import RateLimited, rate_headers
from app.partner.errors import NotConfigured, Unauthorized
from app.partner.lock_out import LockOut
from app.partner.tokens import TOKEN_HEADER, bearer_token
from app.services import services


def require_partner(routes: Blueprint) -> None:
    """Let only partners in; the response cache gives their answers to nobody else."""
    routes.before_request(_authorize)
    routes.after_request(_tell_count)


async def _authorize() -> None:
    keep_private(cast(Scope, request.scope))
    authenticate = await _holder()
    g.partner_count = await services().limiter.hit(PARTNERS, authenticate)
    if g.partner_count.is_over:
        raise RateLimited(g.partner_count)


async def _holder() -> str:
    """Whose token came; raises the reason why the request may not go on."""
    at = services()
    if not at.partner.tokens.digests:
        raise NotConfigured("The partner interface", "ERP_PULL_API_TOKEN")
    sent = _sent_tokens()
    if not sent:
        raise Unauthorized
    authenticate = at.partner.tokens.authenticate(sent)
    if authenticate is None:
        await LockOut(at.limiter, at.metrics).note(client_of_request(), sent)
        raise Unauthorized(_problem(sent))
    return authenticate


def _sent_tokens() -> list[str]:
    bearers = map(bearer_token, request.headers.getlist("Authorization"))
    own = (each.strip() for each in request.headers.getlist(TOKEN_HEADER))
    return [token for token in (*bearers, *own) if token]


def _problem(sent: list[str]) -> str:
    if len(set(sent)) > 1:
        return "Different tokens came in one request."
    return "The partner token is not valid."


async def _tell_count(response: Response) -> Response:
    count = g.get("partner_count")
    if count is not None:
        for name, value in rate_headers(count):
            response.headers[name.decode()] = value.decode()
    return response
