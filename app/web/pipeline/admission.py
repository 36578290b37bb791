"""Admission control: limits how many reads enter Quart at the same time.

A read waits for a permit of the executor that will do its work. A flood of uncached reads
therefore leaves the event loop free to send responses that are ready.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable

from quart import Quart

from app.platform.asgi.scope import HTTPApp, HTTPScope, Receive, Send, SendEvent
from app.platform.concurrency.executors import BoundedExecutor, current_permit
from app.services import services_of
from app.web.http.parameters import SEARCH, SITE_SEARCH
from app.web.http.request_context import RequestContext, current_request
from app.web.http.route_policy import Workload
from app.web.http.workloads import executor_of
from app.web.pipeline.layer import Layer

_SEARCH_QUERY = re.compile(rf"(^|&)({SEARCH.name}|{SITE_SEARCH.name})=[^&]".encode())


class Admission(Layer):
    """ASGI middleware that requires an executor permit for each read that needs a thread."""

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        super().__init__(app, quart)
        self._executors = services_of(quart).executors

    def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on once it has a permit; raises Overloaded if too many wait."""
        workload = workload_of(current_request.get())
        if workload is None:
            return self._app(scope, receive, send)
        return self._admit(executor_of(self._executors, workload), scope, receive, send)

    async def _admit(
        self,
        executor: BoundedExecutor,
        scope: HTTPScope,
        receive: Receive,
        send: Send,
    ) -> None:
        permit = await executor.acquire(current_request.get().client)
        token = current_permit.set(permit)

        async def releasing(message: SendEvent) -> None:
            permit.release()  # the work is done at the first message
            await send(message)

        try:
            await self._app(scope, receive, releasing)
        finally:
            current_permit.reset(token)
            permit.release()


def workload_of(context: RequestContext) -> Workload | None:
    """Return the executor for a read, or None if it needs no thread or does not wait.

    Files do not: they are sent as fast as the client reads them.
    """
    if not context.route.admits or context.is_file:
        return None
    declared = context.route.policy.workload
    is_search = declared is Workload.PAGES and _SEARCH_QUERY.search(context.query)
    return Workload.SEARCHES if is_search else declared
