"""The route of MCP; the pipeline answers its messages before they reach the handler."""

from __future__ import annotations

from typing import NoReturn

from quart import Blueprint

from app.features.mcp.server import ENDPOINT
from app.web.http.route_policy import MCP, policy

METHODS = ("POST", "OPTIONS", "GET", "HEAD", "PUT", "PATCH", "DELETE")
"""Also those that are refused, so that none of them is read as the address of a page."""

routes = Blueprint("mcp", __name__)


@routes.route(ENDPOINT, methods=METHODS, provide_automatic_options=False)
@policy(MCP)
async def post_mcp() -> NoReturn:
    """Answer a message of the Model Context Protocol."""
    raise NotImplementedError
