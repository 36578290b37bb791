"""The OpenAPI 3.1 document, walked from the routes of an application."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from quart import Quart

from app.http.error_envelope import ErrorEnvelope, MissingEnvelope
from app.http.legacy import SUNSET
from app.openapi.error_responses import (
    COMMON_STATUSES,
    ERROR_RESPONSES,
    error_components,
    error_reference,
)
from app.openapi.examples import BodyExample, sample
from app.openapi.headers import (
    ALWAYS,
    DEPRECATED,
    HEADERS,
    NOT_MODIFIED,
    SUCCESS,
    header_references,
)
from app.openapi.route_specs import RouteSpec, route_specs
from app.openapi.schemas import component_schemas, reference
from app.openapi.security import SECURITY_SCHEMES
from knowledge.content_view import ContentView
from knowledge.resources.base import Resource
from knowledge.resources.site_chrome import site_title
from renderers.media_types import MediaType

CONTRACT_VERSION = "1.0.0"
OPENAPI_PATH = "/openapi.json"
_DESCRIPTION = """\
Published content as JSON and markdown, in English and Arabic, for six Gulf countries.

Neither reading nor sending a lead needs a key. Every resource answers
`Accept: application/json`, the default, and `Accept: text/markdown`. Every fault has one shape:
`error.code`, `error.message`, and `error.resolution`, which says what to do next. HEAD is
answered as GET, and `If-None-Match` with 304. `/api/orders`, `/api/products` and
`/api/erp/orders` are for approved partners and need the token that the operator issues to them.
All other paths outside `/api/public/v1` are aliases, served until their Sunset. This document is
a map of the service, not a sandbox.
"""
_IF_NONE_MATCH = {
    "name": "If-None-Match",
    "in": "header",
    "description": "Tags of answers the client has; where one still holds, the answer is a 304.",
    "schema": {"type": "string"},
}


def openapi_document(app: Quart, view: ContentView) -> dict[str, Any]:
    """The contract of everything under `/api/`, with examples from the view's content."""
    operations = route_specs(app)
    handlers = {each.name: each for each in operations}
    samples = {name: sample(each, view) for name, each in handlers.items()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"{site_title(view)}: public API",
            "version": CONTRACT_VERSION,
            "summary": "Published content for the Gulf, in English and Arabic.",
            "description": _DESCRIPTION,
        },
        "servers": [{"url": view.base_url}],
        "externalDocs": {"url": view.absolute("/developers"), "description": "The manual"},
        "tags": _tags(operations),
        "paths": _paths(operations, samples),
        "components": {
            "schemas": component_schemas(_answered(operations), _sent(operations)),
            "responses": error_components(view.base_url),
            "headers": HEADERS,
            "parameters": {"IfNoneMatch": _IF_NONE_MATCH},
            "examples": dict(_examples(samples)),
            "securitySchemes": SECURITY_SCHEMES,
        },
    }


def _tags(operations: list[RouteSpec]) -> list[dict[str, str]]:
    tags = dict.fromkeys(each.tag for each in operations)
    return [{"name": tag.name, "description": tag.description} for tag in tags]


def _answered(operations: list[RouteSpec]) -> tuple[type[Resource], ...]:
    return (*(each.operation.model for each in operations), ErrorEnvelope, MissingEnvelope)


def _sent(operations: list[RouteSpec]) -> tuple[type[Resource], ...]:
    return tuple(each.operation.body for each in operations if each.operation.body)


def _examples(samples: Mapping[str, BodyExample | None]) -> Iterator[tuple[str, Any]]:
    for name, found in samples.items():
        if found is not None:
            yield name, {"summary": "Shortened", "value": found.body}
            yield f"{name}Markdown", {"summary": "The first lines", "value": found.text}


def _paths(
    operations: list[RouteSpec], samples: Mapping[str, BodyExample | None]
) -> dict[str, dict[str, Any]]:
    paths: dict[str, dict[str, Any]] = {}
    for each in operations:
        described = _operation(each, samples[each.name])
        paths.setdefault(each.path, {})[each.method.lower()] = described
    return paths


