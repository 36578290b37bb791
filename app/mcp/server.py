"""The MCP server as others describe it: its address, its names, and the revisions it speaks."""

from __future__ import annotations

from urllib.parse import urlsplit

from app.version import VERSION

ENDPOINT = "/mcp"
"""The path of the endpoint; the query may name a locale, as in `/mcp?country=sa&lang=ar`."""

MODERN_VERSIONS = ("2026-07-28",)
"""Revisions whose requests stand alone: each tells its revision and what the client can do."""

LEGACY_VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26")
"""Revisions that begin with `initialize`. The server keeps no session of them."""

SUPPORTED_VERSIONS = MODERN_VERSIONS + LEGACY_VERSIONS
"""All revisions, newest first."""

SERVER_NAME = "majlis"
SERVER_VERSION = VERSION


def registry_name(public_url: str) -> str:
    """Return the name of the server in registries: its host in reverse, and a name.

    >>> registry_name("https://www.example.com/site"), registry_name("http://127.0.0.1:8000")
    ('com.example.www/majlis', 'localhost/majlis')
    """
    host = (urlsplit(public_url).hostname or "").lower()
    is_name = "." in host and not host.replace(".", "").isdigit() and ":" not in host
    reverse = ".".join(reversed(host.split("."))) if is_name else "localhost"
    return f"{reverse}/{SERVER_NAME}"
