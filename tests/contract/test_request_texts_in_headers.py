"""What a request says never changes the meaning of a response header that repeats it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

import pytest
from contract.inputs import EVERYTHING, inputs
from contract.visitor import Reply, Visitor

pytestmark = pytest.mark.slow

PARTS = ('a>; rel="license",</b>\\{}|^`\'ف é', "a\r\nSet-Cookie: a=b", "a%zz")
"""Signs that end a URL in a header, a value or a header, and letters that no URL has."""
URL = r"[\w:/?#\[\]@!$&'()*+,;=.~%-]*+"
"""The characters of a URI (RFC 3986); a `%` begins two hexadecimal digits."""
BROKEN_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2})")
LINK = rf'<{URL}>(?:; [a-z]+="[^"<>]*")+'
SYNTAX = {
    "Link": re.compile(rf"{LINK}(?:, {LINK})*", re.ASCII),
    "Location": re.compile(URL, re.ASCII),
    "Content-Location": re.compile(URL, re.ASCII),
}
VISIBLE = re.compile(r"[\t -~]*")


def malformed(reply: Reply) -> Iterator[tuple[str, str]]:
    """Yield the headers that are no text of a header, or no URLs where these are due."""
    for name, value in reply.headers.items():
        syntax = SYNTAX.get(name.title(), VISIBLE)
        is_url = syntax is not VISIBLE and BROKEN_ESCAPE.search(value)
        if is_url or not syntax.fullmatch(value) or name.lower() == "set-cookie":
            yield name, value


def targets(target: str) -> Collection[str]:
    """Return an encoded target, and the same one encoded only where the wire needs it."""
    raw = re.sub("%([2-7][0-9A-F])", lambda each: bytes.fromhex(each[1]).decode(), target)
    return {target, re.sub(r"[ #\x7f]", "", raw)}


@pytest.fixture(scope="module")
def everything() -> Iterator[Visitor]:
    """The sample with all routes."""
    with Visitor(**EVERYTHING) as visitor:
        yield visitor


def test_a_request_is_repeated_encoded(everything: Visitor) -> None:
    """Each input of each route, in paths, queries, headers and bodies."""
    found: dict[tuple[str, str], str] = {}
    count = 0
    for each in inputs(everything):
        for part in PARTS:
            sent = each.request(part)
            for target in targets(sent.target):
                reply = everything.ask(sent.method, target, sent.headers, body=sent.body)
                count += 1
                found |= {(each.name, name): value for name, value in malformed(reply)}
    assert count > 2_000
    assert found == {}
