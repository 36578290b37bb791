"""Operations: what a route takes and gives, declared on its handler as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from app.http.parameters import WITHOUT_CONTROLS, Parameter
from knowledge.content_path import ContentType
from knowledge.content_view import ContentView
from knowledge.locale import Locale
from knowledge.resources.base import LocalizedResource, Resource

Handler = TypeVar("Handler", bound=Callable[..., Any])
Example = Callable[..., LocalizedResource[Resource] | Resource]
"""Makes the documented body: called with a view, and the values of the path in their order."""

READS_CONTENT = (503,)
"""Faults of a handler that answers from the edition."""
FINDS_ONE = (404, 503)
"""Faults of a handler that looks for one document by name."""

_ATTRIBUTE = "__operation__"


@dataclass(frozen=True, slots=True)
class PathParameter:
    """One variable part of a path.

    `sample` finds a value that works with the content there is. `options` are all that it may
    be, and `pattern` is what it looks like, where anything else is refused as malformed.
    """

    description: str
    sample: Callable[[ContentView], str | None]
    options: tuple[str, ...] = ()
    pattern: str = ""

    @property
    def schema(self) -> dict[str, Any]:
        """Its JSON Schema."""
        if self.options:
            return {"type": "string", "enum": list(self.options)}
        return {"type": "string", "minLength": 1, "pattern": self.pattern or WITHOUT_CONTROLS}


@dataclass(frozen=True, slots=True)
class RequestHeader:
    """A header that a client may send, and what it is for."""

    name: str
    description: str
    example: str
    pattern: str


@dataclass(frozen=True, slots=True)
class Operation:
    """What one handler takes and gives.

    `path` has a part for each variable of the rule, in order. `body` is what is sent to it, and
    `headers` are read beside it. `errors` are the handler's own, beside those that any route can
    have; with a status of `same_body_statuses` it answers the model instead of an error. `security`
    names
    schemes, any of which is enough. `accepted` says that 202 is an answer, too. Without `markdown`
    there is only JSON.
    """

    model: type[Resource]
    example: Example
    path: tuple[PathParameter, ...] = ()
    query: tuple[Parameter, ...] = ()
    errors: tuple[int, ...] = READS_CONTENT
    same_body_statuses: tuple[int, ...] = ()
    security: tuple[str, ...] = ()
    body: type[Resource] | None = None
    headers: tuple[RequestHeader, ...] = ()
    accepted: bool = False
    markdown: bool = True


def operation(
    model: type[Resource],
    example: Example,
    *,
    path: tuple[PathParameter, ...] = (),
    query: tuple[Parameter, ...] = (),
    errors: tuple[int, ...] = READS_CONTENT,
    same_body_statuses: tuple[int, ...] = (),
    security: tuple[str, ...] = (),
    body: type[Resource] | None = None,
    headers: tuple[RequestHeader, ...] = (),
    accepted: bool = False,
    markdown: bool = True,
) -> Callable[[Handler], Handler]:
    """Declare a handler's operation; the handler itself stays as it is."""
    declared = Operation(
        model,
        example,
        path,
        query,
        errors,
        same_body_statuses,
        security,
        body,
        headers,
        accepted,
        markdown,
    )

    def mark(handler: Handler) -> Handler:
        setattr(handler, _ATTRIBUTE, declared)
        return handler

    return mark


def declared_operation(handler: Callable[..., Any]) -> Operation | None:
    """What was declared on a handler, if anything."""
    return cast(Operation | None, getattr(handler, _ATTRIBUTE, None))


def operation_of(handler: Callable[..., Any]) -> Operation:
    """What was declared on a handler; raises LookupError where nothing was."""
    declared = declared_operation(handler)
    if declared is None:
        raise LookupError(f"{handler.__qualname__} serves a path under /api/ undeclared")
    return declared


def first_of(kind: ContentType) -> Callable[[ContentView], str | None]:
    """A sample: the slug of the first document of a kind, None where there is none.

    One that can be read in the country's other language too comes first.
    """

    def slugs(view: ContentView) -> list[str]:
        return [each.entry.slug for each in view.resolve_all(kind)]

    def sample(view: ContentView) -> str | None:
        locale = view.locale
        elsewhere = slugs(view.for_locale(Locale(locale.country, locale.language.other)))
        return min(slugs(view), key=lambda slug: slug not in elsewhere, default=None)

    return sample
