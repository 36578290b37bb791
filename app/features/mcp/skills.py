"""Skills: the extension SEP-2640 of the protocol, by which clients find and read the site's skill.

It is the skill of `/.well-known/agent-skills/`, with the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping

from app.features.mcp.tool import ToolContext
from knowledge.resources.site_map import site_map
from llms.skill import Skill, site_skill

EXTENSION = "io.modelcontextprotocol/skills"


def current(context: ToolContext) -> Skill:
    """Return the skill as it is now; it is the same for all locales."""
    view = context.view(context.edition.snapshot.locales.default)
    pages = site_map(view.snapshot, view.now)
    return site_skill(view, pages, context.server)


def uri_of(skill: Skill) -> str:
    """Return the URI of the `SKILL.md`, whose last folder has the name of the skill."""
    return f"skill://{skill.name}/SKILL.md"


def entry(skill: Skill) -> Mapping[str, object]:
    """Return a skill as `skills/list` and `skills/get` describe it: its front matter, its files."""
    uri = uri_of(skill)
    size = len(skill.text.encode())
    return {
        "uri": uri,
        "frontmatter": {"name": skill.name, "description": skill.description},
        "resources": [{"uri": uri, "digest": skill.digest, "size": size}],
    }
