"""The MCP server as others describe it: its address, its names, and the revisions it speaks."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from app.platform.version import VERSION

ENDPOINT = "/mcp"
"""The path of the endpoint; the query may name a locale, as in `/mcp?country=sa&lang=ar`."""

MODERN_VERSIONS = ("2026-07-28",)
"""Revisions whose requests stand alone: each tells its revision and what the client can do."""

LEGACY_VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26")
"""Revisions that begin with `initialize`. The server keeps no session of them."""

SUPPORTED_VERSIONS = MODERN_VERSIONS + LEGACY_VERSIONS
"""All revisions, newest first."""

_DOMAIN = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+")
SERVER_NAME = "majlis"
SERVER_VERSION = VERSION


def registry_name(public_url: str) -> str:
    """Return the name of the server in registries: its host in reverse, and a name.

    >>> registry_name("https://www.example.com/site"), registry_name("http://127.0.0.1:8000")
    ('com.example.www/majlis', 'localhost/majlis')
    """
    return f"{'.'.join(reversed(_domain(public_url).split('.')))}/{SERVER_NAME}"


def has_domain(public_url: str) -> bool:
    """Return whether the host has a name, which registries want.

    >>> has_domain("https://www.example.com"), has_domain("http://127.0.0.1:8000")
    (True, False)
    """
    return _domain(public_url) != "localhost"


def _domain(public_url: str) -> str:
    """Return the name of the host in ASCII, `localhost` if it has only an address.

    >>> _domain("https://Café.example/x"), _domain("http://[::1]:80"), _domain("http://a_b.example")
    ('xn--caf-dma.example', 'localhost', 'localhost')
    """
    try:
        host = (urlsplit(public_url).hostname or "").encode("idna").decode()
    except UnicodeError:
        return "localhost"
    is_address = host.replace(".", "").isdigit()
    return host if _DOMAIN.fullmatch(host) and not is_address else "localhost"