def _operation(each: RouteSpec, example: BodyExample | None) -> dict[str, Any]:
    return {
        "operationId": each.id,
        "tags": [each.tag.name],
        "summary": each.summary,
        "description": _description(each),
        **({"deprecated": True} if each.successor else {}),
        "parameters": list(_parameters(each, example)),
        **_request_body(each.operation.body),
        "responses": _responses(each, example),
        "security": [{name: []} for name in each.operation.security],
    }


def _request_body(model: type[Resource] | None) -> dict[str, Any]:
    if model is None:
        return {}
    content = {str(MediaType.JSON): {"schema": reference(model)}}
    return {"requestBody": {"required": True, "content": content}}


def _description(each: RouteSpec) -> str:
    if each.successor is None:
        return each.text
    return f"{each.text}\n\nDeprecated: use `{each.successor}`. Served until {SUNSET}."


def _parameters(each: RouteSpec, example: BodyExample | None) -> Iterator[dict[str, Any]]:
    values = example.path if example else ()
    for at, (name, part) in enumerate(zip(each.variables, each.operation.path, strict=True)):
        yield {
            "name": name,
            "in": "path",
            "required": True,
            "description": part.description,
            "schema": part.schema,
            **({"example": values[at]} if values else {}),
        }
    for parameter in each.operation.query:
        yield {
            "name": parameter.name,
            "in": "query",
            "required": parameter.required,
            "allowEmptyValue": not parameter.required,  # an empty value is an absent one
            "description": parameter.description,
            "schema": parameter.schema,
            "example": parameter.example,
        }
    for header in each.operation.headers:
        yield {
            "name": header.name,
            "in": "header",
            "required": False,
            "description": header.description,
            "schema": {"type": "string", "pattern": header.pattern},
            "example": header.example,
        }
    if each.method == "GET":
        yield {"$ref": "#/components/parameters/IfNoneMatch"}


def _responses(each: RouteSpec, example: BodyExample | None) -> dict[str, Any]:
    operation, deprecated = each.operation, bool(each.successor)
    aliased = DEPRECATED if deprecated else ()
    headers = SUCCESS if each.method == "GET" else ALWAYS
    made: dict[str, Any] = {"200": _success(each, example, (*headers, *aliased))}
    if operation.accepted:
        made["202"] = {
            **_success(each, example, (*headers, *aliased)),
            "description": "It is written down, and will be tried again until it arrives.",
        }
    if each.method == "GET":
        made["304"] = {
            "description": "The client has the present answer.",
            "headers": header_references((*NOT_MODIFIED, *aliased)),
        }
    for status in sorted({*COMMON_STATUSES, *operation.errors}):
        made[str(status)] = error_reference(status, deprecated=deprecated)
    for status in operation.same_body_statuses:
        headers = (*ALWAYS, *ERROR_RESPONSES[status].headers, *aliased)
        made[str(status)] = {
            **_success(each, example, headers),
            "description": ERROR_RESPONSES[status].meaning,
        }
    return made


def _success(
    each: RouteSpec, example: BodyExample | None, headers: tuple[str, ...]
) -> dict[str, Any]:
    content: dict[str, Any] = {
        MediaType.JSON: {"schema": reference(each.operation.model), **_shown(each.name, example)}
    }
    if each.method == "GET" and each.operation.markdown:
        markdown = _shown(f"{each.name}Markdown", example)
        content[MediaType.MARKDOWN] = {"schema": {"type": "string"}, **markdown}
    return {
        "description": (each.operation.model.__doc__ or "").partition("\n")[0],
        "headers": header_references(headers),
        "content": {str(form): shown for form, shown in content.items()},
    }


def _shown(name: str, example: BodyExample | None) -> dict[str, Any]:
    if example is None:
        return {}
    return {"examples": {"example": {"$ref": f"#/components/examples/{name}"}}}
