"""Layers: every layer around the handlers, in one list."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache, partial

from quart import Quart

from app.platform.asgi.scope import HTTPApp
from app.services import Services, services_of
from app.web.extensions import AddedLayer
from app.web.http.route_policy import RoutePolicy
from app.web.pipeline.access_logs import AccessLogs
from app.web.pipeline.cached_responses import CachedResponses
from app.web.pipeline.layer import Layer, Tasks
from app.web.pipeline.partial_responses import ConditionalRequests, PartialResponses
from app.web.pipeline.rate_limits import Admission, RateLimits, SearchLimits, UncachedLimits
from app.web.pipeline.refusals import InvalidRequests, Refusals
from app.web.pipeline.request_contexts import RequestContexts
from app.web.pipeline.request_metrics import RequestIds, RequestMetrics
from app.web.pipeline.route_table import RouteTable
from app.web.pipeline.traces import ServerSpans, TraceContexts

LAYERS: Sequence[type[Layer]] = (
    RequestIds,
    TraceContexts,
    ServerSpans,
    AccessLogs,
    RequestMetrics,
    Refusals,
    Tasks,
    RateLimits,
    SearchLimits,
    InvalidRequests,
    PartialResponses,
    ConditionalRequests,
    CachedResponses,
    UncachedLimits,
    Admission,
)
"""What a request passes on its way to its handler, after `RequestContexts`, outermost first.

It passes only the layers that concern it; features add others. `RequestMetrics` is left out if
there is no port for metrics, and spans and the access log unless they are switched on.
"""


def wrap(quart: Quart, layers: Sequence[type[Layer]] = LAYERS) -> RequestContexts:
    """Return the ASGI application of a Quart application inside the layers."""
    services = services_of(quart)
    unused = _unused(services)
    layers = [layer for layer in _with_added(layers, services) if layer not in unused]
    application = partial(Quart.asgi_app, quart)

    @cache
    def app_for(policy: RoutePolicy, is_valid: bool) -> HTTPApp:
        app: HTTPApp = application
        for layer in reversed(layers):
            if layer.concerns(policy, is_valid=is_valid):
                app = layer(app, quart)
        return app

    return RequestContexts(RouteTable(quart, app_for), quart, application)


def _with_added(layers: Sequence[type[Layer]], services: Services) -> list[type[Layer]]:
    """Return the layers with those of features."""
    all_layers = list(layers)
    for added in services.all(AddedLayer):
        if added.inside in all_layers:
            all_layers.insert(all_layers.index(added.inside) + 1, added.layer)
    return all_layers


def _unused(services: Services) -> Collection[type[Layer]]:
    """Return the layers that a service does not have."""
    metrics = [RequestMetrics] if services.settings.metrics_port is None else []
    access_log = [AccessLogs] if services.access_log is None else []
    spans = [ServerSpans] if services.tracer is None else []
    return [*metrics, *access_log, *spans]
