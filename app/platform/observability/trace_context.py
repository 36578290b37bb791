"""Trace context (W3C, level 1): which trace a request belongs to, taken from it and passed on.

A malformed `traceparent` is ignored, and its `tracestate` with it. A trace is not authority: any
client may send one, and all that it changes is what log lines and outgoing requests are named.
"""

from __future__ import annotations

import re
from contextvars import ContextVar
from typing import NamedTuple

TRACEPARENT = "traceparent"
TRACESTATE = "tracestate"
_TRACEPARENT = re.compile(
    rb"(?!ff)(?P<version>[0-9a-f]{2})-(?P<trace>(?!0{32})[0-9a-f]{32})-(?P<span>(?!0{16})[0-9a-f]{16})"
    rb"-(?P<flags>[0-9a-f]{2})(?P<more>-[ -~]*)?"
)
_LONGEST = 512
"""Bytes of either header that are read."""

_KNOWN_FLAGS = 0x03
"""Sampled, and random; others have no meaning yet and are not passed on."""

_MEMBERS = 32
_MEMBER = re.compile(
    rb"([a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})"
    rb"=[ !-+\--<>-~]{0,255}[!-+\--<>-~]"
)


class TraceContext(NamedTuple):
    """A position in a trace: the span that the next one belongs to, in hexadecimal digits."""

    trace_id: str
    span_id: str
    flags: int = 0
    state: str = ""

    @property
    def traceparent(self) -> str:
        """The header that passes it on.

        >>> TraceContext("ab" * 16, "cd" * 8, 1).traceparent
        '00-abababababababababababababababab-cdcdcdcdcdcdcdcd-01'
        """
        return f"00-{self.trace_id}-{self.span_id}-{self.flags:02x}"

    @property
    def headers(self) -> dict[str, str]:
        """The headers that pass it on."""
        headers = {TRACEPARENT: self.traceparent}
        return headers | {TRACESTATE: self.state} if self.state else headers


current_trace: ContextVar[TraceContext | None] = ContextVar("current_trace", default=None)
"""The trace of the current request or delivery, None if it belongs to none."""


def trace_of(traceparent: bytes, tracestate: bytes = b"") -> TraceContext | None:
    """Parse both headers; None if the first is malformed, no state if the second is.

    >>> trace_of(b"00-%b-%b-01" % (b"ab" * 16, b"cd" * 8), b"vendor=1").state
    'vendor=1'
    >>> trace_of(b"00-%b-%b-01" % (b"0" * 32, b"cd" * 8))
    """
    match = _TRACEPARENT.fullmatch(traceparent) if len(traceparent) <= _LONGEST else None
    if match is None or (match["more"] and match["version"] == b"00"):
        return None
    flags = int(match["flags"], 16) & _KNOWN_FLAGS
    return TraceContext(match["trace"].decode(), match["span"].decode(), flags, _state(tracestate))


def _state(tracestate: bytes) -> str:
    """Return a valid list of distinct members, or nothing."""
    if len(tracestate) > _LONGEST:
        return ""
    members = [member for part in tracestate.split(b",") if (member := part.strip(b" \t"))]
    keys = {member.partition(b"=")[0] for member in members}
    is_valid = len(keys) == len(members) <= _MEMBERS and all(map(_MEMBER.fullmatch, members))
    return b",".join(members).decode() if is_valid else ""


def trace_headers() -> dict[str, str]:
    """Return the headers that pass the current trace on; none without one."""
    trace = current_trace.get()
    return trace.headers if trace else {}
