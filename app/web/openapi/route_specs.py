"""Route inspection: every route under `/api/` with the operation of its handler."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pydantic.alias_generators import to_camel, to_pascal
from quart import Quart

from app.web.http.deprecation import deprecated_paths
from app.web.openapi.operation import Operation, operation_of

_IMPLIED = {"HEAD", "OPTIONS"}
"""Methods that every route has; they are not documented separately."""


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
    """Return the tag of each handler: its blueprint and the first line of that module."""
    tags = {}
    for endpoint, handler in app.view_functions.items():
        name, _, rest = endpoint.rpartition(".")
        if rest and name in app.blueprints:
            docstring = sys.modules[app.blueprints[name].import_name].__doc__ or ""
            tags[handler] = Tag(name, docstring.partition("\n")[0])
    return tags
