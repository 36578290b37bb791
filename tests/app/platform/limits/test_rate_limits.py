"""Rate limits over HTTP: the headers of counted responses, and the 429 of the API contract."""

from __future__ import annotations

from datetime import timedelta

import pytest
from conftest import Visit
from contract.schemas import ERROR_ENVELOPE
from contract.validation import violations
from contract.visitor import FakeClock, Reply, Visitor

API = "/api/public/v1"
PEER = "203.0.113.7"
PAGE = {"pages/a.md": "---\ntitle: A\n---\n", "pages/a.ar.md": "---\ntitle: ا\n---\n"}
FORM = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}


@pytest.fixture
def visitor(visit: Visit) -> Visitor:
    """Return an application with one page and no requests yet."""
    return visit(PAGE)


def limit_headers(reply: Reply) -> tuple[int, int, int]:
    """Return limit, remaining and reset, which are integers."""
    names = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
    return tuple(int(reply.headers[name]) for name in names)  # type: ignore[return-value]  # three


def spend(visitor: Visitor, number: int, target: str = f"{API}/pages/a") -> Reply:
    """Send `number` requests and return the last response."""
    for _ in range(number - 1):
        visitor.ask("GET", target, peer=PEER)
    return visitor.ask("GET", target, peer=PEER)


def test_every_counted_response_has_the_limit_headers(visitor: Visitor) -> None:
    """Cache hits, 304, 400, 404, 405, HEAD and aliases are counted in one bucket."""
    first = visitor.ask("GET", f"{API}/pages/a", peer=PEER)
    conditional = {"If-None-Match": first.headers["ETag"]}
    replies = [
        first,
        visitor.ask("GET", f"{API}/pages/a", peer=PEER),
        visitor.ask("HEAD", f"{API}/pages/a", peer=PEER),
        visitor.ask("GET", f"{API}/pages/a", conditional, peer=PEER),
        visitor.ask("GET", "/api/page/a", peer=PEER),
        visitor.ask("GET", f"{API}/pages/a?lang=fr", peer=PEER),
        visitor.ask("GET", f"{API}/pages/b", peer=PEER),
        visitor.ask("GET", "/api/no-such", peer=PEER),
        visitor.ask("GET", f"{API}/pages/%zz", peer=PEER),
        visitor.ask("DELETE", f"{API}/pages/a", peer=PEER),
    ]
    statuses = [reply.status for reply in replies]
    assert statuses == [200, 200, 200, 304, 200, 400, 404, 404, 400, 405]
    assert [limit_headers(reply) for reply in replies] == [(120, 119 - n, 60) for n in range(10)]
    assert {reply.headers["RateLimit-Policy"] for reply in replies} == {'"reads";q=120;w=60'}
    states = [f'"reads";r={119 - n};t=60' for n in range(10)]
    assert [reply.headers["RateLimit"] for reply in replies] == states


@pytest.mark.parametrize(
    "target", ["/ae/en/a", "/ae/en/a.json", "/ae/en/a.md", "/llms.txt", "/sitemap.xml", "/"]
)
def test_pages_and_discovery_documents_are_not_counted(visitor: Visitor, target: str) -> None:
    """The limit is for API clients, not for readers and crawlers."""
    assert "RateLimit-Limit" not in visitor.ask("GET", target, peer=PEER).headers


def test_preflights_are_not_counted(visitor: Visitor) -> None:
    """A CORS preflight is not a request of the user."""
    for _ in range(130):
        visitor.ask("OPTIONS", f"{API}/pages", peer=PEER)
    assert limit_headers(visitor.ask("GET", f"{API}/pages", peer=PEER))[1] == 119


def test_120_reads_are_answered_and_one_more_is_refused(visitor: Visitor) -> None:
    """It gets 429 in the error envelope with Retry-After, even if the response is cached."""
    assert spend(visitor, 120).status == 200
    reply = visitor.ask("GET", f"{API}/pages/a", peer=PEER)
    assert reply.status == 429
    assert violations(ERROR_ENVELOPE, reply.json) == []
    assert reply.json["error"]["code"] == "RATE_LIMITED"
    assert limit_headers(reply) == (120, 0, 60)
    wait = reply.headers["Retry-After"]
    assert wait == "60"
    assert f"Wait {wait} seconds" in reply.json["error"]["resolution"]
    assert "no-store" in reply.headers["Cache-Control"]
    assert reply.headers["Access-Control-Allow-Origin"] == "*"


def test_the_429_of_an_alias_has_the_deprecation_headers(visitor: Visitor) -> None:
    """A 429 has the headers of its path."""
    reply = spend(visitor, 121, "/api/page/a")
    assert reply.status == 429
    assert reply.headers["Deprecation"] == "true"


def test_after_the_window_requests_are_answered_again(visitor: Visitor, clock: FakeClock) -> None:
    """Refused requests do not extend the window."""
    spend(visitor, 125)
    clock.move(timedelta(seconds=59))
    assert spend(visitor, 1).headers["Retry-After"] == "1"
    clock.move(timedelta(seconds=1))
    assert limit_headers(spend(visitor, 1)) == (120, 119, 60)


def test_another_client_is_not_refused(visitor: Visitor) -> None:
    """Each client has its own count."""
    assert spend(visitor, 121).status == 429
    assert visitor.get(f"{API}/pages/a").status == 200


