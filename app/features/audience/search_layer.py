"""Search counts: counts what was searched and how much was found, also from the response cache."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import cast

from hypercorn.typing import HTTPResponseStartEvent
from quart import Quart

from app.features.audience.audience import Audience
from app.features.audience.counts import SearchKey
from app.platform.asgi.scope import HTTPApp, HTTPScope, Receive, Send, SendEvent
from app.services import services_of
from app.web.http.request_context import current_request
from app.web.http.route_policy import RoutePolicy, Workload
from app.web.http.searches import HEADER, Search
from app.web.pipeline.layer import Layer

_HEADER = HEADER.lower().encode()


class SearchCounts(Layer):
    """ASGI middleware that counts searches by a header of their responses, and removes it."""

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        super().__init__(app, quart)
        self._audience = services_of(quart).part(Audience)

    @classmethod
    def concerns(cls, policy: RoutePolicy, *, is_valid: bool) -> bool:
        """Return whether requests of the policy may be searches."""
        return is_valid and policy.workload in (Workload.PAGES, Workload.SEARCHES)

    def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on; without a query it is no search."""
        if not current_request.get().query:
            return self._app(scope, receive, send)

        def counting(message: SendEvent) -> Awaitable[None]:
            return send(self._counted(message) if _is_start(message) else message)

        return self._app(scope, receive, counting)

    def _counted(self, start: SendEvent) -> SendEvent:
        """Count the search of a response, and return its start without the header."""
        start = cast(HTTPResponseStartEvent, start)
        noted = dict(start["headers"]).get(_HEADER)
        if noted is None:
            return start
        self._audience.counts.search(
            SearchKey(self._audience.clock().date(), *Search.from_header(noted))
        )
        return {**start, "headers": [pair for pair in start["headers"] if pair[0] != _HEADER]}


def _is_start(message: SendEvent) -> bool:
    return message["type"] == "http.response.start"
