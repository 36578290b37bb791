"""The sender of webhooks: posts signed deliveries to one URL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from http import HTTPStatus

from app.platform.deliveries.delivery import AttemptResult, Delivery
from app.platform.deliveries.http_client import HttpClient, Timeouts
from app.platform.deliveries.signature import signed_headers


class WebhookSender:
    """Posts to one URL; with an empty secret, without a signature. `headers` are sent too."""

    def __init__(
        self,
        url: str,
        secret: str = "",
        timeouts: Timeouts | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self._url = url
        self._secret = secret
        self._headers = headers or {}
        self._client = HttpClient(timeouts)

    async def aclose(self) -> None:
        """Close the HTTP client."""
        await self._client.aclose()

    async def send(self, delivery: Delivery, at: datetime) -> AttemptResult:
        """Post the body once; a receiver ends the delivery with 410, as Standard Webhooks say."""
        headers = signed_headers(delivery.id, at, delivery.body, self._secret)
        result = await self._client.post(self._url, delivery.body, {**headers, **self._headers}, at)
        return replace(result, final=result.response_status == HTTPStatus.GONE)
