"""JSON-RPC messages: what a body says, and the errors that answer one that is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json, to_json

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
HEADER_MISMATCH = -32020
UNSUPPORTED_VERSION = -32022
RESOURCE_NOT_FOUND = -32002
"""Only in the older revisions; the newest has INVALID_PARAMS for it."""


class ProtocolError(Exception):
    """A message is refused, with a JSON-RPC error and an HTTP status."""

    def __init__(self, code: int, message: str, status: int = 200, data: object = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.data = data


@dataclass(frozen=True, slots=True)
class Message:
    """A request, or without an id a notification."""

    method: str
    params: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """A status and a JSON body; that of a notification is empty."""

    status: int
    body: bytes


ACCEPTED = Answer(202, b"")
"""The answer to a notification."""


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


def read_message(value: Mapping[str, Any]) -> Message:
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
    return Message(method, params)


def result_answer(sent_id: bytes, result: bytes) -> Answer:
    """Return the answer to a request: its result, as JSON."""
    return Answer(200, b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (sent_id, result))


def error_answer(error: ProtocolError, sent_id: bytes | None) -> Answer:
    """Return the answer to a message that is refused; without an id if none could be read."""
    described = {"code": error.code, "message": error.message}
    if error.data is not None:
        described["data"] = error.data
    start = b'{"jsonrpc":"2.0",' + (b'"id":%b,' % sent_id if sent_id else b"")
    return Answer(error.status, b'%b"error":%b}' % (start, to_json(described)))


def _invalid(message: str) -> ProtocolError:
    return ProtocolError(INVALID_REQUEST, message, 400)
