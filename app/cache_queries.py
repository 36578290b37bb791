"""Cache queries: the part of a query string that belongs to the cache key.

It contains the parameters that the route reads, each once and in a fixed order. Requests that
differ only in other parameters share one entry of the response cache.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import parse_qsl, urlencode

from hypercorn.typing import HTTPScope

from app.asgi.routes_by_path import RoutesByPath
from app.http.parameters import Parameter
from app.http.response_headers import url_problem
from app.openapi.operation import declared_operation
from app.site.pages import page_parameters


class CacheQueries:
    """Reduces query strings to the parameters that the handler of a route declares."""

    def __init__(self, routes: RoutesByPath) -> None:
        self._routes = routes

    def __call__(self, scope: HTTPScope) -> bytes:
        """Return the part of a request's query that its response depends on.

        A malformed query is returned unchanged: it is an error for every route.
        """
        query = scope["query_string"]
        if not query or url_problem(query):
            return query
        names = (parameter.name for parameter in self._parameters(scope["path"]))
        return select_parameters(query, names)

    def _parameters(self, path: str) -> Iterable[Parameter]:
        route = self._routes(path)
        if route is None:
            return ()
        operation = declared_operation(route.handler)
        return operation.query if operation else page_parameters(path)


def select_parameters(query: bytes, names: Iterable[str]) -> bytes:
    """Return a query with only the named parameters; the first of a repeated one counts.

    >>> select_parameters(b"utm=x&page=2&lang=ar&page=3", ("lang", "page"))
    b'lang=ar&page=2'
    >>> select_parameters(b"x=1", ())
    b''
    """
    try:
        pairs = parse_qsl(query.decode(), keep_blank_values=True)
    except UnicodeDecodeError:
        return query
    values = dict(reversed(pairs))
    return urlencode({name: values[name] for name in names if name in values}).encode()
