"""Layers: a request passes those that concern its route, in their order."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

import pytest
from cases import cases
from conftest import Visit
from contract.visitor import Visitor

from app.factory import create_app
from app.platform.asgi.scope import HTTPScope, Receive, Send
from app.services import services_of
from app.settings import Settings
from app.web.pipeline import PipelineLayer
from app.web.pipeline.layers import LAYERS
from app.web.pipeline.observation import Observer

PAGE = {"pages/a.md": "---\ntitle: A\n---\n", "pages/a.ar.md": "---\ntitle: ا\n---\n"}
FIRST = ["Observation", "Refusals"]
LAST = ["ConditionalRequests", "CachedResponses"]


def recorded(layer: type[PipelineLayer], passed: list[str]) -> type[PipelineLayer]:
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
    visitor.wrap([recorded(layer, passed) for layer in LAYERS])
    return visitor


@pytest.mark.parametrize(
    ("target", "layers"),
    [
        pytest.param("/ae/en/a", ["Limits", *LAST, "Admission"], id="a page"),
        pytest.param("/api/public/v1/pages", ["Limits", *LAST, "Admission"], id="the API"),
        pytest.param("/api/orders", ["Tasks"], id="a secured route, without a token"),
        pytest.param("/api/erp/status", ["Tasks", "Limits", *LAST, "Admission"], id="its status"),
        pytest.param("/ae/en/a?x=%zz", ["Tasks", "Limits"], id="an invalid request"),
        pytest.param("/api/orders?x=%zz", ["Tasks", "Limits"], id="an invalid one of partners"),
    ],
)
def test_a_request_passes_the_layers_that_concern_its_route(
    visitor: Visitor, passed: list[str], target: str, layers: list[str]
) -> None:
    """No others, and in the order of the list."""
    visitor.get(target)
    assert passed == [*FIRST, *layers]


@cases(
    ("settings", "observers"),
    [
        pytest.param({}, [], id="none, which costs nothing"),
        pytest.param({"metrics_port": 9_000}, ["RequestMetrics"], id="metrics"),
        pytest.param({"access_log": "json"}, ["AccessLogs"], id="access log"),
        pytest.param({"otel_traces_exporter": "console"}, ["ServerSpans"], id="traces"),
        pytest.param({"audience": True}, ["AudienceCounts"], id="audience"),
    ],
)
def test_requests_are_observed_only_if_that_is_switched_on(
    settings: dict[str, Any], observers: list[str]
) -> None:
    """Each observer belongs to a setting."""
    services = services_of(create_app(Settings(_env_file=None, **settings)))
    assert [type(observer).__name__ for observer in services.all(Observer)] == observers
