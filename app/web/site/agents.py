"""What agents look for: the skill of the site, and how to connect to its MCP server.

`mcp_routes` are those of a site whose MCP server is on; without it, their paths are no resources.
"""

from __future__ import annotations

from quart import Blueprint, Response

from app.features.mcp.facts import running_server
from app.features.mcp.server import ENDPOINT
from app.platform.asgi.caching import Caching
from app.services import services
from app.web.http import parameters
from app.web.http.responses import represent
from app.web.http.route_policy import MAP, policy
from app.web.site.errors import or_404
from knowledge.resources.site_map import site_map
from llms import ai_catalog, server_card, skill
from llms.mcp_server import McpServer
from llms.skill import Skill

routes = Blueprint("agents", __name__)
mcp_routes = Blueprint("mcp_discovery", __name__)


@routes.get(skill.INDEX_PATH)
@policy(MAP)
def get_skills() -> Response:
    """Get the index of agent skills (Agent Skills Discovery 0.2.0)."""
    return represent(skill.render_index(_skill(), services().settings.public_url))


@routes.get(skill.skill_path("<name>"))
@policy(MAP)
def get_skill(name: str) -> Response:
    """Get the agent skill of the site: how to find, read and cite what it publishes."""
    current = _skill()
    return represent(skill.render_skill(or_404(current if current.name == name else None)))


@mcp_routes.get(ai_catalog.PATH)
@policy(MAP)
def get_ai_catalog() -> Response:
    """Get what the site has for agents (AI Catalog 1.0, Agentic Resource Discovery 0.9)."""
    view = parameters.main_view()
    pages = site_map(view.snapshot, view.now)
    return represent(ai_catalog.render(view, pages, _server(), _skill()))


@mcp_routes.get(server_card.card_path(ENDPOINT))
@mcp_routes.get("/.well-known/mcp/server-card.json")
@mcp_routes.get("/.well-known/mcp.json")
@mcp_routes.get("/.well-known/mcp")
@policy(MAP)
def get_server_card() -> Response:
    """Get how to connect to the MCP server; scanners look at the well-known paths."""
    return represent(server_card.render_card(parameters.main_view(), _server()), Caching.HOUR)


def _server() -> McpServer:
    return or_404(running_server(services().settings))


def _skill() -> Skill:
    view = parameters.main_view()
    pages = site_map(view.snapshot, view.now)
    return skill.site_skill(view, pages, running_server(services().settings))
