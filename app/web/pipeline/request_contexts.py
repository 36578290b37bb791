"""Request contexts: reads each request once, and decides all that follows from it."""

from __future__ import annotations

from collections.abc import Awaitable
from functools import lru_cache
from typing import NamedTuple

from quart import Quart

from app.platform.asgi import caching
from app.platform.asgi.request_target import (
    encoding_problem,
    host_problem,
    path_problem,
    read_target,
    select_parameters,
)
from app.platform.asgi.scope import (
    AmbiguousLength,
    ASGIApp,
    HeaderBlock,
    HTTPScope,
    Receive,
    RequestHeaders,
    Scope,
    Send,
    SendEvent,
    WebSocketRefused,
    as_http,
    is_handshake,
    peer,
    request_headers,
    with_blocks,
)
from app.services import services_of
from app.web.http.bodies import MAX_BYTES
from app.web.http.error_envelope import EXPLANATIONS
from app.web.http.request_context import (
    ACCEPT_LANGUAGE,
    RequestContext,
    Route,
    country_of,
    current_request,
    has_campaign,
    languages_of,
)
from app.web.http.response_headers import CORS_HEADERS
from app.web.http.route_policy import Cors
from app.web.pipeline.route_table import RouteTable
from knowledge.documents.assets import find_file
from knowledge.locales.locale import Locale
from knowledge.resources.errors import InvalidArgument, MajlisError, NotFound
from knowledge.resources.places import suggested_locale
from renderers.representation import (
    API_MEDIA_TYPES,
    PAGE_MEDIA_TYPES,
    MediaType,
    choose,
    names_a_media_type,
)


class Negotiated(NamedTuple):
    """What the client prefers: a media type, that of errors, and a content coding."""

    media_type: MediaType | None
    error_media_type: MediaType
    coding: str


_CORS = HeaderBlock(CORS_HEADERS)

_REFUSED = (b"/api/", "/api/", b"")
"""Replaces the unreliable target of a refused request. It is below `/api/`, so that the refusal
counts as a read and the error is JSON."""

_SENT_WITH_SLASH = ("POST", "OPTIONS")
"""The methods of a submission, and of the question that a browser asks before it."""


