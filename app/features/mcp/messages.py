"""JSON-RPC messages: what a body says, in which revision of the protocol, and the errors."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json, to_json

from app.features.mcp.server import LEGACY_VERSIONS, MODERN_VERSIONS, SUPPORTED_VERSIONS
from app.platform.asgi.scope import RequestHeaders
from knowledge.locales.locale import Country


class ProtocolError(Exception):
    """A message is refused, with a JSON-RPC error and an HTTP status."""

    def __init__(self, code: int, message: str, status: int = 200, data: object = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.data = data


@dataclass(frozen=True, slots=True)
class RpcMessage:
    """A request, or without an id a notification."""

    method: str
    params: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RpcAnswer:
    """A status and a JSON body; that of a notification is empty."""

    status: int
    body: bytes


ACCEPTED = RpcAnswer(202, b"")
"""The answer to a notification."""

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
HEADER_MISMATCH = -32020
UNSUPPORTED_VERSION = -32022
RESOURCE_NOT_FOUND = -32002
"""Only in the older revisions; the newest has INVALID_PARAMS for it."""


def parse_object(body: bytes) -> dict[str, Any]:
    """Return the JSON object of a body; raises ProtocolError."""
    try:
        value = from_json(body, allow_inf_nan=False)
    except ValueError:  # also invalid UTF-8, huge numbers and deep nesting
        remedy = "Send one JSON-RPC message in UTF-8."
        raise ProtocolError(PARSE_ERROR, f"The body is not valid JSON. {remedy}", 400) from None
    if isinstance(value, list):
        raise _invalid("Batches are not supported. Send each message in a request of its own.")
    if not isinstance(value, dict):
        raise _invalid("The body is not a JSON object. Send one JSON-RPC message.")
    return value


def readable_id(value: Mapping[str, Any]) -> bytes | None:
    """Return the id of a message as JSON; None if it has none, or a malformed one.

    >>> readable_id({"id": "a"}), readable_id({"id": 7}), readable_id({"id": True})
    (b'"a"', b'7', None)
    """
    sent = value.get("id")
    is_id = isinstance(sent, str | int) and not isinstance(sent, bool)
    return to_json(sent) if is_id else None


def read_message(value: Mapping[str, Any]) -> RpcMessage:
    """Return the message of a JSON object; raises ProtocolError."""
    if value.get("jsonrpc") != "2.0":
        raise _invalid('The message is not JSON-RPC 2.0. Send "jsonrpc": "2.0".')
    if "id" in value and readable_id(value) is None:
        raise _invalid("The id is neither a string nor an integer. Send one of these.")
    method = value.get("method")
    if not isinstance(method, str):
        raise _invalid("The message has no method. Send a request or a notification.")
    params = {} if value.get("params") is None else value["params"]
    if not isinstance(params, dict):
        raise ProtocolError(INVALID_PARAMS, "The params are not an object. Send them by name.", 400)
    return RpcMessage(method, params)


def result_answer(sent_id: bytes, result: bytes) -> RpcAnswer:
    """Return the answer to a request: its result, as JSON."""
    return RpcAnswer(200, b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (sent_id, result))


def error_answer(error: ProtocolError, sent_id: bytes | None) -> RpcAnswer:
    """Return the answer to a message that is refused; without an id if none could be read."""
    described = {"code": error.code, "message": error.message}
    if error.data is not None:
        described["data"] = error.data
    start = b'{"jsonrpc":"2.0",' + (b'"id":%b,' % sent_id if sent_id else b"")
    return RpcAnswer(error.status, b'%b"error":%b}' % (start, to_json(described)))


def _invalid(message: str) -> ProtocolError:
    return ProtocolError(INVALID_REQUEST, message, 400)


INITIALIZE = "initialize"
DISCOVER = "server/discover"
NAMED_BY: Mapping[str, str] = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""The parameter that the header Mcp-Name repeats, by method."""
_PREFIX = "io.modelcontextprotocol/"
VERSION_KEY = f"{_PREFIX}protocolVersion"
CAPABILITIES_KEY = f"{_PREFIX}clientCapabilities"
CLIENT_KEY = f"{_PREFIX}clientInfo"
SERVER_KEY = f"{_PREFIX}serverInfo"
_LOCATION_KEY, _LOCALE_KEY = "openai/userLocation", "openai/locale"

_VERSION_HEADER = b"mcp-protocol-version"
_ENCODED_START, _ENCODED_END = "=?base64?", "?="


def is_modern(message: RpcMessage, headers: RequestHeaders) -> bool:
    """Return whether a request stands alone, as in the newest revision; raises ProtocolError."""
    meta = message.params.get("_meta")
    named = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
    version = _header(headers, _VERSION_HEADER)
    if named is None and message.method == INITIALIZE:
        return False
    if named is None and message.method != DISCOVER and version not in MODERN_VERSIONS:
        if version is not None and version not in LEGACY_VERSIONS:
            raise _unsupported(version)
        return False  # without the header it is of the oldest revision
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


def client_name(message: RpcMessage) -> str | None:
    """Return the name of the program that sent a message, if it tells it."""
    meta = message.params.get("_meta")
    modern = meta.get(CLIENT_KEY) if isinstance(meta, dict) else None
    client = modern or (message.params.get("clientInfo") if message.method == INITIALIZE else None)
    name = client.get("name") if isinstance(client, dict) else None
    return name if isinstance(name, str) else None


def user_country(message: RpcMessage) -> Country | None:
    """Return the country where the user is, if ChatGPT tells it; it is a hint, and may be wrong."""
    meta = message.params.get("_meta")
    if not isinstance(meta, dict):
        return None
    location, locale = meta.get(_LOCATION_KEY), meta.get(_LOCALE_KEY)
    country = location.get("country") if isinstance(location, dict) else None
    if not isinstance(country, str) and isinstance(locale, str):
        country = locale.replace("_", "-").rpartition("-")[2]
    return Country.parse(country) if isinstance(country, str) else None


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


def _check_headers(message: RpcMessage, version: str, headers: RequestHeaders) -> None:
    """Raise ProtocolError unless the headers repeat what the body says."""
    _compare("MCP-Protocol-Version", _header(headers, _VERSION_HEADER), version)
    _compare("Mcp-Method", _header(headers, b"mcp-method"), message.method)
    parameter = NAMED_BY.get(message.method)
    if parameter is not None:
        sent, name = _header(headers, b"mcp-name"), message.params.get(parameter)
        if not isinstance(name, str):
            raise ProtocolError(INVALID_PARAMS, f"{parameter}: send it as a text.", 400)
        _compare("Mcp-Name", sent and decoded(sent), name)


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
