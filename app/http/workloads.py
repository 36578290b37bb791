"""Workloads: runs work of the current request in a thread.

A handler that is not a coroutine function runs in a thread, as in Quart.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial, wraps
from typing import ParamSpec, TypeVar

from quart import Quart, request

from app.concurrency.executors import BoundedExecutor, Executors, current_permit
from app.http.request_client import client_of_request
from app.partner.paths import is_partner_path
from app.services import services

Params = ParamSpec("Params")
Result = TypeVar("Result")


class Application(Quart):
    """A Quart application whose synchronous handlers run in the executors of the service."""

    def sync_to_async(self, func: Callable[Params, Result]) -> Callable[Params, Awaitable[Result]]:
        """Return a coroutine function that calls `func` in a thread."""

        @wraps(func)
        async def wrapper(*args: Params.args, **kwargs: Params.kwargs) -> Result:
            return await in_executor(func, *args, **kwargs)

        return wrapper


async def in_executor(
    work: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs
) -> Result:
    """Run work in the executor for which the request holds a permit; raises Overloaded.

    A request without a permit, such as a POST, uses the executor for partners or for pages.
    """
    permit = current_permit.get()
    executor = permit.executor if permit else _executor(services().executors)
    return await executor.run(partial(work, *args, **kwargs), client_of_request())


def _executor(executors: Executors) -> BoundedExecutor:
    return executors.partners if is_partner_path(request.path) else executors.pages


async def in_search_executor(work: Callable[[], Result]) -> Result:
    """Run work in the executor for searches, whatever the request is; raises Overloaded."""
    return await services().executors.searches.run(work, client_of_request())
