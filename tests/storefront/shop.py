"""A shop: an application with orders, a webhook receiver and a partner client."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from contract.visitor import Reply, Visitor
from live.server import eventually
from storefront.pricing import Item, priced
from storefront.receiver import Received, Receiver, Responder

from app.features.orders.intake import ParsedOrder, read_lines, read_order
from app.features.orders.partner import PartnerService
from app.platform.settings import SAMPLE_CONTENT
from app.services import Services

TOKEN = "token-of-the-erp"
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
SAMPLE = SAMPLE_CONTENT / "_orders" / "sample.jsonl"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


class Shop(Visitor):
    """A visitor with the partner token; with a script, it also runs a webhook receiver."""

    def __init__(
        self,
        *script: Responder,
        clock: Callable[[], datetime] | None = None,
        **settings: Any,
    ) -> None:
        self._receiver = Receiver(*script) if script else None
        if self._receiver:
            hook = {"erp_webhook_url": self._receiver.url, "erp_webhook_secret": SECRET}
            settings = {**hook, **settings}
        super().__init__(clock, **{"erp_pull_api_token": TOKEN, **settings})

    async def _start(self) -> None:
        if self._receiver:
            await self._receiver.__aenter__()
        await super()._start()

    async def _stop(self) -> None:
        await super()._stop()
        if self._receiver:
            await self._receiver.__aexit__()

    def take_samples(self) -> None:
        """Import the sample orders; their IDs start at 1."""
        for line in read_lines(SAMPLE.read_bytes().splitlines()):
            assert isinstance(line, ParsedOrder)
            self._runner.run(self.partner.orders.save(line.draft))

    @property
    def received(self) -> list[Received]:
        """The requests that the receiver has received so far."""
        assert self._receiver is not None
        return self._receiver.received

    @property
    def partner(self) -> PartnerService:
        """The partner interface of the running application."""
        services: Services = self.quart.extensions["majlis"]
        return services.part(PartnerService)

    def pull(self, target: str, headers: Mapping[str, str] | None = None) -> Reply:
        """Send a GET request with the token."""
        return self.get(target, {**BEARER, **(headers or {})})

    def push(self, order_id: int) -> Reply:
        """Push an order with the token."""
        return self.ask("POST", f"/api/erp/orders/{order_id}/push", BEARER)

    def take(self, number: str = "WH-1", **fields: Any) -> None:
        """Import an order."""
        items = [Item("A", Decimal("12.50"), Decimal(2), Decimal(5))]
        draft = read_order(json.dumps(priced(items, "AED", number=number, **fields)).encode())
        self._runner.run(self.partner.orders.save(draft))

    def wait_for(self, happened: Callable[[], bool]) -> None:
        """Run the application until a condition is true."""

        def run_and_check() -> bool:
            self._runner.run(asyncio.sleep(0.01))
            return happened()

        eventually(run_and_check)
