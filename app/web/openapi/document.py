"""The OpenAPI 3.1 documents: generated from the routes of an application, and served."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from quart import Blueprint, Quart, Response, current_app

from app.services import Services, services, services_of
from app.web.extensions import ContractPart
from app.web.http import parameters
from app.web.http.error_envelope import ErrorEnvelope, MissingEnvelope, PartnerErrorEnvelope
from app.web.http.response_headers import SUNSET
from app.web.http.responses import represent
from app.web.http.route_policy import MAP, policy
from app.web.openapi.information import (
    CONTRACT,
    FORMATS,
    LEGACY,
    LEGACY_PATH,
    OPENAPI_PATH,
    DocumentPart,
    information,
    page_format_paths,
    part_of_tag,
    site_operations,
)
from app.web.openapi.kind_schemas import with_kinds
from app.web.openapi.operation import RouteSpec, Tag, route_specs
from app.web.openapi.parameters import (
    BodyExample,
    described_parameters,
    parameter_components,
    sample,
)
from app.web.openapi.responses import (
    ALWAYS,
    COMMON_STATUSES,
    DEPRECATED,
    ERROR_RESPONSES,
    HEADERS,
    NOT_MODIFIED,
    SECURED_STATUSES,
    SUCCESS,
    error_components,
    error_reference,
    header_references,
)
from app.web.openapi.schemas import (
    component_schemas,
    named_enumerations,
    of_site,
    reference,
    site_schemas,
    with_references,
    with_used_components,
)
from knowledge.locales.locale import Language
from knowledge.resources.base import Resource
from knowledge.resources.document_page import not_found
from knowledge.resources.forms import enquiry_forms
from knowledge.resources.site import own_topics
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from renderers.representation import MediaType, Representation

_SITEMAP = {"type": "string", "description": "A urlset of sitemaps.org with these pages."}


def openapi_document(
    app: Quart, view: ContentView, part: DocumentPart = CONTRACT
) -> dict[str, Any]:
    """Return the document of a part of the API, with examples from the view's content."""
    services, snapshot = services_of(app), view.snapshot
    added = services.all(ContractPart)
    documented = documented_operations(app, snapshot)
    operations, tags = part.of(documented), part.tags(documented, added_tags(services))
    schemas = _schemas(operations, view)
    samples = {spec.name: sample(spec, view) for spec in operations}
    faults = {status: fault for each in added for status, fault in each.error_examples.items()}
    schemes = {name: scheme for each in added for name, scheme in each.security_schemes.items()}
    paths = {
        **_paths(operations, samples, snapshot, schemes),
        **(page_format_paths(view) if FORMATS in tags else {}),
        **{
            path: item
            for each in added
            if each.paths and each.tag in tags
            for path, item in each.paths(snapshot.locales).items()
        },
    }
    components = {
        "schemas": {
            **of_site(schemas, snapshot),
            **{name: each.schemas[name] for each in added for name in each.schemas},
        },
        "responses": error_components(view.base_url, snapshot.locales, faults),
        "headers": with_references(HEADERS, schemas),
        "parameters": with_references(parameter_components(snapshot.locales), schemas),
        "examples": dict(_examples(samples)),
        "securitySchemes": schemes,
    }
    return with_used_components(
        {
            "openapi": "3.1.0",
            "info": information(view, part, added),
            "servers": [{"url": view.base_url}],
            "externalDocs": {"url": view.absolute("/developers"), "description": "The manual"},
            "tags": [{"name": tag.name, "description": tag.description} for tag in tags],
            "paths": with_references(paths, schemas),
            "components": components,
        }
    )


def added_tags(services: Services) -> list[Tag]:
    """Return the tags that features add."""
    return [part.tag for part in services.all(ContractPart) if part.tag]


def documented_operations(app: Quart, snapshot: Snapshot) -> list[RouteSpec]:
    """Return the operations of a site, and their aliases."""
    return site_operations(route_specs(app), snapshot, services_of(app).all(ContractPart))


