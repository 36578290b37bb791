"""Workloads: which executor does the work of a request.

A handler that is no coroutine runs in a thread, as Quart has it; which thread is decided here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial, wraps
from typing import ParamSpec, TypeVar

from quart import Quart, request

from app.client_address import client_of_request
from app.executors import BoundedExecutor, Executors
from app.parameters import SEARCH, SITE_SEARCH, text
from app.services import services

Given = ParamSpec("Given")
Result = TypeVar("Result")

_SLOW = frozenset({"maps", "openapi", "developers"})
"""Blueprints whose answers show all content, or the whole contract."""


class Application(Quart):
    """Quart, with handlers that are no coroutines in the executors of the service."""

    def sync_to_async(self, func: Callable[Given, Result]) -> Callable[Given, Awaitable[Result]]:
        """The function as a coroutine that waits for a thread to call it."""

        @wraps(func)
        async def waiting(*args: Given.args, **kwargs: Given.kwargs) -> Result:
            return await in_executor(func, *args, **kwargs)

        return waiting


async def in_executor(
    work: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs
) -> Result:
    """Do the work of the current request in a thread; raises Overloaded."""
    executor = _executor(services().executors)
    return await executor.run(partial(work, *args, **kwargs), client_of_request())


async def in_search_executor(work: Callable[[], Result]) -> Result:
    """Do work that searches, whatever the request asks for; raises Overloaded."""
    return await services().executors.searches.run(work, client_of_request())


def _executor(executors: Executors) -> BoundedExecutor:
    if request.blueprint in _SLOW:
        return executors.maps
    return executors.searches if _is_search() else executors.pages


def _is_search() -> bool:
    """Whether there is something to search for; few requests have it that read no search."""
    return any(text(each.name) for each in (SEARCH, SITE_SEARCH))
