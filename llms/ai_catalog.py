"""The AI catalog at `/.well-known/ai-catalog.json`: what a site has for agents.

It follows AI Catalog 1.0, as Agentic Resource Discovery 0.9 extends it. Sites have one only while
their MCP server runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from knowledge.addresses.addresses import page_of
from knowledge.fields.content_types import POST, PRODUCT, REGISTRY, AnyContentType
from knowledge.resources.seo import is_visible_route
from knowledge.resources.site_map import SiteMap
from knowledge.resources.site_parts import published_types
from knowledge.views.content_view import ContentView
from llms import mcp_server
from llms.lines import site_name
from llms.mcp_server import McpServer
from llms.skill import Skill
from renderers.images.drawings import TOUCH_ICON
from renderers.representation import Representation

PATH = "/.well-known/ai-catalog.json"
MEDIA_TYPE = "application/ai-catalog+json"
SKILL_TYPE = 'text/markdown; profile="urn:air:agent-skills"'

_DOCUMENTS = (
    ("api", "public", "The API of {site}", "application/json", "/openapi.json"),
    ("guide", "llms", "The pages of {site}, and when to read each", "text/markdown", "/llms.txt"),
)
"""Namespace, name, title, media type and path of what every site has."""


def render(view: ContentView, pages: SiteMap, mcp: McpServer, skill: Skill) -> Representation:
    """Render the catalog; `pages` are those of the site."""
    host = {
        "displayName": site_name(view),
        "documentationUrl": view.absolute("/developers"),
        "logoUrl": view.absolute(TOUCH_ICON),
    }
    queries = list(_queries(view, published_types(view.snapshot, pages)))
    entries = list(_entries(view, mcp, skill, queries))
    catalog = {"specVersion": "1.0", "host": host, "entries": entries}
    body = json.dumps(catalog, ensure_ascii=False, indent=2)
    return Representation(MEDIA_TYPE, f"{body}\n".encode())


def _entries(
    view: ContentView, mcp: McpServer, skill: Skill, queries: list[str]
) -> Iterator[Mapping[str, object]]:
    site, publisher = site_name(view), _publisher(mcp)
    yield {
        "identifier": f"urn:air:{publisher}:mcp:{mcp.name.partition('/')[2]}",
        "displayName": site,
        "type": mcp_server.MEDIA_TYPE,
        "url": view.absolute(mcp_server.card_path(mcp.path)),
        "description": mcp_server.purpose(view),
        "capabilities": mcp.tools,
        "representativeQueries": queries,
        "version": mcp.version,
    }
    yield {
        "identifier": f"urn:air:{publisher}:skill:{skill.name}",
        "displayName": f"How to answer from what {site} publishes",
        "type": SKILL_TYPE,
        "url": view.absolute(skill.path),
        "description": skill.description,
        "representativeQueries": queries,
        "metadata": {"digest": skill.digest},
    }
    for namespace, name, title, media_type, path in _DOCUMENTS:
        yield {
            "identifier": f"urn:air:{publisher}:{namespace}:{name}",
            "displayName": title.format(site=site),
            "type": media_type,
            "url": view.absolute(path),
        }


def _publisher(mcp: McpServer) -> str:
    """Return the domain of a server, whose name has it in reverse."""
    return ".".join(reversed(mcp.name.partition("/")[0].split(".")))


def _queries(view: ContentView, published: frozenset[AnyContentType]) -> Iterator[str]:
    """Yield two to five questions that the site answers, about nothing that it has not."""
    site = site_name(view)
    yield f"what does {site} do"
    if PRODUCT in published:
        yield f"what do the products of {site} cost"
    if POST in published:
        yield f"news and articles of {site}"
    if is_visible_route(view, page_of(REGISTRY, "contact")):
        yield f"how do I reach {site}"
    yield f"search the site of {site}"
