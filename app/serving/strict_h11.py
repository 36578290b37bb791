"""Strict HTTP/1.1 parsing by RFC 9112, in the cases in which h11 is more lenient.

The parser refuses requests that another server on the way may interpret differently: requests
with both Content-Length and Transfer-Encoding, or with Transfer-Encoding in HTTP/1.0 (section
6.1), and header lines that are continued on the next line (section 5.2).
"""

from __future__ import annotations

from typing import Any

import h11

_PREFACE = (b"PRI", b"*", b"2.0")
_FRAMING = {b"content-length", b"transfer-encoding"}


class StrictConnection(h11.Connection):
    """A strict h11 server connection; with `http2` it accepts the preface of HTTP/2."""

    def __init__(self, max_bytes: int, *, http2: bool) -> None:
        super().__init__(h11.SERVER, max_incomplete_event_size=max_bytes)
        self._http2 = http2

    def next_event(self) -> Any:
        """Return the next event; raises RemoteProtocolError for a refused request."""
        if self.their_state is not h11.IDLE:
            return super().next_event()
        received = self.trailing_data[0]
        event = super().next_event()
        if type(event) is h11.Request:
            remaining = len(self.trailing_data[0])
            self._check(event, received[: len(received) - remaining])
        return event

    def _check(self, request: h11.Request, head: bytes) -> None:
        if b"\n " in head or b"\n\t" in head:
            _refuse("A header line must not continue on the next line.")
        framing = _FRAMING.intersection(name for name, _ in request.headers)
        if len(framing) == len(_FRAMING):
            _refuse("Content-Length and Transfer-Encoding must not be combined.")
        if b"transfer-encoding" in framing and request.http_version < b"1.1":
            _refuse("HTTP/1.0 does not support Transfer-Encoding.")
        if not self._http2 and _is_preface(request):
            _refuse("HTTP/2 is disabled.")


def _is_preface(request: h11.Request) -> bool:
    return (request.method, request.target, request.http_version) == _PREFACE


def _refuse(reason: str) -> None:
    raise h11.RemoteProtocolError(reason, error_status_hint=400)
