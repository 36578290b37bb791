"""The webhook of leads: what it gets, once for each lead, and what it never gets."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from contract.visitor import FakeClock
from sqlalchemy import select
from standardwebhooks import Webhook
from storefront.lead_receivers import PERSON, Site
from storefront.receiver import Receiver, answers

from app.features.leads.retention import Identities
from app.platform.clock import utc_now
from app.platform.database.database import Database
from app.platform.deliveries.delivery import DeliveryKind, DeliveryStatus
from app.platform.deliveries.dispatcher import DELAYS
from app.platform.deliveries.tables import deliveries

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def told(receiver: Receiver) -> list[Any]:
    """Return the bodies that a receiver got."""
    return [json.loads(request.body) for request in receiver.received]


async def test_a_lead_is_told_with_the_names_of_the_api_and_signed(database: Database) -> None:
    """The timestamp of the event is that of the receipt."""
    async with (
        Receiver() as receiver,
        Site(
            database,
            FakeClock(utc_now()),
            leads_webhook_url=receiver.url,
            leads_webhook_secret=SECRET,
        ) as site,
    ):
        lead_id = await site.receive()
        assert await site.deliver() == 1
        assert await site.deliver() == 0
        (delivery,) = await site.deliveries()
    (request,) = receiver.received
    event = Webhook(SECRET).verify(request.body, request.headers)
    assert event["type"] == "lead.created"
    assert datetime.fromisoformat(event["timestamp"]) == site.clock()
    assert datetime.fromisoformat(event["data"]["lead"].pop("receivedAt")) <= site.clock()
    assert event["data"] == {"lead": {"id": lead_id, **PERSON}}
    assert (delivery.kind, delivery.status) == (DeliveryKind("lead"), DeliveryStatus.DELIVERED)
    assert request.webhook_id == delivery.id


async def test_a_failed_attempt_is_repeated_with_the_same_id_and_body(database: Database) -> None:
    """As for orders, also after a replay."""
    async with (
        Receiver(answers(500), answers(200)) as receiver,
        Site(database, leads_webhook_url=receiver.url) as site,
    ):
        await site.receive()
        await site.deliver()
        assert await site.deliver(2 * DELAYS[0]) == 1
        (delivery,) = await site.deliveries()
        await site.outbox.replay(delivery.id)
        assert await site.deliver() == 1
    assert len({(each.webhook_id, each.body) for each in receiver.received}) == 1
    assert len(receiver.received) == 3


async def test_the_same_lead_twice_is_told_once(database: Database) -> None:
    """As after a double click."""
    async with Receiver() as receiver, Site(database, leads_webhook_url=receiver.url) as site:
        assert await site.receive() == await site.receive()
        assert await site.deliver() == 1
    assert len(receiver.received) == 1


async def test_a_lead_in_quarantine_is_told_when_it_is_released_and_only_once(
    database: Database,
) -> None:
    """Putting it back and releasing it again tells nobody."""
    async with Receiver() as receiver, Site(database, leads_webhook_url=receiver.url) as site:
        lead_id = await site.receive(quarantined=True)
        honest = await site.receive()
        assert await site.deliver() == 1
        for _ in range(2):
            await site.store.release([lead_id])
            await site.deliver()
            await site.store.quarantine([lead_id, honest])
        await site.store.release([honest])
        assert await site.deliver() == 0
    assert [event["data"]["lead"]["id"] for event in told(receiver)] == [honest, lead_id]


async def test_the_outbox_holds_nothing_personal(database: Database) -> None:
    """Only the ID of the lead."""
    async with Site(database, leads_webhook_url="http://127.0.0.1:9/") as site:
        lead_id = await site.receive()
        async with database.reading() as connection:
            (row,) = (await connection.execute(select(deliveries))).all()
    text = " ".join(map(str, row))
    assert lead_id in text
    assert not [value for value in PERSON.values() if value in text]


@pytest.mark.parametrize("work", ["erase", "anonymise"])
async def test_nobody_is_told_of_a_lead_that_is_gone(database: Database, work: str) -> None:
    """What was not yet sent, or is replayed, is given up."""
    async with Receiver() as receiver, Site(database, leads_webhook_url=receiver.url) as site:
        await site.receive()
        if work == "erase":
            assert await site.store.erase(PERSON["email"]) == 1
        else:
            assert await Identities(database).purge(site.clock() + timedelta(1), 10) == 1
        assert await site.deliver() == 1
        (delivery,) = await site.deliveries()
    assert not receiver.received
    assert delivery.status is DeliveryStatus.FAILED
    assert delivery.error == "the lead was deleted or anonymised"


async def test_a_digest_tells_once_a_day_what_is_in_quarantine(database: Database) -> None:
    """One process for all, and not on a day without any."""
    async with Receiver() as receiver:
        options: dict[str, Any] = {"leads_webhook_url": receiver.url}
        clock = FakeClock()
        async with Site(database, clock, **options) as one, Site(database, clock, **options) as two:
            digests = [site.service.digests for site in (one, two)]

            async def a_day_later() -> None:
                clock.move(timedelta(days=1))
                await asyncio.gather(*(each.tell_if_due() for each in digests if each))
                await one.deliver()

            for each in digests:
                assert each
                await each.tell_if_due()
            await one.receive(quarantined=True, email="a@spam.example")
            released = await one.receive(quarantined=True, email="b@spam.example")
            for each in digests:
                assert each
                await each.tell_if_due()
            assert await one.deliver() == 0
            await a_day_later()
            await a_day_later()
            await one.store.release([released])
            await one.deliver()
    first, *others = told(receiver)
    assert [event["type"] for event in others] == ["lead.created"]
    assert first["type"] == "leads.quarantined"
    assert first["data"]["count"] == 2
    emails = [lead["email"] for lead in first["data"]["leads"]]
    assert emails == ["a@spam.example", "b@spam.example"]
    day = timedelta(days=1)
    assert first["data"]["until"] != first["data"]["since"]
    assert first["timestamp"] == f"{(FakeClock()() + day):%Y-%m-%dT%H:%M:%SZ}"


async def test_a_digest_of_leads_that_were_reviewed_meanwhile_is_not_sent(
    database: Database,
) -> None:
    """There is nothing left to look at."""
    async with Receiver() as receiver, Site(database, leads_webhook_url=receiver.url) as site:
        digests = site.service.digests
        assert digests
        await digests.tell_if_due()
        spam = await site.receive(quarantined=True)
        site.clock.move(timedelta(days=1))
        await digests.tell_if_due()
        await site.store.delete([spam])
        assert await site.deliver() == 1
        (delivery,) = await site.deliveries()
    assert not receiver.received
    assert delivery.error == "no lead of that day is in quarantine any more"


async def test_a_clock_that_was_ahead_does_not_silence_digests(database: Database) -> None:
    """The next digest comes a day after the clock was set right."""
    async with Receiver() as receiver, Site(database, leads_webhook_url=receiver.url) as site:
        digests = site.service.digests
        assert digests
        site.clock.move(timedelta(days=30))
        await digests.tell_if_due()
        site.clock.move(timedelta(days=-30))
        await digests.tell_if_due()
        await site.receive(quarantined=True)
        site.clock.move(timedelta(days=1))
        await digests.tell_if_due()
        assert await site.deliver() == 1
