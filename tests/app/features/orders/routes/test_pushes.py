"""Preview and push, as partners use them."""

from __future__ import annotations

import json
from datetime import timedelta
from decimal import Decimal

import pytest
from contract.visitor import FakeClock
from sqlalchemy import update
from storefront.pricing import Item, priced
from storefront.receiver import answers
from storefront.shop import BEARER, Shop

from app.features.orders.store import orders


def test_a_preview_is_what_a_push_sends() -> None:
    """The bytes are equal; a preview sends nothing."""
    with Shop(answers(200)) as shop:
        shop.take(notes="طابعة")
        preview = shop.pull("/api/erp/orders/1/preview")
        assert shop.received == []
        pushed = shop.push(1)
        (request,) = shop.received
    assert preview.body == request.body
    assert preview.headers["Content-Type"] == "application/json"
    assert list(preview.json) == ["type", "timestamp", "data"]
    assert preview.json["type"] == "order.pushed"
    assert preview.json["data"]["order"]["number"] == "WH-1"
    assert (pushed.status, pushed.json) == (
        200,
        {
            "ok": True,
            "deliveryId": request.webhook_id,
            "status": "delivered",
            "attempts": 1,
            "responseStatus": 200,
        },
    )


def test_a_failed_push_is_accepted_and_retried() -> None:
    """202 with the next attempt; a second push returns the same delivery."""
    clock = FakeClock()
    with Shop(answers(500), answers(200), clock=clock) as shop:
        shop.take()
        first, second = shop.push(1), shop.push(1)
        assert len(shop.received) == 1
        clock.move(timedelta(seconds=6))
        shop.wait_for(lambda: len(shop.received) == 2)
    assert (first.status, first.json["status"], first.json["ok"]) == (202, "pending", True)
    assert first.json["responseStatus"] == 500
    assert first.json["nextAttemptAt"].startswith("2026-11-20T12:00:0")
    assert second.json["deliveryId"] == first.json["deliveryId"]
    assert shop.received[0].body == shop.received[1].body


def test_a_410_ends_the_delivery() -> None:
    """200 with `ok` false."""
    with Shop(answers(410)) as shop:
        shop.take()
        reply = shop.push(1)
    body = reply.json
    assert (reply.status, body["ok"], body["status"]) == (200, False, "failed")
    assert "nextAttemptAt" not in body


def test_without_a_webhook_only_the_preview_works() -> None:
    """A push gives 503 and names the setting."""
    with Shop() as shop:
        shop.take()
        reply = shop.push(1)
        assert reply.status == 503
        assert "ERP_WEBHOOK_URL" in reply.json["error"]["resolution"]
        assert shop.pull("/api/erp/orders/1/preview").status == 200


def test_an_inconsistent_order_is_not_pushed() -> None:
    """409 with the difference, for example after a manual change of the database."""
    with Shop(answers(200)) as shop:
        shop.take()
        fields = priced([Item("A", Decimal(10))], "AED", number="WH-1")
        fields["totals"]["grand"] = "9.99"

        async def tamper() -> None:
            async with shop.quart.extensions["majlis"].database.writing() as connection:
                await connection.execute(update(orders).values(body=json.dumps(fields)))

        shop._runner.run(tamper())
        reply = shop.push(1)
        assert shop.received == []
    assert (reply.status, reply.json["error"]["code"]) == (409, "CONFLICT")
    assert "totals.grand is 9.99" in reply.json["error"]["message"]


@pytest.mark.parametrize(("order_id", "status"), [("7", 404), ("x", 400)])
def test_an_unknown_order_cannot_be_pushed(order_id: str, status: int) -> None:
    """404, or 400 for a malformed id."""
    with Shop(answers(200)) as shop:
        reply = shop.ask("POST", f"/api/erp/orders/{order_id}/push", BEARER)
    assert reply.status == status


def test_an_unsigned_webhook_is_logged_and_shown_in_the_status(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The warning is logged once, at the start."""
    with Shop(answers(200), erp_webhook_secret="") as shop:
        shop.take()
        assert shop.push(1).status == 200
        assert "webhook-signature" not in shop.received[0].headers
        assert shop.get("/api/erp/status").json["webhook"]["signed"] is False
    assert caplog.text.count("ERP_WEBHOOK_SECRET is not set") == 1
