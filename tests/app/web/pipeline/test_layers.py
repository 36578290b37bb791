"""Layers: a request passes those that concern its route, in their order."""

from __future__ import annotations

from collections.abc import Awaitable

import pytest
from conftest import Visit
from contract.visitor import Visitor

from app.features.audience.layer import AudienceCounts
from app.features.audience.search_layer import SearchCounts
from app.platform.asgi.scope import HTTPScope, Receive, Send
from app.web.pipeline.access_logs import AccessLogs
from app.web.pipeline.layer import Layer
from app.web.pipeline.layers import LAYERS
from app.web.pipeline.request_metrics import RequestMetrics
from app.web.pipeline.traces import ServerSpans

PAGE = {"pages/a.md": "---\ntitle: A\n---\n", "pages/a.ar.md": "---\ntitle: ا\n---\n"}
FIRST = ["RequestIds", "TraceContexts", "Refusals"]
OFF = (ServerSpans, AccessLogs, RequestMetrics, AudienceCounts, SearchCounts)
LAST = ["ConditionalRequests", "CachedResponses"]


def recorded(layer: type[Layer], passed: list[str]) -> type[Layer]:
    """Return a layer that also records its name for each request."""

    class Recorded(layer):  # type: ignore[misc,valid-type]
        def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Awaitable[None]:
            passed.append(layer.__name__)
            result: Awaitable[None] = super().__call__(scope, receive, send)
            return result

    return Recorded


@pytest.fixture
def passed() -> list[str]:
    """The names of the layers that requests have passed."""
    return []


@pytest.fixture
def visitor(visit: Visit, passed: list[str]) -> Visitor:
    """Return an application with one page, whose layers record their names."""
    visitor = visit(PAGE, erp_pull_api_token="token-of-the-erp-pull")
    visitor.wrap([recorded(layer, passed) for layer in LAYERS if layer not in OFF])
    return visitor


@pytest.mark.parametrize(
    ("target", "layers"),
    [
        pytest.param(
            "/ae/en/a",
            ["SearchLimits", "PartialResponses", *LAST, "UncachedLimits", "Admission"],
            id="a page",
        ),
        pytest.param(
            "/api/public/v1/pages", ["RateLimits", "SearchLimits", *LAST, "Admission"], id="the API"
        ),
        pytest.param(
            "/api/orders", ["Tasks", "PartnerAccess"], id="a secured route, without a token"
        ),
        pytest.param(
            "/api/erp/status", ["Tasks", "RateLimits", *LAST, "Admission"], id="its status"
        ),
        pytest.param(
            "/ae/en/a?x=%zz", ["Tasks", "RateLimits", "InvalidRequests"], id="an invalid request"
        ),
        pytest.param(
            "/api/orders?x=%zz", ["Tasks", "InvalidRequests"], id="an invalid one of partners"
        ),
    ],
)
def test_a_request_passes_the_layers_that_concern_its_route(
    visitor: Visitor, passed: list[str], target: str, layers: list[str]
) -> None:
    """No others, and in the order of the list."""
    visitor.get(target)
    assert passed == [*FIRST, *layers]


@pytest.mark.parametrize("audience", [True, False])
def test_readers_are_counted_only_if_that_is_switched_on(visit: Visit, audience: bool) -> None:
    """Otherwise no request passes these layers."""
    visitor = visit(PAGE, audience=audience)
    layers, app = [], visitor.context("GET", "/ae/en/a").route.app
    while isinstance(app, Layer):
        layers.append(type(app))
        app = app._app
    assert (AudienceCounts in layers, SearchCounts in layers) == (audience, audience)
