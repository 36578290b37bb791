"""Cache queries: the part of a query by which answers differ.

It has the parameters that the route reads, once each and in a fixed order. Requests that differ in
nothing else share one entry of the response cache.
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
    """Finds the parameters that a route reads by what its handler declares."""

    def __init__(self, routes: RoutesByPath) -> None:
        self._routes = routes

    def __call__(self, scope: HTTPScope) -> bytes:
        """The part of a request's query by which its answer differs.

        A query that is malformed stays as it is: it is an error, whatever the route reads.
        """
        query = scope["query_string"]
        if not query or url_problem(query):
            return query
        return reduced(query, (each.name for each in self._parameters(scope["path"])))

    def _parameters(self, path: str) -> Iterable[Parameter]:
        route = self._routes(path)
        if route is None:
            return ()
        operation = declared_operation(route.handler)
        return operation.query if operation else page_parameters(path)


def reduced(query: bytes, names: Iterable[str]) -> bytes:
    """A query without any but these parameters; of a repeated one the first counts.

    >>> reduced(b"utm=x&page=2&lang=ar&page=3", ("lang", "page")), reduced(b"x=1", ())
    (b'lang=ar&page=2', b'')
    """
    try:
        pairs = parse_qsl(query.decode(), keep_blank_values=True)
    except UnicodeDecodeError:
        return query
    values = dict(reversed(pairs))
    return urlencode({name: values[name] for name in names if name in values}).encode()
