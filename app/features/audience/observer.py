"""Audience counts: counts who reads which page in which form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date

from hypercorn.typing import HTTPResponseStartEvent

from app.features.audience.audience import Audience, open_audience
from app.features.audience.counts import MissedKey, SearchKey
from app.features.audience.readers import Agent, Reader
from app.platform.observability.retained_texts import retained_name, retained_origin, retained_path
from app.services import Services
from app.web.http.reading import Form, page_read, reader_name
from app.web.http.request_context import RequestContext
from app.web.http.searches import HEADER, Search
from app.web.pipeline.observation import Exchange, Observer
from app.web.pipeline.surfaces import OTHERS, Surfaces

_SHOWN = frozenset({200, 201, 202, 206, 304})
"""The statuses of responses that show a page. Others may be those of any path."""
_MISSED = frozenset({404, 410})


_SEARCH = HEADER.lower().encode()


class AudienceCounts(Observer):
    """Counts each response by page, form, status and agent, and each search by its words.

    The address of the client is not read, and no answer depends on the agent. A search is noted in
    a header of its response, also from the response cache, which is removed here.
    """

    def __init__(self, audience: Audience) -> None:
        self._audience = audience
        self._surfaces = Surfaces()

    @contextmanager
    def around(self, exchange: Exchange) -> Iterator[None]:
        """Forget who read what by the message before, as one task may handle several."""
        if exchange.context.route.policy.is_mcp:
            reader_name.set(None)
            page_read.set(None)
        yield

    def response(self, exchange: Exchange, start: HTTPResponseStartEvent) -> HTTPResponseStartEvent:
        """Count a response when it begins."""
        self._count(exchange.context, start)
        if not exchange.context.query:
            return start
        return self._without_search(start)

    def _without_search(self, start: HTTPResponseStartEvent) -> HTTPResponseStartEvent:
        """Count the search of a response, and return its start without the header."""
        noted = dict(start["headers"]).get(_SEARCH)
        if noted is None:
            return start
        day = self._audience.clock().date()
        self._audience.counts.search(SearchKey(day, *Search.from_header(noted)))
        headers = [pair for pair in start["headers"] if pair[0] != _SEARCH]
        return HTTPResponseStartEvent(
            type="http.response.start", status=start["status"], headers=headers
        )

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
    """Return the audience, and the observer that counts for it."""
    audience = open_audience(services)
    yield audience
    yield AudienceCounts(audience)
