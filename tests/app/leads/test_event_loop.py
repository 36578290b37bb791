"""No regular expression runs in the event loop on a long text of a visitor."""

from __future__ import annotations

import re
import sys
from types import FrameType
from urllib.parse import urlencode

from conftest import Visit

API, PATH = "/api/public/v1/leads", "/ae/en/contact"
PAGES = {"registry/contact.md": "---\ntitle: Contact\n---\nText.\n"}
FORM = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}
LONGEST = 2_048
MESSAGE = "We ask for an offer: see https://shop.test/a. " * 108
PARSERS = {"json.decoder", "urllib.parse"}
"""Of the standard library: one skips blanks, the other splits a text before each `%`."""


def test_a_long_message_is_judged_outside_the_event_loop(visit: Visit) -> None:
    """Watched are the pattern methods that the loop's thread calls, and the texts of the caller."""
    visitor = visit(PAGES)
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
        ]
    finally:
        sys.setprofile(None)
    assert [reply.status for reply in replies] == [200, 303, 400]
    assert len(visitor.leads()) == 2
    assert watched
    assert long == set()
