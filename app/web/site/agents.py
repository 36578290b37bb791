"""The skill of the site, for agents."""

from __future__ import annotations

from quart import Blueprint, Response

from app.services import services
from app.web.http import parameters
from app.web.http.responses import represent
from app.web.http.route_policy import MAP, policy
from app.web.site.errors import or_404
from knowledge.resources.site_map import site_map
from llms import skill
from llms.mcp_server import McpServer
from llms.skill import Skill

routes = Blueprint("agents", __name__)


@routes.get(skill.INDEX_PATH)
@policy(MAP)
def get_skills() -> Response:
    """Get the index of agent skills (Agent Skills Discovery 0.2.0)."""
    return represent(skill.render_index(current_skill(), services().settings.public_url))


@routes.get(skill.skill_path("<name>"))
@policy(MAP)
def get_skill(name: str) -> Response:
    """Get the agent skill of the site: how to find, read and cite what it publishes."""
    current = current_skill()
    return represent(skill.render_skill(or_404(current if current.name == name else None)))


def current_skill() -> Skill:
    """Return the skill of the site as it is now."""
    view = parameters.main_view()
    pages = site_map(view.snapshot, view.now)
    return skill.site_skill(view, pages, services().find(McpServer))
