"""Request bodies: reading and parsing, with limits of size, time and media type."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn, Self, cast
from urllib.parse import parse_qsl

from quart import request
from werkzeug.datastructures import FileStorage
from werkzeug.exceptions import RequestEntityTooLarge

from knowledge.resources.errors import MajlisError

MAX_BYTES = 64 * 1024
TIMEOUT_SECONDS = 10
"""How long a body may take to arrive."""
UPLOAD_SECONDS = 300
"""How long one with files may take."""

_JSON = "application/json"
_FORM = "application/x-www-form-urlencoded"
_MULTIPART = "multipart/form-data"
_MAX_FIELDS = 100


class UnsupportedBody(MajlisError):
    """The body has a media type or coding that this path does not accept."""

    status = 415

    @classmethod
    def of_type(cls, media_type: str) -> Self:
        """Return the error for a body that is not of this media type."""
        return cls(
            "This path does not accept the media type of the body.",
            f"Send it with Content-Type: {media_type}, in UTF-8.",
        )


class InvalidBody(MajlisError):
    """The body does not match its media type."""

    status = 400


async def read_json() -> dict[str, Any]:
    """Read the JSON object of the current request; raises UnsupportedBody and InvalidBody."""
    return json_object(await _read(_JSON))


async def read_form() -> dict[str, str]:
    """Read the form fields of the current request; raises UnsupportedBody and InvalidBody."""
    return form_fields(await _read(_FORM))


async def read_form_with_files() -> tuple[dict[str, str], Mapping[str, Sequence[FileStorage]]]:
    """Read the fields and the files of a form; the last of a repeated field counts."""
    if request.mimetype != _MULTIPART:
        return await read_form(), {}
    request.max_form_memory_size, request.max_form_parts = MAX_BYTES, _MAX_FIELDS
    fields, files = await request.form, await request.files
    if sum(len(value.encode(errors="surrogatepass")) for value in fields.values()) > MAX_BYTES:
        raise RequestEntityTooLarge
    sent = {name: [each for each in found if each.filename] for name, found in files.lists()}
    return {name: values[-1] for name, values in fields.lists()}, sent


def json_object(body: bytes) -> dict[str, Any]:
    """Parse a body as a JSON object. Unlike `json.loads`, NaN and Infinity are errors.

    >>> json_object(b'{"a": NaN}')
    Traceback (most recent call last):
    app.web.http.bodies.InvalidBody: The body is not valid JSON.
    """
    try:
        value = json.loads(body.decode("utf-8-sig"), parse_constant=_refuse)
    except (ValueError, RecursionError):  # ValueError includes invalid UTF-8 and huge numbers
        raise InvalidBody(
            "The body is not valid JSON.", "Send one JSON object in UTF-8, without NaN or Infinity."
        ) from None
    if not isinstance(value, dict):
        raise InvalidBody("The body is not a JSON object.", 'Send an object: {"email": "…"}.')
    return value


def form_fields(body: bytes) -> dict[str, str]:
    """Parse a form body into fields by name; the last of a repeated field counts.

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
        raise InvalidBody("The form is malformed.", "Send it percent-encoded, in UTF-8.") from None
    return dict(pairs)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


async def _read(media_type: str) -> bytes:
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise UnsupportedBody(
            "Compressed request bodies are not accepted.",
            "Send the body without Content-Encoding.",
        )
    charset = request.mimetype_params.get("charset", "utf-8").lower().replace("-", "")
    if charset != "utf8" or request.mimetype != media_type:
        raise UnsupportedBody.of_type(media_type)
    return cast(bytes, await request.get_data(cache=False))
