"""Cache queries: the part of a query by which answers differ.

It has the parameters that the route reads, once each and in a fixed order. Requests that differ in
nothing else share one entry of the response cache.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import parse_qsl, urlencode

from hypercorn.typing import HTTPScope
from quart import Quart
from werkzeug.exceptions import HTTPException

from app.http_manners import url_problem
from app.openapi.operation import declared_operation
from app.parameters import Parameter
from app.site.pages import page_parameters

_REMEMBERED_PATHS = 1_024
_LONGEST_REMEMBERED = 512
"""Longer paths are looked up each time, so that they fill no memory."""


class CacheQueries:
    """Finds the parameters that a route reads from what its handler declares."""

    def __init__(self, app: Quart) -> None:
        self._app = app
        self._names = lru_cache(_REMEMBERED_PATHS)(self._find_names)

    def __call__(self, scope: HTTPScope) -> bytes:
        """The part of a request's query by which its answer differs.

        A query that cannot be read stays as it is: it is an error, whatever the route reads.
        """
        query, path = scope["query_string"], scope["path"]
        if not query or url_problem(query):
            return query
        is_short = len(path) <= _LONGEST_REMEMBERED
        return reduced(query, self._names(path) if is_short else self._find_names(path))

    def _find_names(self, path: str) -> tuple[str, ...]:
        """Names of the parameters that are read at a path; none where there is no route."""
        return tuple(parameter.name for parameter in self._parameters(path))

    def _parameters(self, path: str) -> Iterable[Parameter]:
        try:
            endpoint, _ = self._app.url_map.bind("").match(path, "GET")
        except HTTPException:
            return ()
        operation = declared_operation(self._app.view_functions[endpoint])
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
