"""Limits on the wire: headers on every counted answer, and the 429 of the contract."""

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
    """An application with one page, asked by nobody yet."""
    return visit(PAGE)


def standing(reply: Reply) -> tuple[int, int, int]:
    """Limit, remaining and reset, which are whole numbers."""
    names = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
    return tuple(int(reply.headers[name]) for name in names)  # type: ignore[return-value]  # three


def spend(visitor: Visitor, number: int, target: str = f"{API}/pages/a") -> Reply:
    """Ask so often; the last answer."""
    for _ in range(number - 1):
        visitor.ask("GET", target, peer=PEER)
    return visitor.ask("GET", target, peer=PEER)


def test_every_counted_answer_tells_where_the_client_stands(visitor: Visitor) -> None:
    """Hits of the cache, 304, 400, 404 and 405, HEAD, aliases: all in one bucket."""
    first = visitor.ask("GET", f"{API}/pages/a", peer=PEER)
    known = {"If-None-Match": first.headers["ETag"]}
    replies = [
        first,
        visitor.ask("GET", f"{API}/pages/a", peer=PEER),
        visitor.ask("HEAD", f"{API}/pages/a", peer=PEER),
        visitor.ask("GET", f"{API}/pages/a", known, peer=PEER),
        visitor.ask("GET", "/api/page/a", peer=PEER),
        visitor.ask("GET", f"{API}/pages/a?lang=fr", peer=PEER),
        visitor.ask("GET", f"{API}/pages/b", peer=PEER),
        visitor.ask("GET", "/api/no-such", peer=PEER),
        visitor.ask("GET", f"{API}/pages/%zz", peer=PEER),
        visitor.ask("DELETE", f"{API}/pages/a", peer=PEER),
    ]
    statuses = [each.status for each in replies]
    assert statuses == [200, 200, 200, 304, 200, 400, 404, 404, 400, 405]
    assert [standing(each) for each in replies] == [(120, 119 - n, 60) for n in range(10)]
    assert {each.headers["RateLimit-Policy"] for each in replies} == {"120;w=60"}


@pytest.mark.parametrize(
    "target", ["/ae/en/a", "/ae/en/a.json", "/ae/en/a.md", "/llms.txt", "/sitemap.xml", "/"]
)
def test_pages_twins_and_maps_are_not_counted(visitor: Visitor, target: str) -> None:
    """Readers and crawlers are not those whom the limit is for."""
    assert "RateLimit-Limit" not in visitor.ask("GET", target, peer=PEER).headers


def test_preflights_are_not_counted(visitor: Visitor) -> None:
    """A browser's question is no request of its user."""
    for _ in range(130):
        visitor.ask("OPTIONS", f"{API}/pages", peer=PEER)
    assert standing(visitor.ask("GET", f"{API}/pages", peer=PEER))[1] == 119


def test_120_reads_are_answered_and_one_more_is_refused(visitor: Visitor) -> None:
    """429 in the envelope, with the time to wait, though the answer is in the cache."""
    assert spend(visitor, 120).status == 200
    reply = visitor.ask("GET", f"{API}/pages/a", peer=PEER)
    assert reply.status == 429
    assert violations(ERROR_ENVELOPE, reply.json) == []
    assert reply.json["error"]["code"] == "RATE_LIMITED"
    assert standing(reply) == (120, 0, 60)
    wait = reply.headers["Retry-After"]
    assert wait == "60"
    assert f"Wait {wait} seconds" in reply.json["error"]["resolution"]
    assert "no-store" in reply.headers["Cache-Control"]
    assert reply.headers["Access-Control-Allow-Origin"] == "*"


def test_an_alias_that_is_refused_still_says_that_it_is_old(visitor: Visitor) -> None:
    """The manners of a path hold for its 429 as well."""
    reply = spend(visitor, 121, "/api/page/a")
    assert reply.status == 429
    assert reply.headers["Deprecation"] == "true"


