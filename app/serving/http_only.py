"""HTTP only: keeps Hypercorn from taking a WebSocket handshake out of the application's hands."""

from __future__ import annotations

from hypercorn.protocol import h2, h11
from hypercorn.protocol.http_stream import HTTPStream


def use_http_only() -> None:
    """Let Hypercorn treat a handshake as the HTTP request that it is.

    The application refuses it, and so counts it like any other request. Hypercorn itself answers
    a malformed handshake 400 without the application, and then leaves the connection open. It
    has no setting for this.
    """
    h11.WSStream = h2.WSStream = HTTPStream  # type: ignore[attr-defined, assignment]
    h11.H11WSConnection = _unchanged  # type: ignore[assignment, misc]


def _unchanged(connection: object) -> object:
    """The connection goes on with HTTP."""
    return connection
