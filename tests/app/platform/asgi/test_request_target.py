"""The request target: all middleware sees one path, whatever the server passes on."""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import unquote

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import Reply, Visitor
from hypercorn.typing import HTTPScope
from hypothesis import example, given
from hypothesis import strategies as st

from app.features.leads.submission import LEADS_BUCKET as LEADS
from app.platform.asgi.request_target import read_target
from knowledge.resources.errors import InvalidArgument

Target = tuple[str, bytes, bytes]


def scope_of(target: str, **fields: Any) -> HTTPScope:
    """Return the scope of a request with this target, as Hypercorn creates it."""
    raw, _, query = target.encode("latin-1").partition(b"?")
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "path": unquote(raw.decode("latin-1")),
        "raw_path": raw,
        "query_string": query,
        "root_path": "",
        "headers": [(b"host", b"x")],
    }
    return cast(HTTPScope, scope | fields)


def read(scope: HTTPScope) -> Target:
    """Return the path, raw path and query that the middleware sees."""
    read_target(scope)
    assert scope["root_path"] == ""
    return scope["path"], scope["raw_path"], scope["query_string"]


@cases(
    ("target", "seen"),
    [
        pytest.param("/", ("/", b"/", b""), id="root"),
        pytest.param("/a%20b?c=%20", ("/a b", b"/a%20b", b"c=%20"), id="encoded"),
        pytest.param("//a/../b;c", ("//a/../b;c", b"//a/../b;c", b""), id="not normalized further"),
        pytest.param("http://x", ("/", b"/", b""), id="no path"),
        pytest.param("http://x?a", ("/", b"/", b"a"), id="a query alone"),
        pytest.param("hTTp://X:80/%61?b", ("/a", b"/%61", b"b"), id="absolute"),
        pytest.param("http://x//a", ("//a", b"//a", b""), id="absolute with two slashes"),
        pytest.param("http://x/http://y/", ("/http://y/", b"/http://y/", b""), id="one in another"),
        pytest.param("/é?ø", ("/\N{REPLACEMENT CHARACTER}", b"/%E9", b"%F8"), id="no UTF-8"),
        pytest.param("/Ã©?Ã©", ("/é", b"/%C3%A9", b"%C3%A9"), id="UTF-8"),
        pytest.param("http://x/Ã©", ("/é", b"/%C3%A9", b""), id="UTF-8 in the absolute form"),
    ],
)
def test_a_target_is_reduced_to_its_path(target: str, seen: Target) -> None:
    """The decoded path matches the raw path."""
    assert read(scope_of(target)) == seen


def test_a_server_may_leave_the_raw_path_out() -> None:
    """It is encoded from the decoded path."""
    assert read(scope_of("/a%3Fb%20%D8%B4", raw_path=None))[1] == b"/a%3Fb%20%D8%B4"
    assert read(scope_of("http://x/a", raw_path=None))[:2] == ("/a", b"/a")


def test_a_server_may_leave_the_query_in_the_raw_path() -> None:
    """Older versions of the ASGI specification did not forbid it."""
    scope = scope_of("/a?b")
    scope["raw_path"] = b"/a?b"
    assert read(scope) == ("/a", b"/a", b"b")


def test_the_root_path_of_a_server_is_removed() -> None:
    """The router removes it, so all middleware must."""
    assert read(scope_of("/shop/api/leads", root_path="/shop"))[:2] == ("/api/leads", b"/api/leads")
    with pytest.raises(InvalidArgument):
        read(scope_of("/shop", root_path="/shop"))


@cases(
    "fields",
    [
        pytest.param({"http_version": "2"}, id="HTTP/2 has no absolute form"),
        pytest.param({"headers": [(b"host", b"x"), (b"host", b"x")]}, id="two hosts"),
        pytest.param({"headers": [(b"host", b"y")]}, id="another host"),
        pytest.param({"headers": [(b"host", b"u@x")]}, id="a malformed host"),
    ],
)
def test_an_absolute_form_must_agree_with_the_rest(fields: dict[str, Any]) -> None:
    """A contradiction may be an attack."""
    with pytest.raises(InvalidArgument):
        read(scope_of("http://x/", **fields))


