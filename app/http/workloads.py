"""Workloads: work of the current request that is done in a thread.

A handler that is no coroutine is such work, as in Quart.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial, wraps
from typing import ParamSpec, TypeVar

from quart import Quart, request

from app.concurrency.executors import BoundedExecutor, Executors, current_turn
from app.http.client_address import client_of_request
from app.partner.paths import is_partner_path
from app.services import services

Given = ParamSpec("Given")
Result = TypeVar("Result")


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
    """Do work in the executor in which the request has its turn; raises Overloaded.

    What has none, such as a form that was sent, has its turn among the pages.
    """
    turn = current_turn.get()
    executor = turn.executor if turn else _executor(services().executors)
    return await executor.run(partial(work, *args, **kwargs), client_of_request())


def _executor(executors: Executors) -> BoundedExecutor:
    return executors.partners if is_partner_path(request.path) else executors.pages


async def in_search_executor(work: Callable[[], Result]) -> Result:
    """Do work that searches, whatever the request asks for; raises Overloaded."""
    return await services().executors.searches.run(work, client_of_request())
