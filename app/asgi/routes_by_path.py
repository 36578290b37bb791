"""Routes by path: which handler a path leads to, for the layers around Quart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from inspect import iscoroutinefunction
from typing import Any

from quart import Quart
from werkzeug.exceptions import HTTPException

_REMEMBERED = 1_024
_LONGEST_REMEMBERED = 512
"""Longer paths are looked up each time, so that they fill no memory."""


@dataclass(frozen=True, slots=True)
class Route:
    """A handler, and the blueprint of its route."""

    handler: Callable[..., Any]
    blueprint: str

    @property
    def is_coroutine(self) -> bool:
        """Whether the event loop runs the handler, and no thread."""
        return iscoroutinefunction(self.handler)


class RoutesByPath:
    """Finds the route of a GET; the last ones are remembered."""

    def __init__(self, app: Quart) -> None:
        self._app = app
        self._remembered = lru_cache(_REMEMBERED)(self._find)

    def __call__(self, path: str) -> Route | None:
        """The route of a decoded path, None where there is none."""
        return self._remembered(path) if len(path) <= _LONGEST_REMEMBERED else self._find(path)

    def _find(self, path: str) -> Route | None:
        try:
            endpoint, _ = self._app.url_map.bind("").match(path, "GET")
        except HTTPException:
            return None
        return Route(self._app.view_functions[endpoint], endpoint.rpartition(".")[0])
