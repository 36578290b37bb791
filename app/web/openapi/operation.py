"""Operations: what a route declares on its handler, and all routes under `/api/`."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any, TypeVar, cast

from pydantic.alias_generators import to_camel, to_pascal
from quart import Blueprint, Quart

from app.web.http.parameters import WITHOUT_CONTROLS, AnyParameter
from app.web.http.response_headers import deprecated_paths
from app.web.http.route_policy import SECURED, policy
from knowledge.fields.content_types import AnyContentType
from knowledge.locales.locale import Locale
from knowledge.resources.base import LocalizedResource, Resource
from knowledge.views.content_view import ContentView

FINDS_ONE = (404, 503)
"""Error statuses of a handler that looks up one document."""


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


Handler = TypeVar("Handler", bound=Callable[..., Any])
Example = Callable[..., LocalizedResource[Resource] | Resource]
"""Builds the documented body from a view and the values of the path parameters, in order."""

READS_CONTENT = (503,)
"""Error statuses of a handler that reads content."""

_ATTRIBUTE = "__operation__"


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
    kinds: tuple[AnyContentType, ...] = ()
    """The kinds whose documents it returns; a site without any of them does not offer it."""

    def __call__(self, handler: Handler) -> Handler:
        """Declare this operation on a handler; a secured one requires a partner token."""
        setattr(handler, _ATTRIBUTE, self)
        return policy(SECURED)(handler) if self.secured else handler


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


_IMPLIED = {"HEAD", "OPTIONS"}
"""Methods that every route has; they are not documented separately."""


class Operations(Blueprint):
    """The routes of a tag, in a module with several; else the first line of the module says it."""

    def __init__(self, name: str, description: str) -> None:
        super().__init__(name, __name__)
        self.description = description


@dataclass(frozen=True, slots=True)
class Tag:
    """A group of operations: a blueprint."""

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class RouteSpec:
    """One operation at one path.

    `successor` is the stable path that replaces a legacy one; an alias has its handler too.
    """

    path: str
    method: str
    name: str
    text: str
    tag: Tag
    operation: Operation
    successor: str | None
    is_alias: bool

    @property
    def id(self) -> str:
        """The unique operationId: the handler's name, followed by the path for an alias.

        A handler without a stable path keeps its plain name.
        """
        if not self.is_alias:
            return self.name
        words = [part for part in self.path.split("/") if part and not part.startswith("{")]
        return f"{self.name}At{to_pascal('_'.join(words).replace('-', '_'))}"

    @property
    def summary(self) -> str:
        """The first line of the description, without its full stop."""
        return self.text.partition("\n")[0].removesuffix(".")

    @property
    def variables(self) -> list[str]:
        """The names of the path's variables, in order."""
        parts = self.path.split("/")
        return [part[1:-1] for part in parts if part.startswith("{")]


def route_specs(app: Quart) -> list[RouteSpec]:
    """Return the stable operations in the order of their routes, then the legacy ones.

    Raises LookupError for a route without a declared operation.
    """
    return sorted(_route_specs(app), key=lambda spec: bool(spec.successor))


def _route_specs(app: Quart) -> Iterator[RouteSpec]:
    tags = _tags(app)
    for rule in app.url_map.iter_rules():
        if not rule.rule.startswith("/api/"):
            continue
        handler = app.view_functions[rule.endpoint]
        path = template(rule.rule)
        for method in sorted((rule.methods or set()) - _IMPLIED):
            yield RouteSpec(
                path=path,
                method=method,
                name=to_camel(handler.__name__),
                text=inspect.getdoc(handler) or "",
                tag=tags[handler],
                operation=operation_of(handler),
                successor=deprecated_paths(app).successor(path),
                is_alias=rule.endpoint.partition(".")[0] not in app.blueprints,
            )


def template(rule: str) -> str:
    """Return the documented path of a routing rule, with its variables in camelCase.

    >>> template("/api/orders/<int:order_id>")
    '/api/orders/{orderId}'
    """
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda match: f"{{{to_camel(match[1])}}}", rule)


def _tags(app: Quart) -> dict[Callable[..., Any], Tag]:
    """Return the tag of each handler: its blueprint and what it describes."""
    tags = {}
    for endpoint, handler in app.view_functions.items():
        name, _, rest = endpoint.rpartition(".")
        blueprint = app.blueprints.get(name)
        if isinstance(blueprint, Operations):
            tags[handler] = Tag(name, blueprint.description)
        elif rest and blueprint:
            docstring = sys.modules[blueprint.import_name].__doc__ or ""
            tags[handler] = Tag(name, docstring.partition("\n")[0])
    return tags
