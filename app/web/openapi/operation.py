"""Operations: the parameters, bodies and errors of a route, declared on its handler."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any, TypeVar, cast

from app.web.http.parameters import WITHOUT_CONTROLS, AnyParameter
from app.web.http.route_policy import PARTNER, policy
from knowledge.fields.content_types import AnyContentType
from knowledge.locales.locale import Locale
from knowledge.resources.base import LocalizedResource, Resource
from knowledge.views.content_view import ContentView

Handler = TypeVar("Handler", bound=Callable[..., Any])
Example = Callable[..., LocalizedResource[Resource] | Resource]
"""Builds the documented body from a view and the values of the path parameters, in order."""

READS_CONTENT = (503,)
"""Error statuses of a handler that reads content."""
FINDS_ONE = (404, 503)
"""Error statuses of a handler that looks up one document."""

_ATTRIBUTE = "__operation__"


@dataclass(frozen=True, slots=True)
class PathParameter:
    """One variable of a path.

    `sample` returns a value that works with the current content. `options` are the only allowed
    values, if set. `pattern` is the format, if other values are refused as malformed.
    """

    description: str
    sample: Callable[[ContentView], str | None]
    options: tuple[str, ...] = ()
    pattern: str = ""
    is_id: bool = False
    """Whether it is a number, as in bodies."""

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the parameter."""
        if self.is_id:
            return {"type": "integer", "format": "int64", "minimum": 0}
        if self.options:
            return {"type": "string", "enum": list(self.options)}
        return {"type": "string", "minLength": 1, "pattern": self.pattern or WITHOUT_CONTROLS}


@dataclass(frozen=True, slots=True)
class RequestHeader:
    """A documented request header."""

    name: str
    description: str
    example: str
    pattern: str


@dataclass(frozen=True, slots=True)
class Operation:
    """The declaration of one handler.

    `path` has a parameter for each variable of the rule, in order. `body` is the model of the
    request body. `errors` are the statuses beyond those that every route may return. With a
    status in `same_body_statuses` the body is the model, not an error. A `secured` operation
    requires a partner token, and may return 401. `accepted` adds the status 202. `markdown` is
    false if only JSON is available.
    """

    model: type[Resource]
    example: Example
    _: KW_ONLY
    path: tuple[PathParameter, ...] = ()
    query: tuple[AnyParameter, ...] = ()
    errors: tuple[int, ...] = READS_CONTENT
    same_body_statuses: tuple[int, ...] = ()
    secured: bool = False
    body: type[Resource] | None = None
    headers: tuple[RequestHeader, ...] = ()
    accepted: bool = False
    markdown: bool = True

    def __call__(self, handler: Handler) -> Handler:
        """Declare this operation on a handler; a secured one requires a partner token."""
        setattr(handler, _ATTRIBUTE, self)
        return policy(PARTNER)(handler) if self.secured else handler


operation = Operation
"""The name of the class as a decorator."""


def declared_operation(handler: Callable[..., Any]) -> Operation | None:
    """Return the operation declared on a handler, or None."""
    return cast(Operation | None, getattr(handler, _ATTRIBUTE, None))


def operation_of(handler: Callable[..., Any]) -> Operation:
    """Return the operation declared on a handler; raises LookupError if there is none."""
    declared = declared_operation(handler)
    if declared is None:
        raise LookupError(f"{handler.__qualname__} serves a path under /api/ but has no @operation")
    return declared


def first_of(kind: AnyContentType) -> Callable[[ContentView], str | None]:
    """Return a `sample` function: it returns the slug of the first document of a kind, or None.

    Documents that exist in both languages of the country come first.
    """

    def slugs(view: ContentView) -> list[str]:
        return [resolved.entry.slug for resolved in view.resolve_all(kind)]

    def sample(view: ContentView) -> str | None:
        locale = view.locale
        translated = slugs(view.for_locale(Locale(locale.country, locale.language.other)))
        return min(slugs(view), key=lambda slug: slug not in translated, default=None)

    return sample
