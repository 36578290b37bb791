"""Operations: what a route takes and gives, declared on its handler as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from app.parameters import Parameter
from knowledge.resources.base import Answer, Resource
from knowledge.view import View

Handler = TypeVar("Handler", bound=Callable[..., Any])
Example = Callable[[View], Answer[Resource] | Resource]
"""Makes the documented body from the sample content."""

READS_CONTENT = (503,)
"""Faults of a handler that answers from the edition."""
FINDS_ONE = (404, 503)
"""Faults of a handler that looks for one document by name."""

_ATTRIBUTE = "__operation__"


@dataclass(frozen=True, slots=True)
class PathPart:
    """One variable part of a path; `options` are all that it may be, none where it is open."""

    name: str
    description: str
    example: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Operation:
    """What one handler takes and gives.

    `faults` are its own, beside those that any route can have; with a status of `same_body` it
    answers the model instead of an error. `security` names schemes, any of which is enough.
    """

    model: type[Resource]
    example: Example
    path: tuple[PathPart, ...] = ()
    query: tuple[Parameter, ...] = ()
    faults: tuple[int, ...] = READS_CONTENT
    same_body: tuple[int, ...] = ()
    security: tuple[str, ...] = ()


def operation(
    model: type[Resource],
    example: Example,
    *,
    path: tuple[PathPart, ...] = (),
    query: tuple[Parameter, ...] = (),
    faults: tuple[int, ...] = READS_CONTENT,
    same_body: tuple[int, ...] = (),
    security: tuple[str, ...] = (),
) -> Callable[[Handler], Handler]:
    """Declare a handler's operation; the handler itself stays as it is."""
    declared = Operation(model, example, path, query, faults, same_body, security)

    def mark(handler: Handler) -> Handler:
        setattr(handler, _ATTRIBUTE, declared)
        return handler

    return mark


def operation_of(handler: Callable[..., Any]) -> Operation:
    """What was declared on a handler; raises LookupError where nothing was."""
    declared = getattr(handler, _ATTRIBUTE, None)
    if declared is None:
        raise LookupError(f"{handler.__qualname__} serves a path under /api/ undeclared")
    return cast(Operation, declared)
