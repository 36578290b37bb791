"""Workloads: runs work of the current request in a thread.

A handler that is not a coroutine function runs in a thread, as in Quart.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar, cast

from quart import Quart, Response
from quart.routing import QuartRule
from quart.wrappers import BaseRequestWebsocket
from werkzeug.exceptions import MethodNotAllowed, NotFound
from werkzeug.routing import MapAdapter, Rule

from app.platform.concurrency.executors import BoundedExecutor, Executors, current_permit
from app.services import services
from app.web.http import bodies
from app.web.http.request_context import current_request
from app.web.http.response_headers import ALLOWED_HEADERS
from app.web.http.route_policy import Workload

Params = ParamSpec("Params")
Result = TypeVar("Result")


class _MatchedRule(QuartRule):
    """A rule by which no URL is built: werkzeug compiles two functions for that, at each start."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        return _build_no_url


def _build_no_url(*_: object, **__: object) -> tuple[str, str]:
    raise NotImplementedError("URLs are those of resources; none is built from a rule.")


class Application(Quart):
    """A Quart application whose synchronous handlers run in the executors of the service."""

    request_class = bodies.BoundedRequest
    url_rule_class = _MatchedRule

    def __init__(self) -> None:
        super().__init__("majlis", static_folder=None)
        # Without this, werkzeug redirects `//path` to the host named in the Host header.
        self.url_map.merge_slashes = False
        self.config["BODY_TIMEOUT"] = bodies.TIMEOUT_SECONDS

    def sync_to_async(self, func: Callable[Params, Result]) -> Callable[Params, Awaitable[Result]]:
        """Return a coroutine function that calls `func` in a thread."""

        @wraps(func)
        async def wrapper(*args: Params.args, **kwargs: Params.kwargs) -> Result:
            return await in_executor(func, *args, **kwargs)

        return wrapper

    def create_url_adapter(self, request: BaseRequestWebsocket | None) -> MapAdapter | None:
        """Return the adapter of a request: its route is that of the request context."""
        if request is None:
            return super().create_url_adapter(None)
        return cast(MapAdapter, _DecidedRoute())

    async def make_default_options_response(self) -> Response:
        """Respond to OPTIONS, and to a CORS preflight if the origin may send the request."""
        context = current_request.get()
        methods = ", ".join(sorted(self.url_map.bind("").allowed_methods(context.path)))
        response = Response("", headers={"Allow": methods})
        if context.route.policy.cors.depends_on_origin:
            response.headers["Vary"] = "Origin"
        if context.is_readable:
            response.status_code = 204
            del response.headers["Content-Type"], response.headers["Content-Length"]
            response.headers["Access-Control-Allow-Methods"] = methods
            response.headers["Access-Control-Allow-Headers"] = ALLOWED_HEADERS
            response.headers["Access-Control-Max-Age"] = "86400"
        return response


class _DecidedRoute:
    """Gives Quart the route of the request context, instead of matching it again."""

    def match(self, *, return_rule: bool) -> tuple[Rule, dict[str, Any]]:
        """Return rule and arguments; raises MethodNotAllowed and NotFound."""
        route = current_request.get().route
        if route.rule is not None:
            return route.rule, dict(route.arguments)
        if route.methods:
            raise MethodNotAllowed(list(route.methods))
        raise NotFound


async def in_executor(
    work: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs
) -> Result:
    """Run work in the executor for which the request holds a permit; raises Overloaded.

    A request without a permit, such as a POST, uses the executor of its route.
    """
    context, permit = current_request.get(), current_permit.get()
    workload = context.route.policy.workload
    executor = permit.executor if permit else executor_of(services().executors, workload)
    return await executor.run(partial(work, *args, **kwargs), context.client)


def executor_of(executors: Executors, workload: Workload) -> BoundedExecutor:
    """Return the executor for the work of a route."""
    return cast(BoundedExecutor, getattr(executors, workload))
