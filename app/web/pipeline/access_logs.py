"""Access logs: writes a line for each request once its response is complete."""

from __future__ import annotations

import re
from collections.abc import Awaitable
from functools import lru_cache
from time import perf_counter
from typing import cast

from quart import Quart

from app.platform.asgi.scope import HTTPApp, HTTPScope, Receive, Send, SendEvent, peer
from app.platform.observability.access_log import Access, AccessLog
from app.platform.observability.logs import request_id
from app.platform.observability.tracing import trace_id
from app.services import services_of
from app.web.http.reading import Form
from app.web.http.request_context import RequestContext, current_request
from app.web.pipeline.audience_counts import Surfaces
from app.web.pipeline.cached_responses import found_in_cache
from app.web.pipeline.layer import Layer
from app.web.pipeline.shown_paths import shown_path

_DISCONNECTED = 499
"""The client disconnected before the response; nginx logs the same number."""

_MAX_AGENT, _MAX_METHOD, _MAX_REFERER = 256, 32, 512
_CACHED = 2_048
_ORIGIN = re.compile(rb"(https?://[A-Za-z0-9.:\[\]-]{1,255})(?:[/?#].*)?", re.DOTALL)
_BODILESS = frozenset({204, 304})


class _Response:
    """ASGI send that notes what the log says of a response."""

    __slots__ = ("_context", "_send", "_surfaces", "bytes", "form", "status")

    def __init__(self, send: Send, context: RequestContext, surfaces: Surfaces) -> None:
        self._send = send
        self._context = context
        self._surfaces = surfaces
        self.status: int | None = None
        self.form: Form | None = None
        self.bytes = 0

    def __call__(self, message: SendEvent) -> Awaitable[None]:
        """Note a message and send it."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.form = self._surfaces.of(self._context).form_of(self._context, message)
        elif message["type"] == "http.response.body" and self._has_body:
            self.bytes += len(message.get("body", b""))
        return self._send(message)

    @property
    def _has_body(self) -> bool:
        """Whether the server sends the body; not to HEAD."""
        return self._context.method != "HEAD" and self.status not in _BODILESS


class AccessLogs(Layer):
    """ASGI middleware that logs each request, also one that is refused."""

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        super().__init__(app, quart)
        services = services_of(quart)
        self._access_log = cast(AccessLog, services.access_log)
        self._proxies = services.proxies
        self._surfaces = Surfaces()

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Pass a request on and log it."""
        context = current_request.get()
        found_in_cache.set(False)
        response = _Response(send, context, self._surfaces)
        started = perf_counter()
        try:
            await self._app(scope, receive, response)
        except Exception:
            response.status = response.status or 500
            raise
        finally:
            self._access_log.write(self._access(scope, context, response, perf_counter() - started))

    def _access(
        self, scope: HTTPScope, context: RequestContext, response: _Response, seconds: float
    ) -> Access:
        return Access(
            self._address(scope, context),
            context.method[:_MAX_METHOD],
            shown_path(scope, context),
            f"HTTP/{scope['http_version']}",
            response.status or _DISCONNECTED,
            response.bytes,
            seconds,
            response.form,
            _cache_state(context),
            request_id.get(),
            trace_id(),
            _origin(context.headers.get(b"referer", b"")[:_MAX_REFERER]),
            _agent(context.headers.get(b"user-agent")),
        )

    def _address(self, scope: HTTPScope, context: RequestContext) -> str | None:
        if not self._access_log.has_full_addresses:
            return self._access_log.shown(context.client)
        forwarded = context.header(b"x-forwarded-for") or ""
        return self._access_log.shown(self._proxies.address(peer(scope), forwarded))


def _cache_state(context: RequestContext) -> str | None:
    if found_in_cache.get():
        return "hit"
    return "miss" if context.is_cacheable and context.error is None else None


@lru_cache(maxsize=_CACHED)
def _origin(referer: bytes) -> str | None:
    """Return the scheme and host of a referer.

    >>> _origin(b"https://www.example.com/search?q=x"), _origin(b"about:blank"), _origin(b"")
    ('https://www.example.com', None, None)
    """
    match = _ORIGIN.fullmatch(referer)
    return match[1].decode() if match else None


def _agent(agent: bytes | None) -> str | None:
    return None if agent is None else agent[:_MAX_AGENT].decode("latin-1")
