"""The parameters of an operation in the OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from app.web.http.parameters import COUNTRY, LANG, AnyParameter, Parameter, of_site
from app.web.openapi.examples import BodyExample
from app.web.openapi.route_specs import RouteSpec
from knowledge.locales.locale import Locales

Json = dict[str, Any]
_SHARED: Mapping[str, AnyParameter] = {"Country": COUNTRY, "Lang": LANG}
"""Query parameters of many operations, by the names of their components."""

_IF_NONE_MATCH = {
    "name": "If-None-Match",
    "in": "header",
    "description": "Entity tags of cached responses; if one is still current, the response is 304.",
    "schema": {"type": "string"},
}


def parameter_components(locales: Locales) -> Json:
    """Return the parameters that operations share, as a site has them."""
    made = {name: of_site(each, locales) for name, each in _SHARED.items()}
    shared = {name: query_parameter(each) for name, each in made.items() if each}
    return {**shared, "IfNoneMatch": _IF_NONE_MATCH}


def described_parameters(
    spec: RouteSpec, example: BodyExample | None, locales: Locales
) -> Iterator[Json]:
    """Yield the parameters of an operation; those that several have as references."""
    yield from _of_path(spec, example.path if example else ())
    for declared in spec.operation.query:
        parameter = of_site(declared, locales)
        shared = next((name for name, each in _SHARED.items() if each is declared), None)
        if parameter and shared:
            yield _reference(shared)
        elif parameter:
            yield query_parameter(parameter)
    for header in spec.operation.headers:
        yield {
            "name": header.name,
            "in": "header",
            "required": False,
            "description": header.description,
            "schema": {"type": "string", "pattern": header.pattern},
            "example": header.example,
        }
    if spec.method == "GET":
        yield _reference("IfNoneMatch")


def _of_path(spec: RouteSpec, values: tuple[str, ...]) -> Iterator[Json]:
    for index, (name, part) in enumerate(zip(spec.variables, spec.operation.path, strict=True)):
        yield {
            "name": name,
            "in": "path",
            "required": True,
            "description": part.description,
            "schema": part.schema,
            **({"example": int(values[index]) if part.is_id else values[index]} if values else {}),
        }


def query_parameter(parameter: Parameter[Any]) -> Json:
    """Return a query parameter; an empty value counts as absent."""
    return {
        "name": parameter.name,
        "in": "query",
        "required": parameter.required,
        "allowEmptyValue": not parameter.required,
        "description": parameter.description,
        "schema": parameter.schema,
        "example": parameter.example,
    }


def _reference(name: str) -> Json:
    return {"$ref": f"#/components/parameters/{name}"}