class RequestContexts:
    """ASGI application that sets the context of each request and passes the request on.

    Anything but a request, such as lifespan events, goes to `other`.
    """

    def __init__(self, routes: RouteTable, quart: Quart, other: ASGIApp) -> None:
        self._routes = routes
        self._other = other
        self._services = services_of(quart)
        self._visitor_headers = f"Accept-Language, {self._services.settings.country_header}"

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on with its context."""
        if scope["type"] == "http":
            return self._enter(scope, receive, send, None)
        if scope["type"] == "websocket":
            request, send = as_http(scope, send)
            return self._enter(request, receive, send, WebSocketRefused())
        return self._other(scope, receive, send)

    def _enter(
        self,
        scope: HTTPScope,
        receive: Receive,
        send: Send,
        error: MajlisError | None,
    ) -> Awaitable[None]:
        context = self.read(scope, error)
        current_request.set(context)
        app = context.route.app if context.error is None else context.route.refusing_app
        return app(scope, receive, _with_headers(send, context))

    def read(self, scope: HTTPScope, error: MajlisError | None = None) -> RequestContext:
        """Return the context of a request; `error` refuses it."""
        headers = request_headers(scope)
        error = error or self._normalize(scope, headers)
        method = scope["method"]
        raw_path, path, query = scope["raw_path"], scope["path"], scope["query_string"]
        if error:
            raw_path, path, query = _REFUSED
        route = self._routes(method, raw_path, path)
        error = error or _problem(route, raw_path, path, query)
        negotiated = negotiate(
            headers.get(b"accept", b""), headers.get(b"accept-encoding", b""), route.is_api
        )
        forwarded = headers.get(b"x-forwarded-for", b"")
        is_file, is_large = self._file(route, path)
        cors, allows_origin = route.policy.cors, route.policy.allows_origin
        is_readable = cors is Cors.ANYONE
        if allows_origin is not None:
            is_readable = allows_origin(self._services, headers)
        is_sent = cors is Cors.ALLOWED or b"origin" in headers
        by_origin = is_readable and is_sent and cors.depends_on_origin
        return RequestContext(
            method=method,
            path=path,
            headers=headers,
            client=self._services.proxies.client(peer(scope), forwarded.decode("latin-1")),
            route=route,
            query=query
            if error or not query
            else select_parameters(query, route.query, route.repeated),
            media_type=negotiated.media_type,
            error_media_type=negotiated.error_media_type,
            coding=negotiated.coding,
            is_readable=is_readable,
            is_file=is_file,
            is_cacheable=_is_cacheable(route, headers) and not is_large,
            error=error,
            raw_path=raw_path,
            response_blocks=[_CORS] if by_origin else [],
            suggested=self._suggested(scope, route, negotiated, headers),
            body_bytes=self._body_bytes(route),
            filled=[],
            visitor_headers=self._visitor_headers,
        )

    def _body_bytes(self, route: Route) -> int:
        find = route.policy.body_bytes
        return find(self._services, route.arguments) if find else MAX_BYTES

    def _suggested(
        self, scope: HTTPScope, route: Route, negotiated: Negotiated, headers: RequestHeaders
    ) -> Locale | None:
        """Return the locale to suggest to the reader of a page; crawlers send no language."""
        if ACCEPT_LANGUAGE not in headers or route.page is None:
            return None
        content_store = self._services.content_store
        if negotiated.media_type is not MediaType.HTML or not content_store.loaded:
            return None
        snapshot, now = content_store.current.snapshot, self._services.clock()
        country = country_of(self._services, peer(scope), headers)
        return suggested_locale(snapshot, route.page, now, country, languages_of(headers))

    def _file(self, route: Route, path: str) -> tuple[bool, bool]:
        """Return whether a path is a file of the content folder, and too large for the cache."""
        content_store = self._services.content_store
        if not route.policy.serves_files or not content_store.loaded:
            return False, False
        edition = content_store.current
        file = find_file(edition.snapshot.assets, path[1:])
        return file is not None, file is not None and edition.is_large_asset(file.path)

    def _normalize(self, scope: HTTPScope, headers: RequestHeaders) -> MajlisError | None:
        """Normalize method and target in place; return the error of an invalid request."""
        if b"x-forwarded-for" in headers:
            self._services.proxies.warn_if_untrusted(peer(scope))
        if b"upgrade" in headers and is_handshake(headers):
            return WebSocketRefused()
        if b"transfer-encoding" in headers and b"content-length" in headers:
            return AmbiguousLength()
        if not scope["method"].isupper():  # the router ignores case, so all middleware must
            scope["method"] = scope["method"].upper()
        try:
            read_target(scope)
        except InvalidArgument as error:
            return error
        if scope["raw_path"].endswith(b"/") and scope["method"] in _SENT_WITH_SLASH:
            # Clients that join addresses add a slash, and few send a body again after a redirect.
            path = scope["path"].rstrip("/")
            if self._routes.takes_bodies(path):
                scope["path"], scope["raw_path"] = path, scope["raw_path"].rstrip(b"/")
        return host_problem(headers[b"host"]) if b"host" in headers else None


def _is_cacheable(route: Route, headers: RequestHeaders) -> bool:
    """Return whether the response may be that of another request."""
    by_referer = route.reads_referer and has_campaign(headers.get(b"referer", b""))
    return route.is_read and route.policy.cacheable and not by_referer


def _problem(route: Route, raw_path: bytes, path: str, query: bytes) -> MajlisError | None:
    """Return the error of a path or query that is malformed for every route, or None."""
    if not route.is_well_formed:
        return path_problem(raw_path, path) or NotFound(*EXPLANATIONS[404])
    return encoding_problem(query) if query else None


_NEGOTIATION_CACHE_SIZE = 1_024
_MAX_CACHED_LENGTH = 512
"""Longer headers are negotiated each time, to limit the memory of that cache."""


def negotiate(accept: bytes, accept_encoding: bytes, is_api: bool) -> Negotiated:
    """Return what a client prefers."""
    if len(accept) + len(accept_encoding) > _MAX_CACHED_LENGTH:
        return _negotiate.__wrapped__(accept, accept_encoding, is_api)
    return _negotiate(accept, accept_encoding, is_api)


@lru_cache(_NEGOTIATION_CACHE_SIZE)
def _negotiate(accept: bytes, accept_encoding: bytes, is_api: bool) -> Negotiated:
    accepted = accept.decode("latin-1")
    coding = caching.choose(accept_encoding.decode("latin-1"))
    if is_api:
        media_type = choose(accepted, API_MEDIA_TYPES) or MediaType.JSON
        return Negotiated(media_type, MediaType.JSON, coding)
    page_type = choose(accepted, PAGE_MEDIA_TYPES)
    # Many agents send only wildcards; for them markdown is shorter.
    error_type = page_type if page_type and names_a_media_type(accepted) else MediaType.MARKDOWN
    return Negotiated(page_type, error_type, coding)


def _with_headers(send: Send, context: RequestContext) -> Send:
    """Return a `send` that adds the headers of the context to the start of the response."""

    def add(message: SendEvent) -> Awaitable[None]:
        if message["type"] == "http.response.start":
            added = (context.route.headers, *context.response_blocks)
            message = {**message, "headers": with_blocks(message["headers"], *added)}
        return send(message)

    return add
