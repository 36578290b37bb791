"""The pipeline: the layers around the handlers. Here are their type and the layer `Tasks`."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable

from quart import Quart

from app.platform.asgi.scope import HTTPApp, HTTPScope, Receive, Send
from app.platform.concurrency.eager_start import in_task
from app.web.http.route_policy import RoutePolicy


class PipelineLayer(ABC):
    """ASGI middleware around the handlers of `quart`."""

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        self._app = app

    @classmethod
    def concerns(cls, policy: RoutePolicy, *, is_valid: bool) -> bool:
        """Return whether requests of a policy, valid or invalid ones, pass this layer at all."""
        return True

    @abstractmethod
    def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on, respond to it, or raise the MajlisError that refuses it."""


class Tasks(PipelineLayer):
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
