"""Error handlers: turn each exception into an error response with its status."""

from __future__ import annotations

import logging

from quart import Quart, Response
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from app.platform.asgi.caching import Caching
from app.services import services
from app.web.http.error_envelope import EXPLANATIONS, error_body
from app.web.http.request_context import current_request
from app.web.http.responses import URLTooLong, represent
from app.web.site.canonical_paths import canonical_path_response
from app.web.site.errors import error_response
from app.web.site.former_addresses import former_address_response
from knowledge.resources.base import LocalizedResource
from knowledge.resources.errors import Gone, MajlisError, NotFound
from knowledge.resources.missing import Missing, NotPublishedHere
from renderers import json
from renderers.representation import MediaType

log = logging.getLogger(__name__)


def install(app: Quart) -> None:
    """Register a handler for every exception of the application."""
    app.register_error_handler(MajlisError, majlis_error)
    app.register_error_handler(NotFound, _not_found)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, unexpected)


async def error_response_for(
    status: int, message: str, resolution: str, missing: Missing | None = None
) -> Response:
    """Return an error response: JSON under `/api/`, else the media type the client accepts.

    `missing` lists the locales in which a missing page is published.
    """
    if current_request.get().error_media_type is not MediaType.JSON:
        return await error_response(status, missing)
    body = error_body(status, message, resolution, missing)
    return represent(json.render(LocalizedResource(body)), Caching.NEVER, status)


async def majlis_error(error: MajlisError) -> Response:
    """Return the response to an error of the current request."""
    missing = error.missing if isinstance(error, NotPublishedHere) else None
    response = await error_response_for(error.status, error.message, error.resolution, missing)
    response.headers.update(error.headers)
    return response


async def _not_found(error: NotFound) -> Response:
    """Redirect from the former address of a page or another spelling; else return the error."""
    if current_request.get().method in ("GET", "HEAD") and services().content_store.loaded:
        try:
            found = former_address_response() or canonical_path_response()
        except (Gone, URLTooLong) as refusal:
            return await majlis_error(refusal)
        return found or await majlis_error(error)
    return await majlis_error(error)


async def _http(error: HTTPException) -> Response:
    status = error.code or 500
    message, resolution = EXPLANATIONS.get(status, EXPLANATIONS[400])
    response = await error_response_for(status, message, resolution)
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        response.headers["Allow"] = ", ".join(sorted(error.valid_methods))
    return response


async def unexpected(error: Exception) -> Response:
    """Return the response to an error that nobody expects, and log it."""
    context = current_request.get()
    log.error("%s %s failed", context.method, context.path, exc_info=error)
    return await error_response_for(500, *EXPLANATIONS[500])
