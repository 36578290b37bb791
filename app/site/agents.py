"""What agents look for at well-known paths: the skill of the site, and the index of skills."""

from __future__ import annotations

from quart import Blueprint, Response

from app.http import parameters
from app.http.responses import represent
from app.http.route_policy import MAP, policy
from app.site.errors import or_404
from knowledge.resources.site_map import site_map
from llms import skill
from llms.skill import Skill

routes = Blueprint("agents", __name__)


@routes.get(skill.INDEX_PATH)
@policy(MAP)
def get_skills() -> Response:
    """Get the index of agent skills (Agent Skills Discovery 0.2.0)."""
    view = parameters.main_view()
    return represent(skill.render_index(_skill(), view.base_url))


@routes.get(skill.skill_path("<name>"))
@policy(MAP)
def get_skill(name: str) -> Response:
    """Get the agent skill of the site: how to find, read and cite what it publishes."""
    current = _skill()
    return represent(skill.render_skill(or_404(current if current.name == name else None)))


def _skill() -> Skill:
    view = parameters.main_view()
    return skill.site_skill(view, site_map(view.snapshot, view.now), None)
