"""The sender of purges: posts each to the receiver, with the tags as a header too."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from http import HTTPStatus

from app.platform.deliveries.delivery import AttemptResult, Delivery
from app.platform.deliveries.http_client import HttpClient, Timeouts
from app.platform.deliveries.signature import signed_headers

HEADER = "Cache-Tag"
"""The tags, separated by commas: a cache such as Varnish reads them more easily than a body."""


class PurgeSender:
    """Posts to one URL; with an empty secret, without a signature."""

    def __init__(self, url: str, secret: str, timeouts: Timeouts | None = None) -> None:
        self._url = url
        self._secret = secret
        self._client = HttpClient(timeouts)

    async def aclose(self) -> None:
        """Close the HTTP client."""
        await self._client.aclose()

    async def send(self, delivery: Delivery, at: datetime) -> AttemptResult:
        """Post the body once; a receiver ends the delivery with 410, as Standard Webhooks say."""
        tags = json.loads(delivery.body)["data"]["tags"]
        headers = signed_headers(delivery.id, at, delivery.body, self._secret)
        result = await self._client.post(
            self._url, delivery.body, {**headers, HEADER: ",".join(tags)}, at
        )
        return replace(result, final=result.response_status == HTTPStatus.GONE)
