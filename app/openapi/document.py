"""The OpenAPI 3.1 document, generated from the routes of an application."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from quart import Quart

from app.http.deprecation import SUNSET
from app.http.error_envelope import ErrorEnvelope, MissingEnvelope
from app.http.parameters import of_site
from app.openapi.error_responses import (
    COMMON_STATUSES,
    ERROR_RESPONSES,
    SECURED_STATUSES,
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
from app.openapi.mcp_operation import TAG as MCP_TAG
from app.openapi.mcp_operation import mcp_paths, mcp_schemas
from app.openapi.route_specs import RouteSpec, route_specs
from app.openapi.schemas import component_schemas, reference
from app.openapi.security import SECURITY_SCHEMES
from app.openapi.site_operations import has_partners, site_operations
from app.openapi.site_schemas import site_schemas
from app.services import services_of
from knowledge import cldr
from knowledge.content_view import ContentView
from knowledge.locale import Language, Locales
from knowledge.resources.base import Resource
from knowledge.resources.contact_form import lead_topics
from knowledge.resources.site_chrome import site_title
from renderers.media_types import MediaType

CONTRACT_VERSION = "1.0.0"
OPENAPI_PATH = "/openapi.json"
_DESCRIPTION = """\
Published content as JSON and markdown, in {languages}{readers}.

Neither reading content nor sending a lead requires a key. Every resource is available as
`application/json`, the default, and as `text/markdown`. All errors have the same format:
`error.code`, `error.message`, and `error.resolution`, which says what to do next. HEAD is
supported wherever GET is, and `If-None-Match` gives 304. {partners}
All other paths outside `/api/public/v1` are aliases, served until their Sunset date. This
document describes the service; it is not a sandbox.
"""
_PARTNERS = """\
`/api/orders`, `/api/products` and
`/api/erp/orders` are for approved partners and require a token that the operator issues."""
_IF_NONE_MATCH = {
    "name": "If-None-Match",
    "in": "header",
    "description": "Entity tags of cached responses; if one is still current, the response is 304.",
    "schema": {"type": "string"},
}


def openapi_document(app: Quart, view: ContentView) -> dict[str, Any]:
    """Return the document of all APIs, with examples from the view's content."""
    settings = services_of(app).settings
    partners = has_partners(view.snapshot, settings)
    operations = site_operations(route_specs(app), view.snapshot, partners=partners)
    by_name = {spec.name: spec for spec in operations}
    locales = view.snapshot.locales
    schemas = site_schemas(_schemas(operations), locales, lead_topics(view.snapshot))
    samples = {name: sample(spec, view) for name, spec in by_name.items()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"{site_title(view)}: public API",
            "version": CONTRACT_VERSION,
            "summary": f"Published content, in {_languages(locales)}.",
            "description": _introduction(locales, partners),
        },
        "servers": [{"url": view.base_url}],
        "externalDocs": {"url": view.absolute("/developers"), "description": "The manual"},
        "tags": [*_tags(operations), *([MCP_TAG] if settings.mcp else [])],
        "paths": {**_paths(operations, samples, locales), **mcp_paths(settings, locales)},
        "components": {
            "schemas": {**schemas, **mcp_schemas(settings)},
            "responses": error_components(view.base_url, locales),
            "headers": HEADERS,
            "parameters": {"IfNoneMatch": _IF_NONE_MATCH},
            "examples": dict(_examples(samples)),
            "securitySchemes": SECURITY_SCHEMES,
        },
    }


def _languages(locales: Locales) -> str:
    names = [cldr.language_name(each, Language.EN) for each in sorted(locales.languages)[::-1]]
    return " and ".join(names)


def _introduction(locales: Locales, partners: bool) -> str:
    *others, last = locales.countries or ("",)
    named = f"{', '.join(others)} and {last}" if others else last
    return _DESCRIPTION.format(
        languages=_languages(locales),
        readers=f", for readers in {named}" if named else "",
        partners=_PARTNERS if partners else "",
    ).replace(" \n", "\n")


def _schemas(operations: list[RouteSpec]) -> Mapping[str, Any]:
    return component_schemas(
        (*(spec.operation.model for spec in operations), ErrorEnvelope, MissingEnvelope),
        tuple(spec.operation.body for spec in operations if spec.operation.body),
    )


def _tags(operations: list[RouteSpec]) -> list[dict[str, str]]:
    tags = dict.fromkeys(spec.tag for spec in operations)
    return [{"name": tag.name, "description": tag.description} for tag in tags]


