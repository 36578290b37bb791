"""The server card of MCP: how a client connects, told before it does so.

It follows the extension `experimental-ext-server-card` of the protocol, schema v1. It lists no
tools: clients ask the server for them.
"""

from __future__ import annotations

import json

from babel.lists import format_list

from knowledge.documents.body import one_line
from knowledge.locales import cldr
from knowledge.locales.locale import Language
from knowledge.resources.site_chrome import brand
from knowledge.views.content_view import ContentView
from llms.mcp_server import McpServer
from renderers.images.drawings import TOUCH_ICON
from renderers.representation import Representation

MEDIA_TYPE = "application/mcp-server-card+json"
SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
CHARACTERS = 100
"""The limit of title and description."""


def card_path(mcp_path: str) -> str:
    """Return the path that the protocol reserves for the card of a server.

    >>> card_path("/mcp")
    '/mcp/server-card'
    """
    return f"{mcp_path}/server-card"


def render_card(view: ContentView, mcp: McpServer) -> Representation:
    """Render the card; its title is that of the server."""
    remote = {
        "type": "streamable-http",
        "url": view.absolute(mcp.path),
        "supportedProtocolVersions": mcp.versions,
    }
    icon = {"src": view.absolute(TOUCH_ICON), "mimeType": "image/png", "sizes": ["180x180"]}
    card = {"$schema": SCHEMA, **common_facts(view, mcp), "icons": [icon], "remotes": [remote]}
    body = json.dumps(card, ensure_ascii=False, indent=2)
    return Representation(MEDIA_TYPE, f"{body}\n".encode())


def common_facts(view: ContentView, mcp: McpServer) -> dict[str, str]:
    """Return what catalogs and registries tell alike of the server."""
    return {
        "name": mcp.name,
        "version": mcp.version,
        "title": one_line(brand(view), CHARACTERS),
        "description": purpose(view),
        "websiteUrl": view.base_url,
    }


def purpose(view: ContentView) -> str:
    """Return what the server is for, in English, as its readers are programs."""
    languages = sorted(view.snapshot.locales.languages, reverse=True)
    spoken = format_list([cldr.language_name(each, Language.EN) for each in languages], locale="en")
    text = f"Search and read what %s publishes, in {spoken}."
    return text % one_line(brand(view), CHARACTERS - len(text) + len("%s"))