def test_health_is_counted_separately(visitor: Visitor) -> None:
    """Health and other reads do not use up the limits of each other."""
    assert spend(visitor, 121).status == 429
    assert limit_headers(spend(visitor, 1, f"{API}/health"))[:2] == (120, 119)
    assert spend(visitor, 120, "/api/health").status == 429


def test_exactly_120_of_many_at_once_are_answered(visitor: Visitor) -> None:
    """Concurrent requests are counted exactly."""
    exchanges = (visitor.exchange("GET", f"{API}/pages/a", {}, PEER) for _ in range(200))
    statuses = [reply.status for reply in visitor.together(*exchanges)]
    assert (statuses.count(200), statuses.count(429)) == (120, 80)


def test_12_leads_are_accepted_over_all_routes_together(visitor: Visitor) -> None:
    """Invalid leads count too; reads are in another bucket."""
    for number in range(6):
        assert visitor.post("/api/leads", {"email": f"a{number}@b.test"}, peer=PEER).status == 200
    for _ in range(5):
        assert visitor.post(f"{API}/leads", {}, peer=PEER).status == 400
    last = visitor.ask("POST", "/ae/en/contact", FORM, PEER, b"email=x")
    assert limit_headers(last) == (12, 0, 600)
    over = visitor.post(f"{API}/leads", {"email": "a@b.test"}, peer=PEER)
    assert (over.status, over.headers["Retry-After"]) == (429, "600")
    assert over.headers["RateLimit-Policy"] == '"leads";q=12;w=600'
    assert len(visitor.leads()) == 6
    assert visitor.ask("GET", f"{API}/pages/a", peer=PEER).status == 200


CONTACT = {
    "registry/contact.md": "---\ntitle: Contact\n---\n",
    "registry/contact.ar.md": "---\ntitle: تواصل\n---\n",
}


def test_the_429_of_the_form_keeps_what_was_typed(visit: Visit, clock: FakeClock) -> None:
    """It is the form with its input, in the language of the page, and says when to send again."""
    visitor = visit(CONTACT)
    for _ in range(12):
        visitor.post("/api/leads", {}, peer=PEER)
    typed = b"email=a@b.test&message=%D9%86%D9%88%D8%B1&utm_source=x"
    reply = visitor.ask("POST", "/sa/ar/contact", FORM, PEER, typed)
    assert (reply.status, reply.headers["Content-Language"]) == (429, "ar")
    assert (reply.headers["Retry-After"], reply.headers["Cache-Control"]) == ("600", "no-store")
    assert "بعد 10 دقائق" in reply.text
    assert 'value="a@b.test"' in reply.text
    assert "\nنور</textarea>" in reply.text
    assert '<input type="hidden" name="utm_source" value="x">' in reply.text
    assert visitor.leads() == []
    clock.move(timedelta(seconds=590))
    reply = visitor.ask("POST", "/ae/en/contact", FORM, PEER, typed)
    assert "again in 1 minute." in reply.text
    clock.move(timedelta(seconds=10))
    assert visitor.ask("POST", "/ae/en/contact", FORM, PEER, typed).status == 303


def test_a_flood_of_forms_gets_a_short_429(visit: Visit) -> None:
    """As do clients that do not ask for HTML: the form costs more than the counting."""
    visitor = visit(CONTACT)
    for _ in range(12):
        visitor.post("/api/leads", {}, peer=PEER)
    post = ("POST", "/sa/ar/contact")
    assert "textarea" not in visitor.ask(*post, FORM | {"Accept": "*/*"}, PEER, b"email=x").text
    replies = [visitor.ask(*post, FORM, PEER, b"email=x") for _ in range(12)]
    assert {reply.status for reply in replies} == {429}
    assert ["textarea" in reply.text for reply in replies] == [True] * 11 + [False]
    reply = replies[-1]
    assert (reply.status, reply.headers["Content-Language"]) == (429, "ar")
    assert reply.headers["Content-Type"].startswith("text/html")
    assert int(reply.headers["Retry-After"]) == 600
    assert "طلبات كثيرة" in reply.text


def test_clients_behind_a_trusted_proxy_are_distinguished(visit: Visit) -> None:
    """They are identified by the end of the header, which the proxy wrote."""
    visitor = visit(PAGE, trusted_proxies="10.0.0.0/8")

    def remaining(forwarded: str, peer: str = "10.0.0.1") -> int:
        headers = {"X-Forwarded-For": forwarded}
        return limit_headers(visitor.ask("GET", f"{API}/pages/a", headers, peer))[1]

    assert remaining("198.51.100.1") == 119
    assert remaining("198.51.100.2") == 119
    assert remaining("6.6.6.6, 198.51.100.1") == 118
    assert remaining("198.51.100.1, 10.0.0.9") == 117
    assert remaining("198.51.100.9", peer="198.51.100.1") == 116


def test_nobody_escapes_the_limit_by_inventing_addresses(visitor: Visitor) -> None:
    """The header is ignored if the peer is not a trusted proxy."""
    headers = ({"X-Forwarded-For": f"198.51.100.{n}"} for n in range(121))
    last = [visitor.ask("GET", f"{API}/pages/a", forged, PEER) for forged in headers][-1]
    assert last.status == 429


def test_an_ipv6_customer_is_one_client(visitor: Visitor) -> None:
    """Every device can choose from 2^64 addresses."""
    replies = [
        visitor.ask("GET", f"{API}/pages/a", peer=peer)
        for peer in ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:db8:0:2::1")
    ]
    assert [limit_headers(reply)[1] for reply in replies] == [119, 118, 119]
