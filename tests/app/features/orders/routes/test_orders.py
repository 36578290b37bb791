"""Orders and products to pull: pagination, filters and invalid requests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from cases import cases
from storefront.shop import BEARER, Shop

STATES = ("pending", "confirmed", "processing", "completed", "cancelled")


@pytest.fixture(scope="module")
def shop() -> Iterator[Shop]:
    """A service with ten orders, two in each state."""
    with Shop() as opened:
        for number in range(1, 11):
            opened.take(f"WH-{number}", status=STATES[number % 5])
        yield opened


def ids(body: Any) -> list[int]:
    """Return the ids of a list of orders."""
    return [order["id"] for order in body["orders"]]


def test_paging_by_cursor_returns_all_orders(shop: Shop) -> None:
    """`since_id` is exclusive; the last page has no next cursor."""
    seen, since = [], 0
    while since is not None:
        body = shop.pull(f"/api/orders?limit=4&since_id={since}").json
        seen += ids(body)
        pagination = body["pagination"]
        assert pagination["hasMore"] is (pagination["nextSinceId"] is not None)
        assert pagination["count"] == len(body["orders"])
        since = pagination["nextSinceId"]
    assert seen == list(range(1, 11))


def test_the_link_to_the_next_page_keeps_the_filters(shop: Shop) -> None:
    """A client can follow Link without using cursors."""
    target: str | None = "/api/orders?limit=1&status=pending,cancelled"
    seen = []
    while target:
        reply = shop.pull(target)
        seen += ids(reply.json)
        match = re.search(r'<https://www\.wahat\.example([^>]+)>; rel="next"', reply.links)
        target = match[1] if match else None
    assert seen == [4, 5, 9, 10]


def test_an_order_has_every_field_of_the_contract(shop: Shop) -> None:
    """The same in the list and on its own."""
    order = shop.pull("/api/orders/1").json["order"]
    assert order == shop.pull("/api/orders?limit=1").json["orders"][0]
    assert list(order) == [
        "id",
        "number",
        "revision",
        "createdAt",
        "updatedAt",
        "status",
        "paymentStatus",
        "fulfillmentStatus",
        "currency",
        "taxesIncluded",
        "customer",
        "lines",
        "shipping",
        "discounts",
        "payments",
        "totals",
    ]
    assert order["createdAt"] == "2026-05-01T05:30:00Z"
    assert order["lines"][0] == {
        "id": 1,
        "sku": "A",
        "name": {"en": "Product", "ar": "منتج"},
        "quantity": 2,
        "unit": "piece",
        "unitPrice": "12.50",
        "discount": "0.00",
        "net": "25.00",
        "taxCategory": "S",
        "taxRate": "5",
        "tax": "1.25",
        "total": "26.25",
    }


@cases(
    ("query", "count"),
    [
        pytest.param("status=any", 10, id="any"),
        pytest.param("status=", 10, id="empty is absent"),
        pytest.param("status=Pending", 2, id="any case"),
        pytest.param("status=pending,%20completed", 4, id="two"),
        pytest.param("updated_since=2026-11-20T12:00:00Z", 10, id="inclusive"),
        pytest.param("updated_since=2026-11-20T12:00:00.001Z", 0, id="later"),
        pytest.param("updated_since=2026-11-20T16:00:00%2B04:00", 10, id="another offset"),
        pytest.param("updated_since=2026-11-20T16:00:00+04:00", 10, id="a plus unencoded"),
        pytest.param("since_id=9223372036854775807", 0, id="beyond all"),
        pytest.param("unknown=1", 10, id="unknown keys are nothing"),
    ],
)
def test_filters_select_orders(shop: Shop, query: str, count: int) -> None:
    """No match gives 200 with an empty list."""
    reply = shop.pull(f"/api/orders?{query}")
    assert (reply.status, len(reply.json["orders"])) == (200, count)


@cases("path", ["/api/orders", "/api/products"])
@cases(
    ("query", "name"),
    [
        pytest.param("limit=0", "limit", id="none"),
        pytest.param("limit=251", "limit", id="too many"),
        pytest.param("limit=ten", "limit", id="a word"),
        pytest.param("limit=1.5", "limit", id="a part"),
        pytest.param("limit=%D9%A5", "limit", id="other digits"),
        pytest.param("since_id=-1", "since_id", id="negative"),
        pytest.param("since_id=WH-1", "since_id", id="a number"),
        pytest.param("since_id=9223372036854775808", "since_id", id="beyond 64 bits"),
        pytest.param("since_id=" + "9" * 2000, "since_id", id="beyond reason"),
        pytest.param("since_id=1'%20OR%201=1--", "since_id", id="SQL"),
        pytest.param("updated_since=2026-11-20", "updated_since", id="a date"),
        pytest.param("updated_since=2026-11-20T12:00:00", "updated_since", id="no offset"),
        pytest.param("updated_since=2026-02-30T12:00:00Z", "updated_since", id="no such day"),
        pytest.param("updated_since=0001-01-01T00:00:00%2B14:00", "updated_since", id="too early"),
        pytest.param("updated_since=yesterday", "updated_since", id="words"),
    ],
)
def test_an_invalid_value_is_named(shop: Shop, path: str, query: str, name: str) -> None:
    """With the parameter and its allowed values."""
    reply = shop.pull(f"{path}?{query}")
    error = reply.json["error"]
    assert (reply.status, error["code"]) == (400, "VALIDATION_ERROR")
    assert error["message"].startswith(f"{name}: ")
    assert error["resolution"].startswith(f"Send {name} as ")


@cases("status", ["shipped", "pending,shipped", ",", "pending,", "'--"])
def test_an_unknown_status_is_named(shop: Shop, status: str) -> None:
    """With all allowed states."""
    reply = shop.pull(f"/api/orders?status={status}")
    assert reply.status == 400
    assert "pending, confirmed, processing" in reply.json["error"]["resolution"]


@cases(
    ("order_id", "status"),
    [
        pytest.param("11", 404, id="not there"),
        pytest.param("0", 404, id="zero"),
        pytest.param("9" * 30, 404, id="beyond 64 bits"),
        pytest.param("WH-1", 400, id="a number"),
        pytest.param("-1", 400, id="negative"),
        pytest.param("1.0", 400, id="a part"),
        pytest.param("%D9%A1", 400, id="other digits"),
        pytest.param("1%20OR%201=1", 400, id="SQL"),
    ],
)
@cases("path", ["/api/orders/{}", "/api/erp/orders/{}/preview"])
def test_an_unknown_order_gives_an_error(shop: Shop, path: str, order_id: str, status: int) -> None:
    """404, or 400 for a malformed id."""
    reply = shop.pull(path.format(order_id))
    assert reply.status == status
    assert reply.json["error"]["resolution"]


def test_orders_are_not_cached(shop: Shop) -> None:
    """The catalogue may be cached privately with revalidation."""
    assert shop.pull("/api/orders").headers["Cache-Control"] == "no-store"
    assert shop.pull("/api/orders/1").headers["Cache-Control"] == "no-store"
    assert shop.pull("/api/products").headers["Cache-Control"] == "private, no-cache"


def test_the_catalogue_is_complete_and_can_be_revalidated(shop: Shop) -> None:
    """Sixteen products by ascending id, including the discontinued one."""
    reply = shop.pull("/api/products")
    products = reply.json["products"]
    assert [product["id"] for product in products] == list(range(1001, 1017))
    assert [product["sku"] for product in products if not product["active"]] == ["WH-SCN-230"]
    assert products[0]["prices"]["KWD"] == "356.000"
    assert "limit" not in reply.json["pagination"]
    again = shop.pull("/api/products", {"If-None-Match": reply.headers["ETag"]})
    assert (again.status, again.body) == (304, b"")
    part = shop.pull("/api/products?limit=5&since_id=1010")
    assert part.headers["ETag"] != reply.headers["ETag"]
    assert part.json["pagination"] == {
        "limit": 5,
        "count": 5,
        "hasMore": True,
        "nextSinceId": 1015,
    }


@cases("path", ["/api/orders", "/api/orders/1", "/api/products"])
def test_markdown_is_available(shop: Shop, path: str) -> None:
    """For every resource."""
    reply = shop.pull(path, {"Accept": "text/markdown"})
    assert reply.status == 200
    assert reply.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert reply.text.strip()


def test_an_unavailable_database_gives_503(shop: Shop) -> None:
    """With Retry-After, rather than an empty list."""
    with Shop(database_url="postgresql://nobody@127.0.0.1:1/none") as away:
        reply = away.ask("GET", "/api/orders", BEARER)
    assert reply.status == 503
    assert reply.headers["Retry-After"]