def test_after_the_window_all_is_well_again(visitor: Visitor, clock: FakeClock) -> None:
    """Refused requests do not make it longer."""
    spend(visitor, 125)
    clock.move(timedelta(seconds=59))
    assert spend(visitor, 1).headers["Retry-After"] == "1"
    clock.move(timedelta(seconds=1))
    assert standing(spend(visitor, 1)) == (120, 119, 60)


def test_another_client_is_not_refused(visitor: Visitor) -> None:
    """Each has its own count."""
    assert spend(visitor, 121).status == 429
    assert visitor.get(f"{API}/pages/a").status == 200


def test_health_is_counted_apart(visitor: Visitor) -> None:
    """A probe gets its answer from a client that has read too much, and the other way round."""
    assert spend(visitor, 121).status == 429
    assert standing(spend(visitor, 1, f"{API}/health"))[:2] == (120, 119)
    assert spend(visitor, 120, "/api/health").status == 429


def test_exactly_120_of_many_at_once_are_answered(visitor: Visitor) -> None:
    """Under way at the same time."""
    exchanges = (visitor.exchange("GET", f"{API}/pages/a", {}, PEER) for _ in range(200))
    statuses = [each.status for each in visitor.together(*exchanges)]
    assert (statuses.count(200), statuses.count(429)) == (120, 80)


def test_12_leads_are_taken_over_all_ways_together(visitor: Visitor) -> None:
    """Refused ones count; reads are another bucket."""
    for number in range(6):
        assert visitor.post("/api/leads", {"email": f"a{number}@b.test"}, peer=PEER).status == 200
    for _ in range(5):
        assert visitor.post(f"{API}/leads", {}, peer=PEER).status == 400
    last = visitor.ask("POST", "/ae/en/contact", FORM, PEER, b"email=x")
    assert standing(last) == (12, 0, 600)
    over = visitor.post(f"{API}/leads", {"email": "a@b.test"}, peer=PEER)
    assert (over.status, over.headers["Retry-After"]) == (429, "600")
    assert over.headers["RateLimit-Policy"] == "12;w=600"
    assert len(visitor.leads()) == 6
    assert visitor.ask("GET", f"{API}/pages/a", peer=PEER).status == 200


def test_the_form_is_refused_in_its_readers_language(visitor: Visitor) -> None:
    """A page, not an envelope."""
    for _ in range(12):
        visitor.post("/api/leads", {}, peer=PEER)
    reply = visitor.ask("POST", "/sa/ar/contact", FORM, PEER, b"email=a@b.test")
    assert (reply.status, reply.headers["Content-Language"]) == (429, "ar")
    assert reply.headers["Content-Type"].startswith("text/html")
    assert int(reply.headers["Retry-After"]) == 600
    assert "طلبات كثيرة" in reply.text


def test_clients_behind_a_trusted_proxy_are_told_apart(visit: Visit) -> None:
    """By what the proxy wrote, which is the end of the header."""
    visitor = visit(PAGE, trusted_proxies="10.0.0.0/8")

    def left(forwarded: str, peer: str = "10.0.0.1") -> int:
        headers = {"X-Forwarded-For": forwarded}
        return standing(visitor.ask("GET", f"{API}/pages/a", headers, peer))[1]

    assert left("198.51.100.1") == 119
    assert left("198.51.100.2") == 119
    assert left("6.6.6.6, 198.51.100.1") == 118
    assert left("198.51.100.1, 10.0.0.9") == 117
    assert left("198.51.100.9", peer="198.51.100.1") == 116


def test_nobody_escapes_the_limit_by_inventing_addresses(visitor: Visitor) -> None:
    """Without a trusted proxy the header says nothing."""
    headers = ({"X-Forwarded-For": f"198.51.100.{n}"} for n in range(121))
    last = [visitor.ask("GET", f"{API}/pages/a", each, PEER) for each in headers][-1]
    assert last.status == 429


def test_an_ipv6_customer_is_one_client(visitor: Visitor) -> None:
    """Every device has 2^64 addresses to choose from."""
    replies = [
        visitor.ask("GET", f"{API}/pages/a", peer=peer)
        for peer in ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:db8:0:2::1")
    ]
    assert [standing(each)[1] for each in replies] == [119, 118, 119]
