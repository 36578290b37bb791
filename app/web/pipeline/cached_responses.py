"""Cached responses: answers repeated reads without entering Quart."""

from contextvars import ContextVar

from quart import Quart

from app.platform.asgi.scope import HTTPApp, HTTPScope, Receive, Send, SendEvent
from app.platform.concurrency.eager_start import in_task
from app.platform.concurrency.executors import Overloaded
from app.publishing.response_cache import (
    REDIRECTS,
    CachedResponse,
    CacheKey,
    Resolve,
    cached_response,
)
from app.services import services_of
from app.web.http.request_context import current_request
from app.web.pipeline import PipelineLayer
from knowledge.documents.images import ASSET
from knowledge.edits import note, recording

found_in_cache: ContextVar[bool] = ContextVar("found_in_cache", default=False)
"""Whether the response to the current request was in the cache."""


class CachedResponses(PipelineLayer):
    """ASGI middleware that responds from the response cache, and fills it."""

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        super().__init__(app, quart)
        self._cache = services_of(quart).cache

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Respond from the cache if possible, else pass the request on and cache its response."""
        context = current_request.get()
        if not context.is_cacheable:
            await in_task()
            await self._app(scope, receive, send)
            return
        suggested = context.suggested.path if context.suggested else None
        key = (context.raw_path, context.query, context.media_type, context.coding, suggested)
        response = self._cache.find_cached(key) or await self._cache.find_pending(key)
        keeps_redirects = not scope.get("query_string")
        if response is not None and (keeps_redirects or not response.is_redirect):
            found_in_cache.set(True)
            start, body = response.messages(context.method)
            await send(start)
            await send(body)
        elif context.method == "HEAD" or self._cache.is_pending(key):
            await in_task()
            with recording():  # the headers of a response follow from what it is made from
                await self._app(scope, receive, send)
        else:
            await self._fill(key, scope, receive, send)

    async def _fill(
        self,
        key: CacheKey,
        scope: HTTPScope,
        receive: Receive,
        send: Send,
    ) -> None:
        """Compute a response once for all requests that wait."""
        with self._cache.filling(key) as resolve:
            context = current_request.get()
            if context.route.policy.serves_files:
                note((ASSET, context.path[1:]))  # the context tells whether it is a file
            try:
                await in_task()  # only now, so that other requests wait for this response already
                recorder = ResponseRecorder(send, key, resolve, not scope.get("query_string"))
                await self._app(scope, receive, recorder)
            except Overloaded:
                resolve(None)  # else the requests that wait would try one after the other
                raise


class ResponseRecorder:
    """ASGI send that buffers a response until it is complete.

    `on_complete` is called once, before anything is sent, so that a slow client does not delay
    requests that wait for the same response. Its argument is the response, or None if it is
    neither a 200 with an entity tag nor a redirect to keep. A redirect repeats the whole query of
    its request, of which the key has a part, so that only those of requests without one are kept.
    """

    def __init__(
        self, send: Send, key: CacheKey, on_complete: Resolve, keeps_redirects: bool = False
    ) -> None:
        self._send = send
        self._keeps_redirects = keeps_redirects
        self._key = key
        self._on_complete = on_complete
        self._buffer: list[SendEvent] | None = []

    async def __call__(self, message: SendEvent) -> None:
        """Buffer a message, or send the response once it is complete or cannot be cached."""
        if self._buffer is None:
            await self._send(message)
            return
        self._buffer.append(message)
        if _is_incomplete(message):
            return
        buffered, self._buffer = self._buffer, None
        response = self._response_of(buffered)
        self._on_complete(response)
        if response is not None and response.filled is None:
            buffered = [*response.messages("GET")]
        for event in buffered:
            await self._send(event)

    def _response_of(self, buffered: list[SendEvent]) -> CachedResponse | None:
        start, *rest = buffered
        if start["type"] != "http.response.start":
            return None
        status = start["status"]
        if status != 200 and not (self._keeps_redirects and status in REDIRECTS):
            return None
        parts = (part.get("body", b"") for part in rest if part["type"] == "http.response.body")
        body = b"".join([part for part in parts if part])  # a single part is not copied
        filled = next(iter(current_request.get().filled), None)
        return cached_response(self._key, status, list(start["headers"]), body, filled)


def _is_incomplete(message: SendEvent) -> bool:
    """Return whether more messages follow of a response that may be cached."""
    if message["type"] == "http.response.start":
        return message["status"] == 200 or message["status"] in REDIRECTS
    return message["type"] == "http.response.body" and message.get("more_body", False)
