"""Admission: an ASGI layer that lets few reads into the application at a time.

Each waits for its turn in the executor that will do its work. So a flood of reads that have to be
computed leaves the event loop free for the answers that are ready.
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

from app.asgi.refusal import refuse
from app.asgi.routes_by_path import Route, RoutesByPath
from app.asgi.scope import ASGIApp
from app.asgi.trusted_proxies import TrustedProxies
from app.cache_queries import CacheQueries
from app.concurrency.capacity import Overloaded
from app.concurrency.executors import BoundedExecutor, Executors, Turn, current_turn
from app.content.store import ContentStore
from app.http.parameters import SEARCH, SITE_SEARCH
from app.partner.paths import is_partner_path

_SLOW = frozenset({"maps", "openapi", "developers"})
"""Blueprints whose answers show all content, or the whole contract."""

_SITE_PATHS = "site_paths"
_SEARCHED = re.compile(rf"(^|&)({SEARCH.name}|{SITE_SEARCH.name})=[^&]".encode())


class Admission:
    """Wraps an ASGI application."""

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
        """Pass a request on when it is its turn, or reject it where too many wait."""
        executor = self._executor(scope) if scope["type"] == "http" else None
        if executor is None:
            await self._app(scope, receive, send)
            return
        try:
            turn = await executor.turn(self._proxies.client_of(cast(HTTPScope, scope)))
        except Overloaded as overloaded:
            refuse(scope, overloaded)
            await self._app(scope, receive, send)
            return
        token = current_turn.set(turn)
        try:
            await self._app(scope, receive, cast(ASGISendCallable, _Sending(send, turn)))
        finally:
            current_turn.reset(token)
            turn.end()

    def _executor(self, scope: HTTPScope) -> BoundedExecutor | None:
        """Where the work of a read is done; None for what needs no thread, or does not wait."""
        route = self._routes(scope["path"]) if scope["method"] in ("GET", "HEAD") else None
        if route is None or not self._is_work(route, scope["path"]):
            return None
        if route.blueprint in _SLOW:
            return self._executors.maps
        is_search = _SEARCHED.search(self._queries(scope))
        return self._executors.searches if is_search else self._executors.pages

    def _is_work(self, route: Route, path: str) -> bool:
        """Whether a thread answers. Files are sent as fast as the client takes them, by no turn.

        Partners have their turn when their token is known.
        """
        if route.blueprint != _SITE_PATHS:
            return not route.is_coroutine and not is_partner_path(path)
        return not (self._editions.loaded and path[1:] in self._editions.current.snapshot.assets)


class _Sending:
    """Passes messages on. With the first of them the work is done, and the turn is over."""

    __slots__ = ("_send", "_turn")

    def __init__(self, send: ASGISendCallable, turn: Turn) -> None:
        self._send = send
        self._turn = turn

    async def __call__(self, message: ASGISendEvent) -> None:
        self._turn.end()
        await self._send(message)
