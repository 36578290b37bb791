"""Layers: every layer around the handlers, in one list."""

from collections.abc import Sequence
from functools import cache, partial

from quart import Quart

from app.platform.asgi.scope import HTTPApp
from app.services import services_of
from app.web.errors import Refusals
from app.web.extensions import AddedLayer
from app.web.http.route_policy import RoutePolicy
from app.web.pipeline import PipelineLayer, Tasks
from app.web.pipeline.cached_responses import CachedResponses
from app.web.pipeline.conditional_requests import ConditionalRequests
from app.web.pipeline.observation import Observation
from app.web.pipeline.rate_limits import Admission, Limits
from app.web.pipeline.request_contexts import RequestContexts
from app.web.pipeline.route_table import RouteTable

LAYERS: Sequence[type[PipelineLayer]] = (
    Observation,
    Refusals,
    Tasks,
    Limits,
    ConditionalRequests,
    CachedResponses,
    Admission,
)
"""What a request passes on its way to its handler, after `RequestContexts`, outermost first.

It passes only the layers that concern it. Features add others.
"""


def wrap(quart: Quart, layers: Sequence[type[PipelineLayer]] = LAYERS) -> RequestContexts:
    """Return the ASGI application of a Quart application inside these layers and the added ones."""
    all_layers = list(layers)
    for added in services_of(quart).all(AddedLayer):
        outer = next(layer for layer in all_layers if issubclass(layer, added.inside))
        all_layers.insert(all_layers.index(outer) + 1, added.layer)
    application = partial(Quart.asgi_app, quart)

    @cache
    def app_for(policy: RoutePolicy, is_valid: bool) -> HTTPApp:
        app: HTTPApp = application
        for layer in reversed(all_layers):
            if layer.concerns(policy, is_valid=is_valid):
                app = layer(app, quart)
        return app

    return RequestContexts(RouteTable(quart, app_for), quart, application)
