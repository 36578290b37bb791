"""Spans: what takes time in a request or a delivery, told to a tracer if there is one.

Attributes name routes, statuses and kinds; nothing personal, and no message of an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from enum import Enum, auto
from typing import Protocol

from app.platform.observability.trace_context import TraceContext, current_trace

Attribute = str | int | float | bool


class SpanKind(Enum):
    """The kinds of OpenTelemetry."""

    SERVER = auto()
    CLIENT = auto()
    PRODUCER = auto()
    INTERNAL = auto()


class Span(Protocol):
    """A span that has begun."""

    @property
    def context(self) -> TraceContext:
        """Its position in the trace, as the parent of others."""
        ...

    def set(self, name: str, value: Attribute) -> None:
        """Set an attribute."""
        ...

    def fail(self, error_type: str) -> None:
        """Mark it as failed, with the type of the error."""
        ...

    def end(self) -> None:
        """End it now."""
        ...


class Tracer(Protocol):
    """Takes spans."""

    def start(
        self,
        name: str,
        kind: SpanKind,
        parent: TraceContext | None,
        attributes: Mapping[str, Attribute],
    ) -> Span:
        """Start a span; without a parent it begins a trace."""
        ...


current_tracer: ContextVar[Tracer | None] = ContextVar("current_tracer", default=None)
"""The tracer of the current request or background task; None if tracing is off."""

_OFF: AbstractContextManager[Span | None] = nullcontext()
_NOTHING: Mapping[str, Attribute] = {}


def span(
    name: str, kind: SpanKind = SpanKind.INTERNAL, attributes: Mapping[str, Attribute] = _NOTHING
) -> AbstractContextManager[Span | None]:
    """Return a block that is a span, and the parent of those inside; None if tracing is off."""
    tracer = current_tracer.get()
    return _OFF if tracer is None else _traced(tracer, name, kind, attributes)


def leaf_span(
    name: str, kind: SpanKind, attributes: Mapping[str, Attribute]
) -> AbstractContextManager[Span | None]:
    """Return a block that is a span, while those inside stay its siblings."""
    tracer = current_tracer.get()
    if tracer is None:
        return _OFF
    return _ending(tracer.start(name, kind, current_trace.get(), attributes))


@contextmanager
def _traced(
    tracer: Tracer, name: str, kind: SpanKind, attributes: Mapping[str, Attribute]
) -> Iterator[Span]:
    started = tracer.start(name, kind, current_trace.get(), attributes)
    with continued(started.context), _ending(started):
        yield started


@contextmanager
def _ending(started: Span) -> Iterator[Span]:
    try:
        yield started
    except Exception as error:
        started.fail(type(error).__qualname__)
        raise
    finally:
        started.end()


@contextmanager
def continued(trace: TraceContext | None) -> Iterator[None]:
    """Make a trace the current one inside the block."""
    before = current_trace.get()
    current_trace.set(trace)
    try:
        yield
    finally:
        current_trace.set(before)  # not reset, which fails where another task ends a generator
