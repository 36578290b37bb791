"""Error handlers: turn each exception into an error response with the status listed here."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from quart import Quart, Response, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from app.asgi.caching import Caching
from app.asgi.websocket import WebSocketRefused
from app.concurrency.capacity import Overloaded
from app.database.errors import StoreUnavailable
from app.http.bodies import InvalidBody, UnsupportedBody
from app.http.csrf import CrossOriginRequest, OriginNotAllowed
from app.http.error_envelope import EXPLANATIONS, error_body
from app.http.responses import redirect, represent, with_query
from app.leads.store import KeyInFlight, KeyReused
from app.leads.validation import InvalidLead
from app.limits.middleware import RateLimited
from app.partner.errors import (
    LockedOut,
    NotConfigured,
    PartnerRefused,
    TotalsMismatch,
    Unauthorized,
)
from app.services import edition, services
from app.site.errors import NotAcceptable, error_media_type, error_response
from knowledge.errors import ContentUnavailable, InvalidArgument, MajlisError, NotFound
from knowledge.former_addresses import current_path
from knowledge.resources.base import LocalizedResource
from knowledge.resources.missing import Missing, NotPublishedHere
from renderers import json
from renderers.media_types import MediaType

log = logging.getLogger(__name__)

_STATUSES: Mapping[type[MajlisError], int] = {
    InvalidArgument: 400,
    InvalidBody: 400,
    InvalidLead: 400,
    WebSocketRefused: 400,
    CrossOriginRequest: 403,
    OriginNotAllowed: 403,
    NotFound: 404,
    NotPublishedHere: 404,
    NotAcceptable: 406,
    Unauthorized: 401,
    KeyInFlight: 409,
    TotalsMismatch: 409,
    UnsupportedBody: 415,
    KeyReused: 422,
    RateLimited: 429,
    LockedOut: 429,
    ContentUnavailable: 503,
    Overloaded: 503,
    StoreUnavailable: 503,
    NotConfigured: 503,
}


def install(app: Quart) -> None:
    """Register a handler for every exception of the application."""
    app.register_error_handler(MajlisError, _majlis_error)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _unexpected)


async def error_response_for(
    status: int, message: str, resolution: str, missing: Missing | None = None
) -> Response:
    """Return an error response: JSON under `/api/`, else the media type the client accepts.

    `missing` lists the locales in which a missing page is published.
    """
    media_type = MediaType.JSON if request.path.startswith("/api/") else error_media_type()
    if media_type is not MediaType.JSON:
        return await error_response(status, media_type, missing)
    body = error_body(status, message, resolution, missing)
    return represent(json.render(LocalizedResource(body)), Caching.NEVER, status)


async def _majlis_error(error: MajlisError) -> Response:
    if isinstance(error, NotFound) and (path := _current_path()) != request.path:
        return redirect(with_query(path), 308)
    missing = error.missing if isinstance(error, NotPublishedHere) else None
    status = _STATUSES[type(error)]
    response = await error_response_for(status, error.message, error.resolution, missing)
    if isinstance(error, PartnerRefused):
        response.headers.update(error.headers)
    return response


def _current_path() -> str:
    """Return the requested path with the present slugs of documents that were renamed."""
    if request.method not in ("GET", "HEAD") or not services().content_store.loaded:
        return request.path
    return current_path(edition().snapshot, request.path, services().clock())


async def _http(error: HTTPException) -> Response:
    status = error.code or 500
    message, resolution = EXPLANATIONS.get(status, EXPLANATIONS[400])
    response = await error_response_for(status, message, resolution)
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        response.headers["Allow"] = ", ".join(sorted(error.valid_methods))
    return response


async def _unexpected(error: Exception) -> Response:
    log.error("%s %s failed", request.method, request.path, exc_info=error)
    return await error_response_for(500, *EXPLANATIONS[500])
