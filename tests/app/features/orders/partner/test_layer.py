"""Access to the partner interface: tokens, rate limits, lock-out, and no shared caching."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from contract.schemas import ERROR_ENVELOPE
from contract.validation import violations
from contract.visitor import FakeClock, Reply, Visitor
from storefront.receiver import answers
from storefront.shop import BEARER, TOKEN, Shop
from stores.redis import Redis

from app.features.orders import LOCK_OUTS
from app.features.orders.partner import PartnerAccess
from app.services import Services
from app.web.http.route_policy import SECURED
from app.web.pipeline.layers import LAYERS
from app.web.pipeline.route_table import RouteTable

CLOSED = [
    ("GET", "/api/orders"),
    ("GET", "/api/orders/1"),
    ("GET", "/api/products"),
    ("GET", "/api/erp/orders/1/preview"),
    ("POST", "/api/erp/orders/1/push"),
]
KEY = {"X-Ecom-Api-Token": TOKEN}
OLD_TOKEN = "token-before-that"
WRONG = {"Authorization": "Bearer wrong"}


@pytest.fixture
def clock() -> FakeClock:
    """The clock of the service and of its limits."""
    return FakeClock()


@contextmanager
def shop_at(clock: FakeClock) -> Iterator[Shop]:
    """A service with one order and a webhook that accepts everything."""
    with Shop(answers(200), clock=clock) as opened:
        opened.take()
        yield opened


@pytest.fixture(scope="module")
def long_open() -> Iterator[tuple[Shop, FakeClock]]:
    """A shop of all tests that change nothing in it, and its clock.

    What it says of products does not change either, once it has recorded when it first saw them.
    """
    clock = FakeClock()
    with shop_at(clock) as opened:
        opened.record_changes()
        yield opened, clock


@pytest.fixture
def shop(long_open: tuple[Shop, FakeClock]) -> Shop:
    """The shop an hour after the last test, when no limit remembers that."""
    opened, clock = long_open
    clock.move(timedelta(hours=1))
    return opened


@pytest.fixture
def own_shop(clock: FakeClock) -> Iterator[Shop]:
    """A shop of one test."""
    with shop_at(clock) as opened:
        yield opened


def code(reply: Reply) -> str:
    """Return the code of an error."""
    return str(reply.json["error"]["code"])


@pytest.mark.parametrize(("method", "path"), CLOSED)
def test_every_partner_endpoint_takes_the_token_in_either_header(
    shop: Shop, method: str, path: str
) -> None:
    """As bearer, as a key, or as both."""
    for headers in (BEARER, KEY, {**BEARER, **KEY}, {"Authorization": f"bearer {TOKEN}"}):
        assert shop.ask(method, path, headers).status == 200


@pytest.mark.parametrize(("method", "path"), CLOSED)
@pytest.mark.parametrize(
    ("headers", "challenge"),
    [
        pytest.param({}, 'Bearer realm="erp"', id="none"),
        pytest.param({"Authorization": "Basic eDp5"}, 'Bearer realm="erp"', id="other scheme"),
        pytest.param(WRONG, 'Bearer realm="erp", error="invalid_token"', id="wrong"),
        pytest.param(
            {"X-Ecom-Api-Token": "wrong"},
            'Bearer realm="erp", error="invalid_token"',
            id="wrong key",
        ),
        pytest.param(
            {**BEARER, "X-Ecom-Api-Token": "another"},
            'Bearer realm="erp", error="invalid_token"',
            id="two different ones",
        ),
    ],
)
def test_without_a_valid_token_access_is_denied(
    shop: Shop, method: str, path: str, headers: Mapping[str, str], challenge: str
) -> None:
    """401 with a challenge, whether the id exists or not."""
    for target in (path, path.replace("1", "999"), path.replace("1", "x")):
        reply = shop.ask(method, target, headers)
        assert (reply.status, code(reply)) == (401, "UNAUTHORIZED")
        assert reply.headers["WWW-Authenticate"] == challenge
        assert "no-store" in reply.headers["Cache-Control"]


def test_without_a_configured_token_the_interface_is_closed() -> None:
    """503 names the setting."""
    with Shop(erp_pull_api_token="") as shop:
        reply = shop.pull("/api/orders")
        assert (reply.status, code(reply)) == (503, "SERVICE_UNAVAILABLE")
        assert "ERP_PULL_API_TOKEN" in reply.json["error"]["resolution"]
        assert shop.get("/api/erp/status").json["pull"] == {"enabled": False}


def test_several_tokens_work_while_one_is_replaced() -> None:
    """All are valid, and each has its own rate limit."""
    with Shop(erp_pull_api_token=f"{OLD_TOKEN}, {TOKEN}") as shop:
        for _ in range(3):
            shop.get("/api/orders", {"Authorization": f"Bearer {OLD_TOKEN}"})
        reply = shop.pull("/api/orders")
        assert (reply.status, reply.headers["RateLimit-Remaining"]) == (200, "119")


def test_a_token_has_120_requests_per_minute(own_shop: Shop, clock: FakeClock) -> None:
    """From any address; every response, errors included, has the rate limit headers."""
    for number in range(120):
        reply = own_shop.pull("/api/orders/99" if number % 2 else "/api/orders")
        assert reply.headers["RateLimit-Limit"] == "120"
        assert reply.headers["RateLimit-Remaining"] == str(119 - number)
    reply = own_shop.pull("/api/products")
    assert (reply.status, code(reply)) == (429, "RATE_LIMITED")
    assert reply.headers["Retry-After"] == reply.headers["RateLimit-Reset"] == "60"
    assert reply.headers["RateLimit-Policy"] == '"partners";q=120;w=60'
    assert reply.headers["RateLimit"] == '"partners";r=0;t=60'
    clock.move(timedelta(seconds=60))
    assert own_shop.pull("/api/products").status == 200


def status_of(shop: Shop, token: str | None, peer: str = "192.0.2.1") -> int:
    """Return the status of a request with this token."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return shop.ask("GET", "/api/orders", headers, peer).status


