"""Trace context: what is taken from the headers of W3C Trace Context, and passed on."""

from __future__ import annotations

import pytest

from app.platform.observability.trace_context import (
    TraceContext,
    current_trace,
    trace_headers,
    trace_of,
)

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
VALID = f"00-{TRACE}-{SPAN}-01"


@pytest.mark.parametrize(
    ("sent", "flags"),
    [
        pytest.param(VALID, 1, id="sampled"),
        pytest.param(f"00-{TRACE}-{SPAN}-00", 0, id="not sampled"),
        pytest.param(f"00-{TRACE}-{SPAN}-ff", 3, id="unknown flags"),
        pytest.param(f"cc-{TRACE}-{SPAN}-01-what-the-future-holds", 1, id="a later version"),
    ],
)
def test_a_valid_traceparent_is_taken(sent: str, flags: int) -> None:
    """Flags without a meaning are left out."""
    assert trace_of(sent.encode()) == TraceContext(TRACE, SPAN, flags)


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "x",
        VALID.upper(),
        f"{VALID}-more",
        f"{VALID}\n",
        f" {VALID}",
        f"{VALID}, {VALID}",
        f"ff-{TRACE}-{SPAN}-01",
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE[:-1]}-{SPAN}-01",
        f"00-{TRACE}-{SPAN}-1",
        f"cc-{TRACE}-{SPAN}-01.more",
        f"cc-{TRACE}-{SPAN}-01-{'x' * 500}",
    ],
)
def test_a_malformed_traceparent_is_ignored(sent: str) -> None:
    """Such a request has no trace, and nothing is invented."""
    assert trace_of(sent.encode(), b"vendor=1") is None


@pytest.mark.parametrize(
    ("sent", "state"),
    [
        pytest.param("a=1,b@c=x y", "a=1,b@c=x y", id="two members"),
        pytest.param("a=1 ,, \tb=2", "a=1,b=2", id="blanks and empty members"),
        pytest.param("a=1,a=2", "", id="a key twice"),
        pytest.param("A=1", "", id="an uppercase key"),
        pytest.param("a=1\nb: 2", "", id="a line feed"),
        pytest.param("a", "", id="no value"),
        pytest.param(",".join(f"k{number}=v" for number in range(33)), "", id="too many"),
        pytest.param("a=" + "v" * 511, "", id="too long"),
    ],
)
def test_a_malformed_tracestate_is_dropped(sent: str, state: str) -> None:
    """The trace itself stays."""
    trace = trace_of(VALID.encode(), sent.encode())
    assert trace == TraceContext(TRACE, SPAN, 1, state)


@pytest.mark.parametrize("state", ["", "vendor=1"])
def test_the_current_trace_is_passed_on(state: str) -> None:
    """Outside of a trace there are no headers."""
    assert trace_headers() == {}
    token = current_trace.set(trace_of(VALID.encode(), state.encode()))
    try:
        headers = trace_headers()
    finally:
        current_trace.reset(token)
    assert headers == {"traceparent": VALID} | ({"tracestate": state} if state else {})
