"""Routes by path: finds the handler of a path for the middleware around Quart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from inspect import iscoroutinefunction
from typing import Any

from quart import Quart
from werkzeug.exceptions import HTTPException

_CACHE_SIZE = 1_024
_MAX_CACHED_LENGTH = 512
"""Longer paths are matched each time, to limit the memory of the cache."""


@dataclass(frozen=True, slots=True)
class Route:
    """A handler, and the blueprint of its route."""

    handler: Callable[..., Any]
    blueprint: str

    @property
    def is_coroutine(self) -> bool:
        """Whether the handler runs on the event loop instead of in a thread."""
        return iscoroutinefunction(self.handler)


class RoutesByPath:
    """Finds the route of a GET request; recent results are cached."""

    def __init__(self, app: Quart) -> None:
        self._app = app
        self._cached = lru_cache(_CACHE_SIZE)(self._find)

    def __call__(self, path: str) -> Route | None:
        """Return the route of a decoded path, or None."""
        return self._cached(path) if len(path) <= _MAX_CACHED_LENGTH else self._find(path)

    def _find(self, path: str) -> Route | None:
        try:
            endpoint, _ = self._app.url_map.bind("").match(path, "GET")
        except HTTPException:
            return None
        return Route(self._app.view_functions[endpoint], endpoint.rpartition(".")[0])
