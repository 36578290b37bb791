"""The MCP server as others describe it, and its path in the OpenAPI document."""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from app.platform import VERSION
from app.web.http.parameters import LOCALE, of_site
from app.web.openapi.operation import Tag
from app.web.openapi.responses import error_reference, header_references
from app.web.openapi.schemas import component_reference
from knowledge.locales.locale import Locales
from renderers.representation import MediaType

ENDPOINT = "/mcp"
"""The path of the endpoint; the query may name a locale, as in `/mcp?country=sa&lang=ar`."""
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


TAG = Tag("mcp", "The Model Context Protocol, for agents.")

_MESSAGE = "McpMessage"
_ANSWER = "McpAnswer"
MODERN_VERSIONS = ("2026-07-28",)
"""Revisions whose requests stand alone: each tells its revision and what the client can do."""
LEGACY_VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26")
"""Revisions that begin with `initialize`. The server keeps no session of them."""
SUPPORTED_VERSIONS = MODERN_VERSIONS + LEGACY_VERSIONS
"""All revisions, newest first."""

_DESCRIPTION = f"""\
Answers one JSON-RPC message, always as JSON and never as a stream. Revisions: \
{", ".join(SUPPORTED_VERSIONS)}. Requests of {MODERN_VERSIONS[0]} carry `_meta` and repeat its \
revision, their method and the name of what they call in headers; those of older revisions begin \
with `initialize` and need no session. The tools are in the result of `tools/list`."""

_VERSION = {
    "jsonrpc": {"type": "string", "const": "2.0", "description": "The version of JSON-RPC."}
}
_ID = {
    "type": ["string", "integer"],
    "description": "What the client chose to tell its requests apart.",
}
SCHEMAS: Mapping[str, Any] = {
    _MESSAGE: {
        "type": "object",
        "description": "A request, or without an id a notification.",
        "properties": {
            **_VERSION,
            "id": _ID,
            "method": {"type": "string", "description": "What is asked, such as `tools/list`."},
            "params": {"type": "object", "description": "The parameters of the method."},
        },
        "required": ["jsonrpc", "method"],
    },
    _ANSWER: {
        "type": "object",
        "description": "The result of a request, or the error that refuses a message.",
        "properties": {
            **_VERSION,
            "id": _ID,
            "result": {"type": "object", "description": "What the method returns."},
            "error": {
                "type": "object",
                "description": "Why the message is refused.",
                "properties": {
                    "code": {"type": "integer", "description": "What went wrong, for programs."},
                    "message": {"type": "string", "description": "What went wrong, for people."},
                },
                "required": ["code", "message"],
            },
        },
        "required": ["jsonrpc"],
    },
}
_HEADERS = {
    "MCP-Protocol-Version": ("The revision of the request.", MODERN_VERSIONS[0]),
    "Mcp-Method": ("The method of the message.", "tools/list"),
    "Mcp-Name": ("The tool or resource of the message; any text as `=?base64?…?=`.", "search"),
}
_RATE_HEADERS = header_references(
    ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "RateLimit", "RateLimit-Policy")
)
_ANSWERS = {
    200: "The result, or an error of the request.",
    400: "The message is refused, with the code of JSON-RPC or of the protocol.",
    404: "The revision of the request has no such method.",
}
_REFUSALS = {
    403: "A page of an origin that is not allowed sent the message, or the host is not this one.",
    405: "Only POST is answered.",
}
_ERRORS = (413, 415, 429, 500, 503)


def mcp_paths(locales: Locales) -> dict[str, Any]:
    """Return the path of MCP with its operation."""
    example = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    body = {"schema": component_reference(_MESSAGE), "example": example}
    operation = {
        "operationId": "postMcp",
        "tags": [TAG.name],
        "summary": "Answer a message of the Model Context Protocol",
        "description": _DESCRIPTION,
        "parameters": list(_parameters(locales)),
        "requestBody": {"required": True, "content": {str(MediaType.JSON): body}},
        "responses": dict(_responses()),
        "security": [],
    }
    return {ENDPOINT: {"post": operation}}


def _parameters(locales: Locales) -> Iterator[dict[str, Any]]:
    for parameter in filter(None, (of_site(each, locales) for each in LOCALE)):
        yield {
            "name": parameter.name,
            "in": "query",
            "required": False,
            "allowEmptyValue": True,
            "description": f"{parameter.description} Calls may name another.",
            "schema": parameter.schema,
            "example": parameter.example,
        }
    for name, (description, example) in _HEADERS.items():
        yield {
            "name": name,
            "in": "header",
            "required": False,
            "description": description,
            "schema": {"type": "string"},
            "example": example,
        }


def _responses() -> Iterator[tuple[str, Any]]:
    answer = {str(MediaType.JSON): {"schema": component_reference(_ANSWER)}}
    for status, meaning in _ANSWERS.items():
        yield str(status), {"description": meaning, "headers": _RATE_HEADERS, "content": answer}
    accepted = "The notification is accepted; there is no body."
    yield "202", {"description": accepted, "headers": _RATE_HEADERS}
    refusal = {str(MediaType.JSON): {"schema": component_reference("ErrorEnvelope")}}
    for status, meaning in _REFUSALS.items():
        yield str(status), {"description": meaning, "content": refusal}
    for status in _ERRORS:
        yield str(status), error_reference(status, deprecated=False)
