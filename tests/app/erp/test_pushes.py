"""Preview and push as a partner meets them."""

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

from app.orders.tables import orders


def test_a_preview_is_what_a_push_sends() -> None:
    """Byte for byte; and looking changes nothing."""
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


def test_a_push_that_does_not_arrive_is_accepted_and_goes_on() -> None:
    """202 with the next attempt; asking again joins it, and the courier brings it."""
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


def test_a_receiver_that_wants_no_more_ends_the_delivery() -> None:
    """200, as the push was carried out, and not ok."""
    with Shop(answers(410)) as shop:
        shop.take()
        reply = shop.push(1)
    body = reply.json
    assert (reply.status, body["ok"], body["status"]) == (200, False, "failed")
    assert "nextAttemptAt" not in body


def test_without_a_webhook_there_is_no_push_but_a_preview() -> None:
    """503 that says what is to be set."""
    with Shop() as shop:
        shop.take()
        reply = shop.push(1)
        assert reply.status == 503
        assert "ERP_WEBHOOK_URL" in reply.json["error"]["resolution"]
        assert shop.pull("/api/erp/orders/1/preview").status == 200


def test_an_order_that_does_not_add_up_is_not_pushed() -> None:
    """409 with the difference; whoever changed the database by hand hears of it."""
    with Shop(answers(200)) as shop:
        shop.take()
        written = priced([Item("A", Decimal(10))], "AED", number="WH-1")
        written["totals"]["grand"] = "9.99"

        async def tamper() -> None:
            async with shop.quart.extensions["majlis"].database.writing() as connection:
                await connection.execute(update(orders).values(body=json.dumps(written)))

        shop._runner.run(tamper())
        reply = shop.push(1)
        assert shop.received == []
    assert (reply.status, reply.json["error"]["code"]) == (409, "CONFLICT")
    assert "totals.grand is 9.99" in reply.json["error"]["message"]


@pytest.mark.parametrize(("order_id", "status"), [("7", 404), ("x", 400)])
def test_an_order_that_is_not_there_cannot_be_pushed(order_id: str, status: int) -> None:
    """As it cannot be shown."""
    with Shop(answers(200)) as shop:
        reply = shop.ask("POST", f"/api/erp/orders/{order_id}/push", BEARER)
    assert reply.status == status


def test_an_unsigned_webhook_says_so_at_start_and_in_the_status(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Once, for whoever set it up."""
    with Shop(answers(200), erp_webhook_secret="") as shop:
        shop.take()
        assert shop.push(1).status == 200
        assert "webhook-signature" not in shop.received[0].headers
        assert shop.get("/api/erp/status").json["webhook"]["signed"] is False
    assert caplog.text.count("ERP_WEBHOOK_SECRET is not set") == 1