def lock_outs(shop: Shop) -> dict[tuple[str, ...], float]:
    """Return the lock-out metrics by label."""
    services: Services = shop.quart.extensions["majlis"]
    samples = services.metrics.samples().items()
    return {labels: numbers[0] for (name, labels), numbers in samples if name == LOCK_OUTS.name}


def test_twenty_different_invalid_tokens_lock_out_further_ones(
    own_shop: Shop, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    """For the rest of ten minutes. A valid token is accepted; a missing one is not counted."""
    assert [status_of(own_shop, None) for _ in range(30)] == [401] * 30
    assert [status_of(own_shop, f"guess-{number}") for number in range(20)] == [401] * 20
    reply = own_shop.ask("GET", "/api/orders", WRONG, peer="192.0.2.1")
    assert (reply.status, code(reply)) == (429, "RATE_LIMITED")
    assert reply.headers["Retry-After"] == "600"
    assert [status_of(own_shop, f"more-{number}") for number in range(20)] == [429] * 20
    assert status_of(own_shop, TOKEN) == 200
    assert status_of(own_shop, "guess-0", peer="192.0.2.2") == 401
    assert lock_outs(own_shop) == {("different_tokens",): 1, ("same_token",): 0}
    assert caplog.text.count("20 different invalid partner tokens") == 1
    assert "192.0.2.0/24" in caplog.text
    assert "192.0.2.1" not in caplog.text
    assert "guess" not in caplog.text
    clock.move(timedelta(minutes=10))
    assert status_of(own_shop, "guess-0") == 401


def test_a_repeated_invalid_token_locks_out_only_itself(
    own_shop: Shop, caplog: pytest.LogCaptureFixture
) -> None:
    """Such as that of an outdated client that shares its address with others."""
    assert [status_of(own_shop, "old") for _ in range(25)] == [401] * 20 + [429] * 5
    assert status_of(own_shop, TOKEN) == 200
    assert status_of(own_shop, "typing-error") == 401
    assert lock_outs(own_shop) == {("different_tokens",): 0, ("same_token",): 1}
    assert caplog.text.count("20 requests with the same invalid partner token") == 1


def test_a_lock_out_shared_over_redis_is_reported_once(
    redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    """By one of the processes that share the counts."""
    shared: dict[str, Any] = {"redis_url": redis.url, "redis_timeout_seconds": 1}
    with Shop(**shared) as one, Shop(**shared) as other:
        for number in range(12):
            for shop in (one, other):
                status_of(shop, f"{id(shop)}-{number}", peer="192.0.2.77")
        assert {status_of(shop, "next", "192.0.2.77") for shop in (one, other)} == {429}
        assert {status_of(shop, TOKEN, "192.0.2.77") for shop in (one, other)} == {200}
        reported = [lock_outs(shop)[("different_tokens",)] for shop in (one, other)]
    assert sum(reported) == caplog.text.count("different invalid partner tokens") == 1


def test_public_and_partner_limits_are_independent(shop: Shop) -> None:
    """A polling ERP does not consume the public limit of its address, nor vice versa."""
    shop.ask("GET", "/api/orders", BEARER, peer="192.0.2.1")
    reply = shop.ask("GET", "/api/public/v1/cities", peer="192.0.2.1")
    assert reply.headers["RateLimit-Remaining"] == "119"
    again = shop.ask("GET", "/api/orders", BEARER, peer="192.0.2.1")
    assert again.headers["RateLimit-Remaining"] == "118"


@pytest.mark.parametrize("path", ["/api/orders", "/api/products", "/api/orders/1"])
def test_the_response_cache_never_serves_partner_responses_to_others(shop: Shop, path: str) -> None:
    """A request without a token gets 401."""
    reply = shop.pull(path)
    assert shop.get(path).status == 401
    assert shop.get(path, {"If-None-Match": reply.headers.get("ETag", "*")}).status == 401
    assert shop.get(path, WRONG).status == 401
    assert shop.pull(path).body == reply.body


@pytest.mark.parametrize("safeguard", ["order", "policy", "header"])
def test_each_safeguard_alone_keeps_partner_responses_private(
    own_shop: Shop, monkeypatch: pytest.MonkeyPatch, safeguard: str
) -> None:
    """Tokens are checked before the cache; the route is not cacheable; nor is the response."""
    if safeguard != "header":
        monkeypatch.setattr("app.publishing.response_cache.is_storable", lambda *_: True)
    if safeguard != "policy":
        cacheable = replace(SECURED, cacheable=True)
        monkeypatch.setattr(RouteTable, "_policy_of", lambda *_: cacheable)
    layers = [layer for layer in LAYERS if layer is not PartnerAccess]
    if safeguard != "order":
        own_shop.wrap([*layers, PartnerAccess])
    else:
        own_shop.wrap(LAYERS)
    for path in ("/api/products", "/api/orders/1", "/api/erp/orders/1/preview"):
        assert own_shop.pull(path).status == 200
        assert own_shop.get(path).status == 401


@pytest.mark.parametrize(
    ("method", "path"), [*CLOSED, ("GET", "/api/erp/status"), ("OPTIONS", "/api/orders")]
)
def test_scripts_of_other_sites_have_no_access(shop: Shop, method: str, path: str) -> None:
    """No CORS headers, not even for errors and preflight requests."""
    origin = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "GET"}
    for headers in (origin, {**BEARER, **origin}):
        reply = shop.ask(method, path, headers)
        assert [name for name, _ in reply.headers if "access-control" in name.lower()] == []


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        pytest.param("DELETE", "/api/orders/1", 405, id="no such method"),
        pytest.param("GET", "/api/erp/orders/1/push", 405, id="a push is a POST"),
        pytest.param("GET", "/api/erp/orders", 404, id="no list there"),
        pytest.param("GET", "/api/orders/1/2", 404, id="below an order"),
        pytest.param("GET", "/cms/api/orders", 404, id="the CMS is not here"),
        pytest.param("GET", "/api/orders?x=%zz", 400, id="malformed"),
    ],
)
def test_unknown_paths_and_methods_give_an_error_envelope(
    shop: Shop, method: str, path: str, status: int
) -> None:
    """Even with a valid token."""
    reply = shop.ask(method, path, {**BEARER, "Accept": "application/json"})
    assert reply.status == status
    assert violations(ERROR_ENVELOPE, {"error": reply.json["error"]}) == []


def test_status_is_public_and_reveals_no_secret() -> None:
    """It has the configuration, but no address, token or count."""
    with Visitor() as visitor:
        assert {
            name: value
            for name, value in visitor.get("/api/erp/status").json.items()
            if name in ("ok", "service", "pull", "webhook")
        } == {
            "ok": True,
            "service": "majlis",
            "pull": {"enabled": False},
            "webhook": {"configured": False, "signed": False},
        }
    with Shop(answers(200)) as shop:
        reply = shop.get("/api/erp/status")
        assert reply.json["pull"] == {"enabled": True}
        assert reply.json["webhook"] == {"configured": True, "signed": True}
        assert TOKEN not in reply.text
        assert "127.0.0.1" not in reply.text
        assert reply.headers["Cache-Control"] == "no-store"
