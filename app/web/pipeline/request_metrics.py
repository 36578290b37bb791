"""Request ids and metrics: an id for each request, and counts and durations by route."""

from __future__ import annotations

import re
from collections.abc import Awaitable
from random import getrandbits
from time import perf_counter

from quart import Quart

from app.platform.asgi.header_blocks import HeaderBlock
from app.platform.asgi.scope import HTTPApp, HTTPScope, Receive, Send, SendEvent, peer
from app.platform.observability.logs import request_id
from app.platform.observability.metrics import LATENCY, REQUESTS
from app.services import services_of
from app.web.http.request_context import current_request
from app.web.pipeline.layer import Layer

_FAILED = "500"
_DISCONNECTED = "499"
"""The client disconnected before the response; nginx logs the same number."""


class RequestMetrics(Layer):
    """ASGI middleware that counts responses and observes their durations.

    A request that fails without a response counts as 500, and one whose client disconnected
    before the response as 499.
    """

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        super().__init__(app, quart)
        self._metrics = services_of(quart).metrics

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Pass a request on and count its response."""
        status = _DISCONNECTED
        started = perf_counter()

        def recording(message: SendEvent) -> Awaitable[None]:
            nonlocal status
            if message["type"] == "http.response.start":
                status = str(message["status"])
            return send(message)

        try:
            await self._app(scope, receive, recording)
        except Exception:
            status = _FAILED if status == _DISCONNECTED else status
            raise
        finally:
            route = current_request.get().route.label
            self._metrics.observe(LATENCY, perf_counter() - started, route)
            self._metrics.count(REQUESTS, route, status)


HEADER = b"x-request-id"
_WELL_FORMED = re.compile(rb"[A-Za-z0-9._-]{1,64}")


def random_id() -> str:
    """Return a random id of 16 hexadecimal digits. It is not a secret."""
    return getrandbits(64).to_bytes(8).hex()


class RequestIds(Layer):
    """ASGI middleware that sets the request id and adds it to the response headers."""

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        super().__init__(app, quart)
        services = services_of(quart)
        self._proxies = services.proxies
        self._new_id = services.new_id

    def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on with its id."""
        context = current_request.get()
        current_id = context.headers.get(HEADER)
        if current_id is None or not self._is_trusted(scope, current_id):
            current_id = self._new_id().encode()
        request_id.set(current_id.decode())
        context.response_blocks.append(HeaderBlock([(HEADER, current_id)]))
        return self._app(scope, receive, send)

    def _is_trusted(self, scope: HTTPScope, sent_id: bytes) -> bool:
        return self._proxies.trusts(peer(scope)) and bool(_WELL_FORMED.fullmatch(sent_id))
