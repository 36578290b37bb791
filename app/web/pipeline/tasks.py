"""Tasks: continues in a task with what the response cache cannot answer."""

from __future__ import annotations

from app.platform.asgi.scope import HTTPScope, Receive, Send
from app.platform.concurrency.first_step import in_task
from app.web.http.route_policy import RoutePolicy
from app.web.pipeline.layer import Layer


class Tasks(Layer):
    """ASGI middleware that continues in a task, as the layers and handlers inside it may need one.

    The server begins a request without a task. Routes whose responses are cached do not pass this
    layer: for them `CachedResponses` does the same, once a response is not in the cache.
    """

    @classmethod
    def concerns(cls, policy: RoutePolicy, *, is_valid: bool) -> bool:
        """Return whether the responses are not cached."""
        return not (policy.cacheable and is_valid)

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        await in_task()
        await self._app(scope, receive, send)
