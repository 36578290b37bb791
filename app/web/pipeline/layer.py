"""Layers: the middleware of which the pipeline consists."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable

from quart import Quart

from app.platform.asgi.scope import HTTPApp, HTTPScope, Receive, Send
from app.web.http.route_policy import RoutePolicy


class Layer(ABC):
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
