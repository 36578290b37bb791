"""The MCP server of the site, as guides, catalogs, its card and its server.json tell of it.

It follows the extension `experimental-ext-server-card` of the protocol, schema v1. It lists no
tools: clients ask the server for them.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from babel.lists import format_list

from knowledge.documents.body import one_line
from knowledge.locales import cldr
from knowledge.locales.locale import Language
from knowledge.resources.site_chrome import brand
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from llms.phrases import SiteWords, in_english
from renderers.images.drawings import TOUCH_ICON
from renderers.representation import Representation


@dataclass(frozen=True, slots=True)
class McpServer:
    """The facts of a server that runs; where none runs, None stands for it.

    `name` is that of registries, such as `com.example.www/majlis`, and `versions` are the
    revisions of the protocol that it speaks, newest first.
    """

    path: str
    name: str
    version: str
    versions: tuple[str, ...]
    tools_of: Callable[[Snapshot], Sequence[str]]
    """Returns the names of the tools that a site has."""


MEDIA_TYPE = "application/mcp-server-card+json"
CARD_SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
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
    card = {"$schema": CARD_SCHEMA, **common_facts(view, mcp), "icons": [icon], "remotes": [remote]}
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
    """Return what the server is for, in English, as its readers are programs.

    It names as many subjects of the site as there is room for.
    """
    languages = sorted(view.snapshot.locales.languages, reverse=True)
    spoken = format_list([cldr.language_name(each, Language.EN) for each in languages], locale="en")
    text = f"Search what %s publishes, in {spoken}."
    text %= one_line(brand(view), CHARACTERS - len(text) + len("%s"))
    comma = ": "
    for subject in SiteWords.of(in_english(view)).subjects:
        longer = f"{text.removesuffix('.')}{comma}{subject}."
        if len(longer) <= CHARACTERS:
            text, comma = longer, ", "
    return text


SERVER_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

_NAME = re.compile(r"[A-Za-z0-9.-]+/[A-Za-z0-9._-]+")
_NAME_CHARACTERS = 200


def is_server_name(text: str) -> bool:
    """Return whether registries accept a name: a domain in reverse, a slash, and a name.

    >>> [is_server_name(text) for text in ("com.example/site", "site", "com.example/a/b")]
    [True, False, False]
    """
    return len(text) <= _NAME_CHARACTERS and _NAME.fullmatch(text) is not None


def server_json(view: ContentView, mcp: McpServer) -> dict[str, Any]:
    """Return the document; its remote is the endpoint of this service."""
    remote = {"type": "streamable-http", "url": view.absolute(mcp.path)}
    return {"$schema": SERVER_SCHEMA, **common_facts(view, mcp), "remotes": [remote]}
