"""MCP over HTTP: who may call, with what, how often, and in which locale."""

from __future__ import annotations

import json
import re

import pytest
from agents import HOST, code, legacy, modern, posted
from cases import cases
from contract.visitor import Visitor

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'


@cases("method", ["GET", "HEAD", "DELETE", "PUT", "PATCH"])
def test_only_post_is_answered(site: Visitor, method: str) -> None:
    """There is no stream to open and no session to end."""
    reply = site.ask(method, "/mcp", HOST)
    assert (reply.status, reply.headers["Allow"]) == (405, "OPTIONS, POST")


@cases("method", ["GET", "POST", "DELETE", "OPTIONS"])
def test_without_the_setting_there_is_nothing(sample: Visitor, method: str) -> None:
    """The answer is that of any path at which there is no page."""
    off, unknown = (sample.ask(method, target, HOST, body=PING) for target in ("/mcp", "/mcq"))
    assert (off.status, off.body) == (unknown.status, unknown.body)
    assert sorted(off.headers) == sorted(unknown.headers)


@cases(
    ("content_type", "status"),
    [
        pytest.param("application/json", 200, id="JSON"),
        pytest.param("Application/JSON; Charset=UTF-8", 200, id="JSON in UTF-8"),
        pytest.param("application/json; charset=latin-1", 415, id="JSON in another charset"),
        pytest.param("text/plain", 415, id="text, which a form of any site could send"),
        pytest.param("", 415, id="nothing"),
    ],
)
def test_a_message_is_json(site: Visitor, content_type: str, status: int) -> None:
    """Pages of other sites can send other types without asking."""
    assert posted(site, PING, {"Content-Type": content_type}).status == status


def test_a_compressed_message_is_refused(site: Visitor) -> None:
    """It would have to be unpacked before its size is known."""
    assert posted(site, PING, {"Content-Encoding": "gzip"}).status == 415


@pytest.mark.parametrize("announced", [True, False])
def test_a_message_has_at_most_64_kib(site: Visitor, announced: bool) -> None:
    """Also if its length is not announced."""
    for size, status in ((64 * 1024, 200), (64 * 1024 + 1, 413)):
        body = PING.ljust(size)
        headers = {"Content-Length": str(size)} if announced else {}
        assert posted(site, body, headers).status == status


@cases(
    ("origin", "allowed"),
    [
        pytest.param("https://www.wahat.example", True, id="its own"),
        pytest.param("https://app.example", True, id="one of MCP_ORIGINS"),
        pytest.param("http://localhost:6274", True, id="a program on this machine"),
        pytest.param("http://[::1]:6274", True, id="the same by its address"),
        pytest.param("http://www.wahat.example", False, id="its own without TLS"),
        pytest.param("https://evil.example", False, id="another one"),
        pytest.param("http://localhost.evil.example", False, id="one that begins like it"),
        pytest.param("null", False, id="a page without origin"),
        pytest.param("", False, id="nothing"),
    ],
)
def test_pages_of_other_sites_may_not_call(site: Visitor, origin: str, allowed: bool) -> None:
    """A browser asks before it sends JSON, and refuses to show the answer."""
    asked = site.ask("OPTIONS", "/mcp", {**HOST, "Origin": origin})
    called = posted(site, PING, {"Origin": origin, "Sec-Fetch-Site": "same-origin"})
    assert (asked.status, called.status) == (204, 200 if allowed else 403)
    assert asked.headers.get("Access-Control-Allow-Methods") == ("POST" if allowed else None)
    for reply in (asked, called):
        assert reply.headers.get("Access-Control-Allow-Origin") == ("*" if allowed else None)


@cases(
    ("host", "status"),
    [
        pytest.param("WWW.Wahat.example:443", 200, id="its own"),
        pytest.param("localhost:8000", 200, id="this machine"),
        pytest.param("[::1]", 200, id="this machine by its address"),
        pytest.param("evil.example", 403, id="another one"),
        pytest.param("www.wahat.example.evil.example", 403, id="one that begins like it"),
        pytest.param("a@b:c", 400, id="none"),
    ],
)
def test_a_foreign_host_name_is_refused(site: Visitor, host: str, status: int) -> None:
    """A site could make its name an address of this service."""
    assert posted(site, PING, {"Host": host}).status == status


