"""Routes of MCP: its messages, which the pipeline answers before the handler, and its discovery."""

from typing import NoReturn

from quart import Blueprint, Response

from app.features.mcp.server import ENDPOINT
from app.platform.asgi.caching import Caching
from app.services import services
from app.web.http import parameters
from app.web.http.origins import CallerRules
from app.web.http.parameters import LOCALE
from app.web.http.responses import represent
from app.web.http.route_policy import MAP, MCP_FORM, Cors, RoutePolicy, policy
from app.web.site.discovery import current_skill
from knowledge.resources.site_map import site_map
from llms import mcp_server, well_known
from llms.mcp_server import McpServer

METHODS = ("POST", "OPTIONS", "GET", "HEAD", "PUT", "PATCH", "DELETE")
"""Also those that are refused, so that none of them is read as the address of a page."""

routes = Blueprint("mcp", __name__)

MCP = RoutePolicy(
    cors=Cors.ALLOWED_IF_SENT,
    allows_origin=lambda services, headers: services.part(CallerRules).allow_origin(headers),
    cacheable=False,
    parameters_of=lambda: LOCALE,
    message_form=MCP_FORM,
)


@routes.route(ENDPOINT, methods=METHODS, provide_automatic_options=False)
@policy(MCP)
async def post_mcp() -> NoReturn:
    """Answer a message of the Model Context Protocol."""
    raise NotImplementedError


@routes.get(well_known.PATH)
@policy(MAP)
def get_ai_catalog() -> Response:
    """Get what the site has for agents (AI Catalog 1.0, Agentic Resource Discovery 0.9)."""
    view = parameters.main_view()
    pages = site_map(view.snapshot, view.now)
    return represent(well_known.render(view, pages, services().part(McpServer), current_skill()))


@routes.get(mcp_server.card_path(ENDPOINT))
@routes.get("/.well-known/mcp/server-card.json")
@routes.get("/.well-known/mcp.json")
@routes.get("/.well-known/mcp")
@policy(MAP)
def get_server_card() -> Response:
    """Get how to connect to the MCP server; scanners look at the well-known paths."""
    return represent(
        mcp_server.render_card(parameters.main_view(), services().part(McpServer)), Caching.HOUR
    )
