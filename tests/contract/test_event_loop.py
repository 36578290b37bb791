"""No regular expression runs in the event loop on a long text of a body.

The heads of requests are not judged here: all of one together have 16 KiB at most.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from types import FrameType
from urllib.parse import urlencode

from conftest import Visit
from contract.visitor import Visitor

API, PATH = "/api/public/v1/leads", "/ae/en/contact"
FEEDBACK = "/api/public/v1/feedback"
PAGES = {"registry/contact.md": "---\ntitle: Contact\n---\nText.\n"}
FORM = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}
LONGEST = 2_048
MESSAGE = "We ask for an offer: see https://shop.test/a. " * 108
PARSERS = {"json.decoder", "urllib.parse"}
"""Of the standard library: one skips blanks, the other splits a text before each `%`."""


MESSAGES: Sequence[tuple[str, Mapping[str, object]]] = (
    ("initialize", {"clientInfo": {"name": "x" * 60_000, "version": "1"}}),
    ("tools/call", {"name": "find_passages", "arguments": {"query": "ab " * 20_000}}),
    ("tools/call", {"name": "fetch", "arguments": {"id": "/a" * 20_000}}),
    ("resources/read", {"uri": "a/" * 20_000}),
    ("x" * 50_000, {}),
)


def call(visitor: Visitor, method: str, params: Mapping[str, object]) -> None:
    """Send a message to MCP."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    accepted = {"Accept": "application/json, text/event-stream"}
    visitor.post("/mcp", message, headers=accepted)


def test_long_texts_are_judged_outside_the_event_loop(visit: Visit) -> None:
    """Watched are the pattern methods that the loop's thread calls, and the texts of the caller."""
    visitor = visit(PAGES, mcp=True, audience=True)
    watched: list[str] = []
    long: set[str] = set()

    def watch(frame: FrameType, event: str, called: object) -> None:
        if event != "c_call" or not isinstance(getattr(called, "__self__", None), re.Pattern):
            return
        module = frame.f_globals["__name__"]
        watched.append(module)
        texts = [value for value in frame.f_locals.values() if isinstance(value, str | bytes)]
        if max(map(len, texts), default=0) > LONGEST and module not in PARSERS:
            long.add(f"{module}.{frame.f_code.co_qualname}")

    fields = {"email": "noor@shop.example", "name": "Noor", "message": MESSAGE}
    sys.setprofile(watch)
    try:
        replies = [
            visitor.post(API, fields),
            visitor.ask("POST", PATH, FORM, body=urlencode(fields).encode()),
            visitor.post(API, fields | dict.fromkeys(("email", "name", "phone"), "a" * 5_000)),
            visitor.post(FEEDBACK, {"page": PATH, "kind": "wrong", "message": "a-b " * 15_000}),
        ]
        for method, params in MESSAGES:
            call(visitor, method, params)
    finally:
        sys.setprofile(None)
    assert [reply.status for reply in replies] == [200, 303, 400, 400]
    assert len(visitor.leads()) == 2
    assert watched
    assert long == set()
