"""Refusals: the responses to all that a layer does not pass on."""

from __future__ import annotations

import asyncio
import logging

from hypercorn.typing import HTTPResponseBodyEvent, HTTPResponseStartEvent
from quart import Quart

from app.platform.asgi.scope import HTTPApp, HTTPScope, Receive, Send
from app.platform.concurrency.eager_start import in_task
from app.platform.concurrency.executors import REJECTION_SECONDS
from app.platform.limits.rate_limits import RateLimited
from app.web.error_handlers import majlis_error, unexpected
from app.web.pipeline.layer import Layer
from knowledge.resources.errors import MajlisError

log = logging.getLogger(__name__)


class Refusals(Layer):
    """ASGI middleware that answers the errors that the layers inside it raise.

    The response is the same as if the handler had raised the error.
    """

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        super().__init__(app, quart)
        self._quart = quart

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Pass a request on, or respond with the error that refuses it."""
        try:
            await self._app(scope, receive, send)
        except MajlisError as error:
            await in_task()
            log.debug("Request refused: %s", error.message)
            if isinstance(error, RateLimited):
                await asyncio.sleep(REJECTION_SECONDS)
            await self._answer(error, send)

    async def _answer(self, error: MajlisError, send: Send) -> None:
        async with self._quart.app_context():
            try:
                response = await majlis_error(error)
            except Exception as failure:  # as Quart does with its error handlers
                response = await unexpected(failure)
        headers = [(name.lower().encode(), text.encode()) for name, text in response.headers]
        body = await response.get_data(as_text=False)
        await send(
            HTTPResponseStartEvent(
                type="http.response.start", status=response.status_code, headers=headers
            )
        )
        await send(HTTPResponseBodyEvent(type="http.response.body", body=body, more_body=False))
