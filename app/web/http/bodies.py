"""Request bodies: reading and parsing, with limits of size, time and media type."""

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import IO, Any, NoReturn, Self, cast
from urllib.parse import parse_qsl

from quart import Request, request
from quart.formparser import FormDataParser
from quart.wrappers.request import Body
from werkzeug.datastructures import FileStorage
from werkzeug.formparser import default_stream_factory

from app.platform.limits.rate_limits import TooManyUploads
from app.web.http.error_envelope import EXPLANATIONS
from app.web.http.request_context import current_request
from knowledge.resources.errors import MajlisError

log = logging.getLogger(__name__)


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


class BodyTooLarge(MajlisError):
    """The body is larger than its path allows."""

    status = 413

    def __init__(self) -> None:
        super().__init__(*EXPLANATIONS[413])


_JSON = "application/json"
_FORM = "application/x-www-form-urlencoded"
_MULTIPART = "multipart/form-data"
_MAX_FIELDS = 100
_PIECE_BYTES = 8 * 1024
"""How much of a form with files is parsed at once; its boundary and the head of each file fit
into two pieces."""


class _BodyInPieces(Body):
    """A body that is iterated in short pieces, however many bytes wait."""

    _waiting, _next = b"", 0

    async def __anext__(self) -> bytes:
        """Return the next piece, once others had their turn in the event loop."""
        if self._next >= len(self._waiting):
            self._waiting, self._next = await super().__anext__(), 0
        await asyncio.sleep(0)
        self._next += _PIECE_BYTES
        return self._waiting[self._next - _PIECE_BYTES : self._next]


MAX_BYTES = 64 * 1024
TIMEOUT_SECONDS = 10
"""How long a body may take to arrive."""
UPLOAD_SECONDS = 300
"""How long one with files may take."""


class BoundedRequest(Request):
    """A request whose body is as large, and takes as long, as its route allows."""

    body_class = _BodyInPieces

    def __init__(self, *args: Any, **options: Any) -> None:
        limit = current_request.get().body_bytes
        options["max_content_length"] = limit
        if limit > MAX_BYTES:
            options["body_timeout"] = UPLOAD_SECONDS
        super().__init__(*args, **options)
        self.max_content_length = limit
        self.max_form_memory_size, self.max_form_parts = MAX_BYTES, _MAX_FIELDS
        self._opened = ExitStack()

    def make_form_data_parser(self) -> FormDataParser:
        """Return a parser that keeps two pieces at most, beside the values and files."""
        parser = super().make_form_data_parser()
        parser.max_content_length = 2 * _PIECE_BYTES
        parser.stream_factory = self._open
        return parser

    def _open(self, *size_and_name: Any) -> IO[bytes]:
        return self._opened.enter_context(default_stream_factory(*size_and_name))

    async def close(self) -> None:
        """Delete the files, also those of a form that has not arrived as a whole."""
        self._opened.close()


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
    try:
        fields, files = await request.form, await request.files
    except OSError as error:
        log.error("A file could not be received; is the temporary folder full? %s", error)
        raise TooManyUploads from None
    if sum(len(value.encode(errors="surrogatepass")) for value in fields.values()) > MAX_BYTES:
        raise BodyTooLarge
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
