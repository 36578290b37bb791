"""Request bodies: small, of the type that a path takes, and never trusted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn, Self, cast
from urllib.parse import parse_qsl

from quart import request

from knowledge.errors import MajlisError

MAX_BYTES = 64 * 1024
TIMEOUT_SECONDS = 10
"""How long a body may take to arrive."""

_JSON = "application/json"
_FORM = "application/x-www-form-urlencoded"
_MAX_FIELDS = 100


class UnsupportedBody(MajlisError):
    """The body is of a type or coding that this path does not take."""

    @classmethod
    def of_type(cls, wanted: str) -> Self:
        """Another type than the one that is wanted."""
        return cls(
            "The body is of another type than this path takes.",
            f"Send it with Content-Type: {wanted}, in UTF-8.",
        )


class InvalidBody(MajlisError):
    """The body is not what its type says."""


async def read_json() -> dict[str, Any]:
    """The JSON object that was sent; raises UnsupportedBody and InvalidBody."""
    return json_object(await _read(_JSON))


async def read_form() -> dict[str, str]:
    """The fields of the form that was sent; raises UnsupportedBody and InvalidBody."""
    return form_fields(await _read(_FORM))


def json_object(body: bytes) -> dict[str, Any]:
    """The JSON object in a body; stricter than Python's own reading.

    >>> json_object(b'{"a": NaN}')
    Traceback (most recent call last):
    app.http.bodies.InvalidBody: The body is no valid JSON.
    """
    try:
        value = json.loads(body.decode("utf-8-sig"), parse_constant=_refuse)
    except (ValueError, RecursionError):  # the first has broken UTF-8 and huge numbers among it
        raise InvalidBody(
            "The body is no valid JSON.", "Send one JSON object in UTF-8, without NaN or Infinity."
        ) from None
    if not isinstance(value, dict):
        raise InvalidBody("The body is no JSON object.", 'Send an object: {"email": "…"}.')
    return value


def form_fields(body: bytes) -> dict[str, str]:
    """The fields of a form by name, the last of those that stand twice.

    >>> form_fields(b"name=Noor+A.&company=")
    {'name': 'Noor A.', 'company': ''}
    """
    try:
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MAX_FIELDS,
        )
    except ValueError:
        raise InvalidBody("The form cannot be read.", "Send it in UTF-8, encoded.") from None
    return dict(pairs)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


async def _read(media_type: str) -> bytes:
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise UnsupportedBody(
            "Compressed request bodies are not taken.", "Send it without Content-Encoding."
        )
    if not _is_utf8(request.mimetype_params) or request.mimetype != media_type:
        raise UnsupportedBody.of_type(media_type)
    return cast(bytes, await request.get_data(cache=False))


def _is_utf8(parameters: Mapping[str, str]) -> bool:
    return parameters.get("charset", "utf-8").lower().replace("-", "") == "utf8"
