"""Trace context: what is taken from the headers of W3C Trace Context, and passed on."""

from __future__ import annotations

import pytest
from cases import cases

from app.platform.observability.tracing import continued, trace_headers, trace_id, trace_in

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
VALID = f"00-{TRACE}-{SPAN}-01"


@cases(
    ("sent", "passed_on"),
    [
        pytest.param(VALID, VALID, id="sampled"),
        pytest.param(f"00-{TRACE}-{SPAN}-00", f"00-{TRACE}-{SPAN}-00", id="not sampled"),
        pytest.param(f"cc-{TRACE}-{SPAN}-01-what-the-future-holds", VALID, id="a later version"),
    ],
)
def test_a_valid_traceparent_is_taken(sent: str, passed_on: str) -> None:
    """It is passed on in the form of this version."""
    with continued(trace_in({"traceparent": sent})):
        assert trace_id() == TRACE
        assert trace_headers() == {"traceparent": passed_on}


@cases(
    "sent",
    [
        "",
        "x",
        VALID.upper(),
        f"{VALID}-more",
        f"{VALID}, {VALID}",
        f"ff-{TRACE}-{SPAN}-01",
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE[:-1]}-{SPAN}-01",
        f"00-{TRACE}-{SPAN}-1",
        f"cc-{TRACE}-{SPAN}-01.more",
    ],
)
def test_a_malformed_traceparent_is_ignored(sent: str) -> None:
    """Such a request has no trace, and nothing is invented."""
    with continued(trace_in({"traceparent": sent, "tracestate": "vendor=1"})):
        assert trace_id() is None
        assert trace_headers() == {}


@cases(
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
    with continued(trace_in({"traceparent": VALID, "tracestate": sent})):
        assert trace_headers() == {"traceparent": VALID} | ({"tracestate": state} if state else {})


def test_outside_of_a_trace_there_are_no_headers() -> None:
    """Nothing is invented."""
    assert trace_headers() == {}
    assert trace_id() is None
