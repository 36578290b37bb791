"""Admission control: ASGI middleware that limits how many reads enter Quart at the same time.

A read waits for a permit of the executor that will do its work. A flood of uncached reads
therefore leaves the event loop free to send responses that are ready.
"""

from __future__ import annotations

import re
from typing import cast

from hypercorn.typing import (
    ASGIReceiveCallable,
    ASGISendCallable,
    ASGISendEvent,
    HTTPScope,
    Scope,
)

from app.asgi.client_address import TrustedProxies
from app.asgi.refusal import refuse
from app.asgi.routes_by_path import Route, RoutesByPath
from app.asgi.scope import ASGIApp
from app.cache_queries import CacheQueries
from app.concurrency.capacity import Overloaded
from app.concurrency.executors import BoundedExecutor, Executors, Permit, current_permit
from app.content.store import ContentStore
from app.http.parameters import SEARCH, SITE_SEARCH
from app.partner.paths import is_partner_path

_SLOW = frozenset({"maps", "openapi", "developers"})
"""Blueprints whose responses cover all content, or the whole API contract."""

_SITE_PATHS = "site_paths"
_SEARCH_QUERY = re.compile(rf"(^|&)({SEARCH.name}|{SITE_SEARCH.name})=[^&]".encode())


class Admission:
    """ASGI middleware that requires an executor permit for each read that needs a thread."""

    def __init__(
        self,
        app: ASGIApp,
        executors: Executors,
        routes: RoutesByPath,
        content_store: ContentStore,
        proxies: TrustedProxies,
    ) -> None:
        self._app = app
        self._executors = executors
        self._routes = routes
        self._editions = content_store
        self._proxies = proxies
        self._queries = CacheQueries(routes)

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Pass a request on once it has a permit, or reject it if too many requests wait."""
        executor = self._executor(scope) if scope["type"] == "http" else None
        if executor is None:
            await self._app(scope, receive, send)
            return
        try:
            permit = await executor.acquire(self._proxies.client_of(cast(HTTPScope, scope)))
        except Overloaded as overloaded:
            refuse(scope, overloaded)
            await self._app(scope, receive, send)
            return
        token = current_permit.set(permit)
        try:
            await self._app(scope, receive, cast(ASGISendCallable, _ReleasingSend(send, permit)))
        finally:
            current_permit.reset(token)
            permit.release()

    def _executor(self, scope: HTTPScope) -> BoundedExecutor | None:
        """Return the executor for a read, or None if it needs no thread or does not wait."""
        route = self._routes(scope["path"]) if scope["method"] in ("GET", "HEAD") else None
        if route is None or not self._needs_permit(route, scope["path"]):
            return None
        if route.blueprint in _SLOW:
            return self._executors.maps
        is_search = _SEARCH_QUERY.search(self._queries(scope))
        return self._executors.searches if is_search else self._executors.pages

    def _needs_permit(self, route: Route, path: str) -> bool:
        """Return whether a request needs a permit before it enters the application.

        Files do not: they are sent as fast as the client reads them. Partner requests get their
        permit later, after their token has been checked.
        """
        if route.blueprint != _SITE_PATHS:
            return not route.is_coroutine and not is_partner_path(path)
        return not (self._editions.loaded and path[1:] in self._editions.current.snapshot.assets)


class _ReleasingSend:
    """ASGI send that releases the permit at the first message, when the work is done."""

    __slots__ = ("_permit", "_send")

    def __init__(self, send: ASGISendCallable, permit: Permit) -> None:
        self._send = send
        self._permit = permit

    async def __call__(self, message: ASGISendEvent) -> None:
        self._permit.release()
        await self._send(message)
