"""Access logs: a line for each request once its response is complete."""

from __future__ import annotations

import re
from functools import lru_cache

from app.platform.asgi.client_address import TrustedProxies
from app.platform.asgi.scope import HTTPScope, peer
from app.platform.observability.access_log import Access, AccessLog
from app.platform.observability.logs import request_id
from app.platform.observability.tracing import trace_id
from app.web.http.request_context import RequestContext
from app.web.pipeline.cached_responses import found_in_cache
from app.web.pipeline.observation import Exchange, Observer
from app.web.pipeline.surfaces import Surfaces, shown_path

_DISCONNECTED = 499
"""The client disconnected before the response; nginx logs the same number."""

_MAX_AGENT, _MAX_METHOD, _MAX_REFERER = 256, 32, 512
_CACHED = 2_048
_ORIGIN = re.compile(rb"(https?://[A-Za-z0-9.:\[\]-]{1,255})(?:[/?#].*)?", re.DOTALL)


class AccessLogs(Observer):
    """Logs each request, also one that is refused."""

    def __init__(self, access_log: AccessLog, proxies: TrustedProxies) -> None:
        self._access_log = access_log
        self._proxies = proxies
        self._surfaces = Surfaces()

    def end(self, exchange: Exchange) -> None:
        """Write the line of a request."""
        self._access_log.write(self._access(exchange))

    def _access(self, exchange: Exchange) -> Access:
        scope, context = exchange.scope, exchange.context
        return Access(
            self._address(scope, context),
            context.method[:_MAX_METHOD],
            shown_path(scope, context),
            f"HTTP/{scope['http_version']}",
            exchange.status or _DISCONNECTED,
            exchange.sent_bytes,
            exchange.seconds,
            self._surfaces.of(context).form_of(context, exchange.start) if exchange.start else None,
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
