"""A webhook receiver in a thread; it verifies deliveries, and fails some of them."""

from __future__ import annotations

import asyncio
import random
from threading import Thread
from typing import Self

from soak.ledger import Ledger
from standardwebhooks import Webhook, WebhookVerificationError
from storefront.receiver import Exchange, Receiver, answers
from storefront.shop import SECRET

_TAKES = answers(200)
_FAILS = answers(503)


class Hook:
    """The receiver; `accepted` counts the deliveries answered with 200."""

    def __init__(self, ledger: Ledger, chance: random.Random) -> None:
        self._ledger = ledger
        self._chance = chance
        self._receiver = Receiver(self._answer)
        self._loop = asyncio.new_event_loop()
        self._over = asyncio.Event()
        self._thread = Thread(target=self._loop.run_until_complete, args=(self._serve(),))
        self._bodies: dict[str, bytes] = {}
        self.accepted: dict[str, int] = {}
        """How often each delivery was accepted, by its id."""
        self.failed = 0

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()
        self._loop.close()

    @property
    def url(self) -> str:
        """Return the URL for pushed orders."""
        return self._receiver.url

    async def _serve(self) -> None:
        async with self._receiver:
            await self._over.wait()

    async def _answer(self, exchange: Exchange) -> None:
        """Accept a delivery; refuse or cut off some first attempts."""
        request = exchange.request
        try:
            Webhook(SECRET).verify(request.body, request.headers)
        except WebhookVerificationError as error:
            self._ledger.broke("every delivery has a valid signature", str(error))
        is_first = request.webhook_id not in self._bodies
        if self._bodies.setdefault(request.webhook_id, request.body) != request.body:
            self._ledger.broke("a delivery is always the same bytes", request.webhook_id)
        luck = self._chance.random() if is_first else 1.0
        if luck < 0.05:
            self.failed += 1
            await (_FAILS(exchange) if luck < 0.03 else _cut(exchange))
            return
        self.accepted[request.webhook_id] = self.accepted.get(request.webhook_id, 0) + 1
        await _TAKES(exchange)


async def _cut(exchange: Exchange) -> None:
    exchange.reset()
