"""The route of MCP; the pipeline answers its messages before they reach the handler."""

from __future__ import annotations

from typing import NoReturn

from quart import Blueprint

from app.features.mcp.server import ENDPOINT
from app.platform.asgi.scope import RequestHeaders
from app.services import Services
from app.web.http.origins import CallerRules
from app.web.http.parameters import LOCALE
from app.web.http.route_policy import Cors, Form, RoutePolicy, policy

METHODS = ("POST", "OPTIONS", "GET", "HEAD", "PUT", "PATCH", "DELETE")
"""Also those that are refused, so that none of them is read as the address of a page."""

routes = Blueprint("mcp", __name__)


def _may_call(services: Services, headers: RequestHeaders) -> bool:
    return services.part(CallerRules).allow_origin(headers)


MCP = RoutePolicy(
    cors=Cors.ALLOWED_IF_SENT,
    allows_origin=_may_call,
    cacheable=False,
    parameters_of=lambda: LOCALE,
    message_form=Form.MCP,
)


@routes.route(ENDPOINT, methods=METHODS, provide_automatic_options=False)
@policy(MCP)
async def post_mcp() -> NoReturn:
    """Answer a message of the Model Context Protocol."""
    raise NotImplementedError