def test_http_1_0_needs_no_host() -> None:
    """The absolute form contains the host."""
    assert read(scope_of("http://x/a", http_version="1.0", headers=[]))[0] == "/a"


@cases("target", ["/a b", "/a\x00", "/\x7f", "/?\n", "/? ", "\t/", "é/"])
def test_what_must_be_encoded_is_refused(target: str) -> None:
    """Some servers accept such targets."""
    with pytest.raises(InvalidArgument):
        read(scope_of(target))


@given(st.text(st.characters(max_codepoint=255), max_size=40))
@example("http://x:99999999999999999999/")
@example("http://[" + ":" * 30 + "]/")
def test_any_target_is_a_path_or_refused(target: str) -> None:
    """There is no other result, and no other exception."""
    try:
        path, raw, query = read(scope_of(target))
    except InvalidArgument:
        return
    assert path[0] == "/"
    assert raw[:1] == b"/"
    assert unquote(raw.decode("ascii")) == path
    assert raw.isascii()
    assert query.isascii()


SPELLINGS = [
    "{0}",
    "http://testserver{0}",
    "http://testserver:80{0}",
    "x:{0}",
    "x:/{0}",
    "/{0}",
    "/.{0}",
    "/x/..{0}",
    "{0}/",
    "{0}/.",
    "{0};a",
    "{0}%3Fa",
    "{0}%23a",
    "{0}%0A",
    "{0}%00",
    "{0}%20",
    "{0}?",
    "{0}?a#b",
    "/%2F{0}",
    "{1}",
    "%2F{1}",
    "/{2}",
    "/{3}",
    "/{4}",
    "/{5}",
    "\\{1}",
]
"""Ways to write a path: it, and it without its first slash, with the other slashes encoded, with a
letter encoded, in capitals, and with a line break at the end of its second segment."""
METHODS = ("POST", "post", "Post")


def spellings(path: str) -> list[str]:
    """Return all spellings of a path."""
    bare = path[1:]
    odd = f"%{ord(bare[0]):02x}{bare[1:]}"
    first, *others = bare.split("/")
    broken = "/".join([first, f"{others[0]}%0A", *others[1:]])
    words = (path, bare, bare.replace("/", "%2F"), odd, bare.upper(), broken)
    return [spelling.format(*words) for spelling in SPELLINGS]


@pytest.mark.parametrize("path", ["/api/leads", "/api/public/v1/leads", "/ae/en/contact"])
def test_no_spelling_reaches_the_leads_uncounted(visit: Visit, path: str) -> None:
    """A request that is not counted as a lead is not stored as one."""
    visitor = visit({"pages/contact.md": "---\ntitle: Contact\n---\nText.\n"})
    is_form = path.endswith("contact")

    def send(method: str, target: str) -> Reply:
        if not is_form:
            typed = {"Content-Type": "application/json"}
            return visitor.ask(method, target, typed, body=b'{"email": "a@example.com"}')
        typed = {"Content-Type": "application/x-www-form-urlencoded"}
        return visitor.ask(method, target, typed, body=b"email=a%40example.com&name=A&message=Hi")

    stored = 0
    for target in spellings(path):
        for method in METHODS:
            visitor.forget_leads()
            reply = send(method, target)
            assert reply.status < 500
            if visitor.leads():
                stored += 1
                assert reply.headers["RateLimit-Limit"] == str(LEADS.limit)
    assert stored >= len(METHODS)


@pytest.mark.slow
def test_no_spelling_reaches_a_read_uncounted(sample: Visitor) -> None:
    """Each response of the API has the rate-limit headers."""
    replies = [sample.ask("GET", each) for each in spellings("/api/public/v1/cities")]
    read = [each for each in replies if b'"cities"' in each.body]
    assert read
    assert {each.headers["RateLimit-Limit"] for each in read} == {"120"}