def _schemas(operations: list[RouteSpec], view: ContentView) -> Mapping[str, Any]:
    """Return the schemas of models and enumerations; each enumeration is only once among them."""
    models = component_schemas(
        (
            *(spec.operation.model for spec in operations),
            *(ErrorEnvelope, MissingEnvelope, PartnerErrorEnvelope),
        ),
        tuple(spec.operation.body for spec in operations if spec.operation.body),
    )
    snapshot, locales, forms = view.snapshot, view.snapshot.locales, enquiry_forms(view)
    own = with_kinds(models, snapshot)
    schemas = {
        **site_schemas(own, locales, own_topics(snapshot), forms),
        **named_enumerations(locales),
    }
    return {
        name: schemas[name] if "enum" in schemas[name] else with_references(schemas[name], schemas)
        for name in sorted(schemas)
    }


def _examples(samples: Mapping[str, BodyExample | None]) -> Iterator[tuple[str, Any]]:
    for name, example in samples.items():
        if example is not None:
            yield name, {"summary": "Shortened", "value": example.body}
            yield f"{name}Markdown", {"summary": "The first lines", "value": example.text}
            yield f"{name}Sitemap", {"summary": "The first lines", "value": example.sitemap}


def _paths(
    operations: list[RouteSpec],
    samples: Mapping[str, BodyExample | None],
    snapshot: Snapshot,
    schemes: Iterable[str],
) -> dict[str, dict[str, Any]]:
    paths: dict[str, dict[str, Any]] = {}
    for spec in operations:
        example, successor = samples[spec.name], spec.successor
        deprecation = f"\n\nDeprecated: use `{successor}`. Served until {SUNSET}."
        paths.setdefault(spec.path, {})[spec.method.lower()] = {
            "operationId": spec.id,
            "tags": [spec.tag.name],
            "summary": spec.summary,
            "description": spec.text + (deprecation if successor else ""),
            **({"deprecated": True} if successor else {}),
            "parameters": list(described_parameters(spec, example, snapshot)),
            **_request_body(spec.operation.body),
            "responses": _responses(spec, example),
            "security": [{name: []} for name in schemes] if spec.operation.secured else [],
        }
    return paths


def _request_body(model: type[Resource] | None) -> dict[str, Any]:
    if model is None:
        return {}
    content = {str(MediaType.JSON): {"schema": reference(model)}}
    return {"requestBody": {"required": True, "content": content}}


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
    if spec.method == "GET" and spec.operation.model.has_listed_pages():
        content[MediaType.XML] = {
            "schema": _SITEMAP,
            **_example_reference(f"{spec.name}Sitemap", example),
        }
    return {
        "description": (spec.operation.model.__doc__ or "").partition("\n")[0],
        "headers": header_references(headers),
        "content": {str(media_type): body for media_type, body in content.items()},
    }


def _example_reference(name: str, example: BodyExample | None) -> dict[str, Any]:
    if example is None:
        return {}
    return {"examples": {"example": {"$ref": f"#/components/examples/{name}"}}}


routes = Blueprint("openapi", __name__)


@routes.get(OPENAPI_PATH)
@policy(MAP)
def get_openapi() -> Response:
    """Get the OpenAPI 3.1 document of all routes, parameters and models."""
    return represent(contract())


@routes.get(LEGACY_PATH)
@policy(MAP)
def get_legacy_openapi() -> Response:
    """Get the OpenAPI 3.1 document of the aliases."""
    return represent(contract(LEGACY))


@routes.get("/openapi/<tag>.json")
@policy(MAP)
def get_tag_openapi(tag: str) -> Response:
    """Get the OpenAPI 3.1 document of the operations with a tag."""
    operations = documented_operations(current_app, parameters.default_view().snapshot)
    tags = CONTRACT.tags(operations, added_tags(services()))
    if tag not in {each.name for each in tags}:
        raise not_found("tag of the API", tag)
    return represent(contract(part_of_tag(tag)))


def contract(part: DocumentPart = CONTRACT) -> Representation:
    """Return the document of a part of the API with examples from the current edition."""
    document = openapi_document(current_app, parameters.default_view(), part)
    body = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    return Representation(MediaType.JSON, body, Language.EN)
