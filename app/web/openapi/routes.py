"""The OpenAPI documents of this service: of the whole API, of its aliases, and of each tag."""

from __future__ import annotations

import json

from quart import Blueprint, Response, current_app

from app.services import services
from app.web.http import parameters
from app.web.http.responses import represent
from app.web.http.route_policy import MAP, policy
from app.web.openapi.document import added_tags, documented_operations, openapi_document
from app.web.openapi.part import CONTRACT, LEGACY, LEGACY_PATH, OPENAPI_PATH, Part, part_of_tag
from knowledge.locales.locale import Language
from knowledge.resources.errors import not_found
from renderers.representation import MediaType, Representation

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


def contract(part: Part = CONTRACT) -> Representation:
    """Return the document of a part of the API with examples from the current edition."""
    document = openapi_document(current_app, parameters.default_view(), part)
    body = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    return Representation(MediaType.JSON, body, Language.EN)
