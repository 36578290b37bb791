"""The pipeline: every layer around the handlers, in one list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from quart import Quart

from app.asgi.scope import HTTPApp
from app.pipeline.admission import Admission
from app.pipeline.cached_responses import CachedResponses
from app.pipeline.conditional_requests import ConditionalRequests
from app.pipeline.partner_access import PartnerAccess
from app.pipeline.rate_limits import RateLimits, UncachedLimits
from app.pipeline.refusals import InvalidRequests, Refusals
from app.pipeline.request_contexts import RequestContexts
from app.pipeline.request_ids import RequestIds
from app.pipeline.request_metrics import RequestMetrics
from app.services import services_of

Layer = Callable[[HTTPApp, Quart], HTTPApp]
"""Wraps an application in middleware; the second argument is the one whose handlers answer."""

LAYERS: Sequence[Layer] = (
    RequestIds,
    RequestMetrics,
    Refusals,
    RateLimits,
    InvalidRequests,
    PartnerAccess,
    ConditionalRequests,
    CachedResponses,
    UncachedLimits,
    Admission,
)
"""What a request passes on its way to its handler, after `RequestContexts`, outermost first.

`RequestMetrics` is left out if there is no port for metrics.
"""


def wrap(quart: Quart, layers: Sequence[Layer] = LAYERS) -> RequestContexts:
    """Return the ASGI application of a Quart application inside the layers."""
    if services_of(quart).settings.metrics_port is None:
        layers = [layer for layer in layers if layer is not RequestMetrics]
    application = partial(Quart.asgi_app, quart)
    app: HTTPApp = application
    for layer in reversed(layers):
        app = layer(app, quart)
    return RequestContexts(app, quart, application)
