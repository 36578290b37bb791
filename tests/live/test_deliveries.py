"""Two instances of `majlis serve` share the outbox of one PostgreSQL database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from live.orders import aside, push_everything, take_samples
from live.server import Server, eventually
from storefront.receiver import Receiver, answers
from storefront.shop import SECRET, TOKEN
from stores.postgresql import PostgreSQL

pytestmark = pytest.mark.slow


async def test_two_instances_deliver_everything_and_nothing_twice(
    postgresql: PostgreSQL, start: Callable[..., Server]
) -> None:
    """The first attempts fail; both instances then share the retries."""
    database_url = postgresql.new_database()
    number = await take_samples(database_url)
    script = [answers(503)] * number + [answers(200)]
    async with Receiver(*script) as receiver:
        settings = {
            "DATABASE_URL": database_url,
            "ERP_PULL_API_TOKEN": TOKEN,
            "ERP_WEBHOOK_SECRET": SECRET,
            "ERP_WEBHOOK_URL": receiver.url,
        }
        one = await aside(lambda: start(**settings))
        await aside(lambda: start(**settings))
        assert await aside(lambda: push_everything(one)) == [202] * number
        await aside(lambda: eventually(lambda: len(receiver.received) >= 2 * number, within=60))
    sent = Counter(request.webhook_id for request in receiver.received)
    assert (len(sent), set(sent.values())) == (number, {2})
    assert len({(request.webhook_id, request.body) for request in receiver.received}) == number
