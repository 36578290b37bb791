"""Audience counts: counts who reads which page in which form."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Mapping
from datetime import date
from functools import lru_cache
from typing import NamedTuple, cast

from hypercorn.typing import HTTPResponseStartEvent
from quart import Quart

from app.asgi.scope import HTTPApp, HTTPScope, Receive, Send, SendEvent
from app.audience import told
from app.audience.audience import Audience
from app.audience.counts import OTHERS, MissedKey, ReadKey
from app.audience.kept_texts import kept_name, kept_origin, kept_path
from app.audience.readers import Agent, Form, Reader
from app.http.request_context import RequestContext, current_request
from app.http.route_policy import Cors, RoutePolicy, Workload
from app.mcp.server import ENDPOINT
from app.pipeline.layer import Layer
from app.services import services_of
from renderers.media_types import MediaType
from renderers.representation_urls import split_suffix

_SHOWN = frozenset({200, 201, 202, 206, 304})
"""The statuses of responses that show a page. Others may be those of any path."""
_MISSED = frozenset({404, 410})
_SURFACES = 4_096
_STATIC = "/static/"
_PER_FORMAT = ("/<site_path:", "/developers")
"""The beginnings of rules whose paths may end with the suffix of a form."""

_FORMS_OF_PATHS = (
    (re.compile(r".*/llms(-full|-\d+)?\.txt"), Form.LLMS),
    (re.compile(r".*/feed\.(xml|json)"), Form.FEED),
)
_FORMS: Mapping[str | None, Form] = {
    MediaType.HTML: Form.HTML,
    MediaType.MARKDOWN: Form.MARKDOWN,
    MediaType.JSON: Form.JSON,
}


class Surface(NamedTuple):
    """Under which page a path is counted, and in which form if that follows from it."""

    page: str
    form: Form | None


class AudienceCounts(Layer):
    """ASGI middleware that counts each response by page, form, status and agent.

    The address of the client is not read, and no answer depends on the agent.
    """

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        super().__init__(app, quart)
        self._audience = cast(Audience, services_of(quart).audience)

    def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on and count its response when it begins."""
        context = current_request.get()
        if context.route.policy.is_mcp:
            told.begin()

        def counting(message: SendEvent) -> Awaitable[None]:
            if message["type"] == "http.response.start":
                self._count(context, message)
            return send(message)

        return self._app(scope, receive, counting)

    def _count(self, context: RequestContext, start: HTTPResponseStartEvent) -> None:
        audience, status = self._audience, start["status"]
        agent = self._agent(context)
        surface = _surface(context.path, context.route.label, _names_pages(context.route.policy))
        day = audience.clock().date()
        page = surface.page if status in _SHOWN else OTHERS
        if surface.form is Form.MCP and (read := told.told_page.get()) is not None:
            page = kept_path(read)
        form = surface.form or _form(context, start)
        audience.counts.read(ReadKey(day, page, form.value, status, agent))
        if status in _MISSED:
            self._count_missed(context, day, surface.page, agent)

    def _agent(self, context: RequestContext) -> Agent:
        """Return the agent by its header, or that of MCP by the name that it tells."""
        name = told.told_client.get() if context.route.policy.is_mcp else None
        if name is not None:
            return Agent(kept_name(name), Reader.MCP_CLIENT)
        return self._audience.agent_of(context.headers.get(b"user-agent", b""))

    def _count_missed(self, context: RequestContext, day: date, path: str, agent: Agent) -> None:
        host = (context.header(b"host") or "").partition(":")[0].lower()
        referer = context.header(b"referer") or ""
        origin = kept_origin(referer, self._audience.hosts | {host})
        self._audience.counts.missed(MissedKey(day, path, origin, agent.reader.value))


def _names_pages(policy: RoutePolicy) -> bool:
    """Return whether the paths of a route are pages: no secrets, and none made of hashes."""
    is_public = policy.cacheable and policy.cors is not Cors.NOBODY
    return is_public and policy.workload is not Workload.IMAGES


@lru_cache(_SURFACES)
def _surface(path: str, rule: str, names_page: bool) -> Surface:
    """Return the surface of a path; that of a route without pages is its rule."""
    if rule == ENDPOINT:
        return Surface(rule, Form.MCP)
    if not names_page or rule.startswith(_STATIC):
        return Surface(rule if rule != "none" else OTHERS, Form.OTHER if names_page else None)
    form = next((form for pattern, form in _FORMS_OF_PATHS if pattern.fullmatch(path)), None)
    if form is not None:
        return Surface(kept_path(path), form)
    canonical, media_type = split_suffix(path) if rule.startswith(_PER_FORMAT) else (path, None)
    return Surface(kept_path(canonical), _FORMS[media_type] if media_type else None)


def _form(context: RequestContext, start: HTTPResponseStartEvent) -> Form:
    """Return the form of a response by its media type; a 304 would have had the negotiated one."""
    if context.is_file:
        return Form.OTHER
    if 300 <= start["status"] < 400:
        return _FORMS.get(context.media_type, Form.OTHER)
    for name, value in start["headers"]:
        if name == b"content-type":
            return _FORMS.get(value.partition(b";")[0].decode("latin-1"), Form.OTHER)
    return Form.OTHER
