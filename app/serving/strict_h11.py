"""HTTP/1.1 as strictly as RFC 9112 asks of a server, where h11 is more lenient.

Requests are refused that another server on the way may have read in another way: those with both
Content-Length and Transfer-Encoding (section 6.1), Transfer-Encoding in HTTP/1.0 (the same),
and header lines that are continued on the next line (section 5.2).
"""

from __future__ import annotations

from typing import Any

import h11

_PREFACE = (b"PRI", b"*", b"2.0")
_FRAMING = {b"content-length", b"transfer-encoding"}


class StrictConnection(h11.Connection):
    """h11's state of a server's connection; `http2` lets the preface of HTTP/2 pass."""

    def __init__(self, most_bytes: int, *, http2: bool) -> None:
        super().__init__(h11.SERVER, max_incomplete_event_size=most_bytes)
        self._http2 = http2

    def next_event(self) -> Any:
        """The next event; raises RemoteProtocolError for what is refused."""
        if self.their_state is not h11.IDLE:
            return super().next_event()
        received = self.trailing_data[0]
        event = super().next_event()
        if type(event) is h11.Request:
            left = len(self.trailing_data[0])
            self._check(event, received[: len(received) - left])
        return event

    def _check(self, request: h11.Request, head: bytes) -> None:
        if b"\n " in head or b"\n\t" in head:
            _refuse("A header line is continued on the next one.")
        framing = _FRAMING.intersection(name for name, _ in request.headers)
        if len(framing) == len(_FRAMING):
            _refuse("There are both Content-Length and Transfer-Encoding.")
        if b"transfer-encoding" in framing and request.http_version < b"1.1":
            _refuse("HTTP/1.0 has no Transfer-Encoding.")
        if not self._http2 and _is_preface(request):
            _refuse("HTTP/2 is off.")


def _is_preface(request: h11.Request) -> bool:
    return (request.method, request.target, request.http_version) == _PREFACE


def _refuse(reason: str) -> None:
    raise h11.RemoteProtocolError(reason, error_status_hint=400)