def test_a_trusted_proxy_may_pass_a_host_name_of_its_own() -> None:
    """Such as the name of a container; pages of other sites are refused by their origin."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    with Visitor(mcp=True, trusted_proxies="10.0.0.0/8") as visitor:
        for peer, status in (("10.0.0.1", 200), ("192.0.2.1", 403)):
            assert visitor.post("/mcp", message, {"Host": "app"}, peer).status == status


def test_messages_count_as_reads(site: Visitor) -> None:
    """Together with those of the API, by client."""
    peer = "198.51.100.77"
    counts = [legacy(site, "ping", peer=peer).headers["RateLimit-Remaining"] for _ in range(2)]
    site.ask("GET", "/api/public/v1/pages", peer=peer)
    last = legacy(site, "ping", peer=peer)
    assert (counts, last.headers["RateLimit-Remaining"]) == (["119", "118"], "116")
    assert last.headers["RateLimit-Policy"] == '"reads";q=120;w=60'
    assert last.headers["RateLimit"] == '"reads";r=116;t=60'
    for _ in range(116):
        legacy(site, "ping", peer=peer)
    over = legacy(site, "ping", peer=peer)
    assert (over.status, over.headers["Retry-After"]) == (429, "60")
    assert over.json["error"]["code"] == "RATE_LIMITED"


def test_the_address_names_the_locale(site: Visitor) -> None:
    """In any order, and with the letters of either case; a call then needs not name it."""
    params = {"name": "list_pages", "arguments": {"limit": 1}}
    expected = {"": "/ae/en", "?lang=ar&country=SA": "/sa/ar", "?country=kw": "/kw/en"}
    for query, path in expected.items():
        result = modern(site, "tools/call", params, target=f"/mcp{query}").json["result"]
        assert result["structuredContent"]["pages"][0]["id"].startswith(path)


@cases("query", ["", "?lang=ar&country=SA", "?country=kw"])
def test_no_locale_is_told_as_the_one_of_all_texts(site: Visitor, query: str) -> None:
    """The instructions say how to name one, whatever that of the address is."""
    result = modern(site, "server/discover", target=f"/mcp{query}").json["result"]
    assert "/mcp?country=…&lang=…" in result["instructions"]
    assert not re.search("/[a-z]{2}/(en|ar)(?!/contact)", result["instructions"])


@cases("query", ["country=xx", "lang=fr", "country=sa&lang=x"])
def test_a_locale_that_the_site_has_not_is_refused(site: Visitor, query: str) -> None:
    """With those that it has."""
    reply = modern(site, "tools/list", target=f"/mcp?{query}")
    assert code(reply) == (400, -32602)
    assert "Send " in reply.json["error"]["message"]


def test_each_request_has_an_id(site: Visitor) -> None:
    """As all others have."""
    assert legacy(site, "ping").headers["X-Request-Id"] == "the-same-id"


@cases(
    ("body", "error_code"),
    [
        pytest.param(b"", -32700, id="nothing"),
        pytest.param(b'{"jsonrpc":', -32700, id="cut off"),
        pytest.param(b"\xff\xfe", -32700, id="no text"),
        pytest.param(b'{"id":NaN}', -32700, id="not a number"),
        pytest.param(b"[" * 60_000, -32700, id="nested deeply"),
        pytest.param(b'{"id":' + b"9" * 60_000 + b"}", -32700, id="a huge number"),
        pytest.param(b'"ping"', -32600, id="a text"),
        pytest.param(b"[%b]" % PING, -32600, id="a batch"),
        pytest.param(b'{"id":1,"method":"ping"}', -32600, id="no version of JSON-RPC"),
        pytest.param(b'{"jsonrpc":"2.0","id":1}', -32600, id="no method"),
        pytest.param(b'{"jsonrpc":"2.0","id":1,"result":{}}', -32600, id="a response"),
        pytest.param(b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, id="null as id"),
        pytest.param(b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600, id="true as id"),
        pytest.param(b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, id="a fraction as id"),
        pytest.param(b'{"jsonrpc":"2.0","id":1,"method":7}', -32600, id="a number as method"),
        pytest.param(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32602, id="a list"),
    ],
)
def test_what_is_no_message_is_refused(site: Visitor, body: bytes, error_code: int) -> None:
    """The answer has the id if it can be read."""
    reply = posted(site, body)
    assert code(reply) == (400, error_code)
    has_id = b'"id":1,' in body.replace(b"}", b",") and body.startswith(b"{")
    assert reply.json.get("id") == (1 if has_id else None)


def test_ids_are_repeated_as_they_are(site: Visitor) -> None:
    """Also those that look like numbers, are Arabic or very long."""
    for sent in (0, -7, 2**80, "1", "طلب", "x" * 1_000, '"'):
        body = json.dumps({"jsonrpc": "2.0", "id": sent, "method": "ping"}).encode()
        assert posted(site, body).json == {"jsonrpc": "2.0", "id": sent, "result": {}}
