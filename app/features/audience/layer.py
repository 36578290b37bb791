"""Audience counts: counts who reads which page in which form."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from datetime import date

from hypercorn.typing import HTTPResponseStartEvent
from quart import Quart

from app.features.audience.audience import Audience, open_audience
from app.features.audience.counts import MissedKey
from app.features.audience.readers import Agent, Reader
from app.features.audience.search_layer import SearchCounts
from app.platform.asgi.scope import HTTPApp, HTTPScope, Receive, Send, SendEvent
from app.platform.observability.retained_texts import retained_name, retained_origin, retained_path
from app.services import Services, services_of
from app.web.extensions import AddedLayer
from app.web.http.reading import Form, page_read, reader_name
from app.web.http.request_context import RequestContext, current_request
from app.web.pipeline.audience_counts import OTHERS, Surfaces
from app.web.pipeline.layer import Layer
from app.web.pipeline.partial_responses import ConditionalRequests
from app.web.pipeline.request_metrics import RequestMetrics

_SHOWN = frozenset({200, 201, 202, 206, 304})
"""The statuses of responses that show a page. Others may be those of any path."""
_MISSED = frozenset({404, 410})


class AudienceCounts(Layer):
    """ASGI middleware that counts each response by page, form, status and agent.

    The address of the client is not read, and no answer depends on the agent.
    """

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        super().__init__(app, quart)
        self._audience = services_of(quart).part(Audience)
        self._surfaces = Surfaces()

    def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on and count its response when it begins."""
        context = current_request.get()
        if context.route.policy.is_mcp:
            reader_name.set(None)  # one task may handle several messages
            page_read.set(None)

        def counting(message: SendEvent) -> Awaitable[None]:
            if message["type"] == "http.response.start":
                self._count(context, message)
            return send(message)

        return self._app(scope, receive, counting)

    def _count(self, context: RequestContext, start: HTTPResponseStartEvent) -> None:
        audience, status = self._audience, start["status"]
        surface = self._surfaces.of(context)
        form = surface.form_of(context, start)
        page, agent = surface.page if status in _SHOWN else OTHERS, None
        if form is Form.MCP:
            page, agent = _mcp_page() or page, _mcp_agent()
        if agent is None:
            agent = audience.agent_of(context.headers.get(b"user-agent", b""))
        day = audience.clock().date()
        audience.counts.read(day, page, form, status, agent)
        if status in _MISSED and (context.route.is_api or not context.query):
            # a page after the last one of a list is no missing page
            self._count_missed(context, day, surface.page, agent)

    def _count_missed(self, context: RequestContext, day: date, path: str, agent: Agent) -> None:
        host = (context.header(b"host") or "").partition(":")[0].lower()
        referer = context.header(b"referer") or ""
        origin = retained_origin(referer, self._audience.hosts | {host})
        self._audience.counts.missed(MissedKey(day, path, origin, agent.reader.value))


def _mcp_agent() -> Agent | None:
    name = reader_name.get()
    return None if name is None else Agent(retained_name(name), Reader.MCP_CLIENT)


def _mcp_page() -> str | None:
    path = page_read.get()
    return None if path is None else retained_path(path)


def open_parts(services: Services) -> Iterable[object]:
    """Return the audience, and the layers that count for it."""
    yield open_audience(services)
    yield AddedLayer(AudienceCounts, inside=RequestMetrics)
    yield AddedLayer(SearchCounts, inside=ConditionalRequests)
