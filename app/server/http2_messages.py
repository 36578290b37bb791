"""HTTP/2 messages: the request event for Hypercorn, and frames that `h2` does not send itself."""

from __future__ import annotations

import re
import struct

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.settings import SettingCodes, Settings
from hypercorn.protocol.events import Request
from hypercorn.typing import ConnectionState
from hypercorn.utils import filter_pseudo_headers

from app.platform.asgi.request_target import encode_letters

CONCURRENT_STREAMS = 100

_GOAWAY = 0x7
_METHOD = re.compile(rb"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_TARGET = re.compile(rb"[\x21-\x7e\x80-\xff]+")

HeaderLines = list[tuple[bytes, bytes]]


def new_connection() -> H2Connection:
    """Create the h2 state of a server connection, with header values as bytes."""
    connection = H2Connection(H2Configuration(client_side=False, header_encoding=None))
    connection.local_settings = Settings(
        client=False,
        initial_values={
            SettingCodes.MAX_CONCURRENT_STREAMS: CONCURRENT_STREAMS,
            SettingCodes.MAX_HEADER_LIST_SIZE: connection.DEFAULT_MAX_HEADER_LIST_SIZE,
        },
    )
    return connection


def request_event(stream_id: int, headers: HeaderLines, state: ConnectionState) -> Request:
    """Build the event that starts a request on Hypercorn's stream."""
    values = dict(headers)
    return Request(
        stream_id=stream_id,
        headers=filter_pseudo_headers(headers),
        http_version="2",
        method=values[b":method"].decode("ascii").upper(),
        raw_path=encode_letters(values[b":path"]),
        state=state,
    )


def is_answerable(headers: HeaderLines) -> bool:
    """Return whether method and target are valid in HTTP/1.1; CONNECT is not supported.

    Letters in the target need not be percent-encoded.
    """
    values = dict(headers)
    method, target = values.get(b":method", b""), values.get(b":path", b"")
    return bool(_METHOD.fullmatch(method) and _TARGET.fullmatch(target)) and method != b"CONNECT"


def goaway(last_stream: int) -> bytes:
    """Build a GOAWAY frame without an error; h2's own would also close its state."""
    return struct.pack(">HBBBLLL", 0, 8, _GOAWAY, 0, 0, last_stream, ErrorCodes.NO_ERROR)
