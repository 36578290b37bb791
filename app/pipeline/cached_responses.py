"""Cached responses: answers repeated reads without entering Quart."""

from __future__ import annotations

from quart import Quart

from app.asgi.scope import HTTPApp, HTTPScope, Receive, Send
from app.cache.cached_response import Key, ResponseRecorder
from app.concurrency.capacity import Overloaded
from app.http.request_context import current_request
from app.services import services_of


class CachedResponses:
    """ASGI middleware that responds from the response cache, and fills it."""

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        self._app = app
        self._cache = services_of(quart).cache

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Respond from the cache if possible, else pass the request on and cache its response."""
        context = current_request.get()
        if not context.is_cacheable:
            await self._app(scope, receive, send)
            return
        key = (context.raw_path, context.query, context.media_type, context.coding)
        response = await self._cache.find(key)
        if response is not None:
            start, body = response.messages(context.method)
            await send(start)
            await send(body)
        elif context.method == "HEAD" or self._cache.is_pending(key):
            await self._app(scope, receive, send)
        else:
            await self._fill(key, scope, receive, send)

    async def _fill(
        self,
        key: Key,
        scope: HTTPScope,
        receive: Receive,
        send: Send,
    ) -> None:
        """Compute a response once for all requests that wait."""
        with self._cache.filling(key) as resolve:
            try:
                await self._app(scope, receive, ResponseRecorder(send, key, resolve))
            except Overloaded:
                resolve(None)  # else the requests that wait would try one after the other
                raise
