"""Revisions of the protocol: which one a message speaks, and what its headers must repeat."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any

from app.features.mcp.messages import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    UNSUPPORTED_VERSION,
    Message,
    ProtocolError,
)
from app.features.mcp.server import LEGACY_VERSIONS, MODERN_VERSIONS, SUPPORTED_VERSIONS
from app.platform.asgi.scope import RequestHeaders

INITIALIZE = "initialize"
DISCOVER = "server/discover"
NAMED_BY: Mapping[str, str] = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
}
"""The parameter that the header Mcp-Name repeats, by method."""

_PREFIX = "io.modelcontextprotocol/"
VERSION_KEY = f"{_PREFIX}protocolVersion"
CAPABILITIES_KEY = f"{_PREFIX}clientCapabilities"
CLIENT_KEY = f"{_PREFIX}clientInfo"
SERVER_KEY = f"{_PREFIX}serverInfo"

_VERSION_HEADER = b"mcp-protocol-version"
_ENCODED_START, _ENCODED_END = "=?base64?", "?="


def is_modern(message: Message, headers: RequestHeaders) -> bool:
    """Return whether a request stands alone, as in the newest revision, and is right in it.

    Otherwise it belongs to a revision with `initialize`. Raises ProtocolError.
    """
    meta = message.params.get("_meta")
    named = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
    if named is None and not _must_stand_alone(message.method, headers):
        _check_legacy_version(message.method, headers)
        return False
    if not isinstance(meta, dict) or not isinstance(named, str):
        raise _incomplete(VERSION_KEY)
    if named in LEGACY_VERSIONS:
        return False
    _check_headers(message, named, headers)
    if named not in MODERN_VERSIONS:
        raise _unsupported(named)
    if not isinstance(meta.get(CAPABILITIES_KEY), dict):
        raise _incomplete(CAPABILITIES_KEY)
    return True


def client_name(message: Message) -> str | None:
    """Return the name of the program that sent a message, if it tells it.

    In the older revisions only `initialize` does.
    """
    meta = message.params.get("_meta")
    modern = meta.get(CLIENT_KEY) if isinstance(meta, dict) else None
    client = modern or (message.params.get("clientInfo") if message.method == INITIALIZE else None)
    name = client.get("name") if isinstance(client, dict) else None
    return name if isinstance(name, str) else None


def check_notification(headers: RequestHeaders) -> None:
    """Raise ProtocolError for a notification of an unknown revision."""
    version = _header(headers, _VERSION_HEADER)
    if version is not None and version not in SUPPORTED_VERSIONS:
        raise _unsupported(version)


def negotiated(requested: str) -> str:
    """Return the revision in which the server goes on after `initialize`.

    >>> negotiated("2025-06-18"), negotiated("2026-07-28"), negotiated("2024-11-05")
    ('2025-06-18', '2025-11-25', '2025-11-25')
    """
    return requested if requested in LEGACY_VERSIONS else LEGACY_VERSIONS[0]


def decoded(value: str) -> str | None:
    """Return the text of a header value, which may be in base64; None if it is malformed.

    >>> decoded("search"), decoded("=?base64?2KjYrdir?="), decoded("=?base64?%?=")
    ('search', 'بحث', None)
    """
    if not (value.startswith(_ENCODED_START) and value.endswith(_ENCODED_END)):
        return value
    encoded = value[len(_ENCODED_START) : -len(_ENCODED_END)]
    try:
        return base64.b64decode(encoded, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def _must_stand_alone(method: str, headers: RequestHeaders) -> bool:
    """Return whether a request without `_meta` ought to have one."""
    return method != INITIALIZE and (
        method == DISCOVER or _header(headers, _VERSION_HEADER) in MODERN_VERSIONS
    )


def _check_legacy_version(method: str, headers: RequestHeaders) -> None:
    """Refuse an unknown revision; a request without the header is of the oldest one."""
    version = _header(headers, _VERSION_HEADER)
    if version is not None and method != INITIALIZE and version not in LEGACY_VERSIONS:
        raise _unsupported(version)


def _check_headers(message: Message, version: str, headers: RequestHeaders) -> None:
    """Raise ProtocolError unless the headers repeat what the body says."""
    _compare("MCP-Protocol-Version", _header(headers, _VERSION_HEADER), version)
    _compare("Mcp-Method", _header(headers, b"mcp-method"), message.method)
    parameter = NAMED_BY.get(message.method)
    if parameter is not None:
        sent = _header(headers, b"mcp-name")
        _compare("Mcp-Name", sent and decoded(sent), _name(message.params, parameter))


def _name(params: Mapping[str, Any], parameter: str) -> str:
    value = params.get(parameter)
    if not isinstance(value, str):
        raise ProtocolError(INVALID_PARAMS, f"{parameter}: send it as a text.", 400)
    return value


def _compare(name: str, sent: str | None, expected: str) -> None:
    if sent != expected:
        problem = "is missing or malformed" if sent is None else "differs from the body"
        remedy = "Send in it what the body says."
        raise ProtocolError(HEADER_MISMATCH, f"The header {name} {problem}. {remedy}", 400)


def _header(headers: RequestHeaders, name: bytes) -> str | None:
    """Return a header without the blanks around it; None if it is absent or not in ASCII."""
    value = headers.get(name)
    return value.strip(b" \t").decode() if value is not None and value.isascii() else None


def _incomplete(key: str) -> ProtocolError:
    remedy = f"Each request of {MODERN_VERSIONS[0]} has {VERSION_KEY} and {CAPABILITIES_KEY} in it."
    return ProtocolError(INVALID_PARAMS, f"_meta has no valid {key}. {remedy}", 400)


def _unsupported(version: str) -> ProtocolError:
    data = {"supported": SUPPORTED_VERSIONS, "requested": version}
    return ProtocolError(UNSUPPORTED_VERSION, "Unsupported protocol version", 400, data)
