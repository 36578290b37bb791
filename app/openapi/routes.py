"""`/openapi.json`: the OpenAPI document of this service."""

from __future__ import annotations

import json

from quart import Blueprint, Response, current_app

from app.http import parameters
from app.http.responses import represent
from app.http.route_policy import MAP, policy
from app.openapi.document import OPENAPI_PATH, openapi_document
from knowledge.locale import Language
from renderers.media_types import MediaType
from renderers.representation import Representation

routes = Blueprint("openapi", __name__)


@routes.get(OPENAPI_PATH)
@policy(MAP)
def get_openapi() -> Response:
    """Get the OpenAPI 3.1 document of all routes, parameters and models."""
    return represent(contract())


def contract() -> Representation:
    """Return the OpenAPI document with examples from the current edition."""
    document = openapi_document(current_app, parameters.default_view())
    body = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    return Representation(MediaType.JSON, body, Language.EN)