def _examples(samples: Mapping[str, BodyExample | None]) -> Iterator[tuple[str, Any]]:
    for name, example in samples.items():
        if example is not None:
            yield name, {"summary": "Shortened", "value": example.body}
            yield f"{name}Markdown", {"summary": "The first lines", "value": example.text}


def _paths(
    operations: list[RouteSpec], samples: Mapping[str, BodyExample | None], locales: Locales
) -> dict[str, dict[str, Any]]:
    paths: dict[str, dict[str, Any]] = {}
    for spec in operations:
        described = _operation(spec, samples[spec.name], locales)
        paths.setdefault(spec.path, {})[spec.method.lower()] = described
    return paths


def _operation(spec: RouteSpec, example: BodyExample | None, locales: Locales) -> dict[str, Any]:
    return {
        "operationId": spec.id,
        "tags": [spec.tag.name],
        "summary": spec.summary,
        "description": _description(spec),
        **({"deprecated": True} if spec.successor else {}),
        "parameters": list(_parameters(spec, example, locales)),
        **_request_body(spec.operation.body),
        "responses": _responses(spec, example),
        "security": [{name: []} for name in SECURITY_SCHEMES] if spec.operation.secured else [],
    }


def _request_body(model: type[Resource] | None) -> dict[str, Any]:
    if model is None:
        return {}
    content = {str(MediaType.JSON): {"schema": reference(model)}}
    return {"requestBody": {"required": True, "content": content}}


def _description(spec: RouteSpec) -> str:
    if spec.successor is None:
        return spec.text
    return f"{spec.text}\n\nDeprecated: use `{spec.successor}`. Served until {SUNSET}."


def _parameters(
    spec: RouteSpec, example: BodyExample | None, locales: Locales
) -> Iterator[dict[str, Any]]:
    values = example.path if example else ()
    for index, (name, part) in enumerate(zip(spec.variables, spec.operation.path, strict=True)):
        yield {
            "name": name,
            "in": "path",
            "required": True,
            "description": part.description,
            "schema": part.schema,
            **({"example": values[index]} if values else {}),
        }
    for parameter in filter(None, (of_site(each, locales) for each in spec.operation.query)):
        yield {
            "name": parameter.name,
            "in": "query",
            "required": parameter.required,
            "allowEmptyValue": not parameter.required,  # an empty value counts as absent
            "description": parameter.description,
            "schema": parameter.schema,
            "example": parameter.example,
        }
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
        yield {"$ref": "#/components/parameters/IfNoneMatch"}


def _responses(spec: RouteSpec, example: BodyExample | None) -> dict[str, Any]:
    operation, deprecated = spec.operation, bool(spec.successor)
    aliased = DEPRECATED if deprecated else ()
    headers = SUCCESS if spec.method == "GET" else ALWAYS
    responses: dict[str, Any] = {"200": _success(spec, example, (*headers, *aliased))}
    if operation.accepted:
        responses["202"] = {
            **_success(spec, example, (*headers, *aliased)),
            "description": "The delivery is stored and will be retried.",
        }
    if spec.method == "GET":
        responses["304"] = {
            "description": "The client has the current response.",
            "headers": header_references((*NOT_MODIFIED, *aliased)),
        }
    secured = SECURED_STATUSES if operation.secured else ()
    for status in sorted({*COMMON_STATUSES, *secured, *operation.errors}):
        responses[str(status)] = error_reference(status, deprecated=deprecated)
    for status in operation.same_body_statuses:
        headers = (*ALWAYS, *ERROR_RESPONSES[status].headers, *aliased)
        responses[str(status)] = {
            **_success(spec, example, headers),
            "description": ERROR_RESPONSES[status].meaning,
        }
    return responses


def _success(
    spec: RouteSpec, example: BodyExample | None, headers: tuple[str, ...]
) -> dict[str, Any]:
    content: dict[str, Any] = {
        MediaType.JSON: {
            "schema": reference(spec.operation.model),
            **_example_reference(spec.name, example),
        }
    }
    if spec.method == "GET" and spec.operation.markdown:
        markdown = _example_reference(f"{spec.name}Markdown", example)
        content[MediaType.MARKDOWN] = {"schema": {"type": "string"}, **markdown}
    return {
        "description": (spec.operation.model.__doc__ or "").partition("\n")[0],
        "headers": header_references(headers),
        "content": {str(media_type): body for media_type, body in content.items()},
    }


def _example_reference(name: str, example: BodyExample | None) -> dict[str, Any]:
    if example is None:
        return {}
    return {"examples": {"example": {"$ref": f"#/components/examples/{name}"}}}
