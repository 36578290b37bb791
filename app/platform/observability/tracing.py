"""Tracing: opens the tracer that the settings ask for, if its packages are installed."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from importlib.util import find_spec
from typing import Any, Literal, Protocol

from app.platform.observability.spans import Tracer

Exporter = Literal["otlp", "console"]

INSTALL = (
    "install it in the folder of the repository with"
    " `.venv/bin/python -m pip install -r requirements-otel.txt`"
)


class TracingService(Tracer, AbstractAsyncContextManager[Any], Protocol):
    """A tracer that takes spans during an `async with` block, and sends the rest at its end."""


def is_installed() -> bool:
    """Return whether the packages of `requirements-otel.txt` are installed."""
    return all(map(_is_found, ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")))


def _is_found(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # the package that it belongs to
        return False


def open_tracer(exporter: Exporter, endpoint: str) -> TracingService:
    """Return the tracer of an exporter; an empty endpoint is the default one."""
    from app.platform.observability import otel  # noqa: PLC0415  # the packages are optional

    return otel.console_tracer() if exporter == "console" else otel.otlp_tracer(endpoint)
