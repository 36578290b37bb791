"""Errors on the wire: which fault has which status and code, and the one envelope for all."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Annotated

from quart import Quart, Response, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from app.asgi.caching import Caching
from app.asgi.websocket import WebSocketRefused
from app.concurrency.capacity import Overloaded
from app.database.errors import StoreUnavailable
from app.http.bodies import InvalidBody, UnsupportedBody
from app.http.csrf import CrossOriginRequest, OriginNotAllowed
from app.http.responses import represent
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
from app.site.errors import NotAcceptable, error_media_type, error_response
from knowledge.errors import ContentUnavailable, InvalidArgument, MajlisError, NotFound
from knowledge.resources.base import LocalizedResource, Resource, enum_schema
from knowledge.resources.missing import Missing, NotPublishedHere
from renderers import json
from renderers.media_types import MediaType

log = logging.getLogger(__name__)

CODES: Mapping[int, str] = {
    400: "VALIDATION_ERROR",
    401: "UNAUTHORIZED",
    403: "VALIDATION_ERROR",
    404: "RESOURCE_NOT_FOUND",
    405: "VALIDATION_ERROR",
    406: "VALIDATION_ERROR",
    409: "CONFLICT",
    410: "RESOURCE_NOT_FOUND",
    413: "VALIDATION_ERROR",
    414: "VALIDATION_ERROR",
    415: "VALIDATION_ERROR",
    422: "VALIDATION_ERROR",
    429: "RATE_LIMITED",
    500: "INTERNAL_ERROR",
    503: "SERVICE_UNAVAILABLE",
}
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
EXPLANATIONS: Mapping[int, tuple[str, str]] = {
    400: ("The request cannot be read.", "Check its URL and headers for wrong characters."),
    404: ("There is nothing at this path.", "See /llms.txt for what there is."),
    405: ("This path does not take that method.", "Use a method named in the Allow header."),
    408: ("The request took too long to arrive.", "Send it again, without pauses."),
    413: ("The request body is too large.", "Send a smaller one."),
    414: ("The URL is too long.", "Send a shorter one."),
    429: ("Too many requests.", "Wait and retry after Retry-After seconds."),
    500: ("Something went wrong on our side.", "Try again; if it stays, tell the operator."),
    503: ("The content cannot be read at the moment.", "Try again in a few seconds."),
}


class ErrorDetail(Resource):
    """What went wrong, as one of the contract's codes, and what to do next."""

    code: Annotated[str, enum_schema(dict.fromkeys(CODES.values()))]
    message: str
    resolution: str


class ErrorEnvelope(Resource):
    """The body of every fault under `/api/`."""

    error: ErrorDetail


class MissingEnvelope(Missing, ErrorEnvelope):
    """The body where a page is published, but not for the locale asked."""


def install(app: Quart) -> None:
    """Answer every fault of the application in one shape."""
    app.register_error_handler(MajlisError, _majlis_error)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _unexpected)


async def error_response_for(
    status: int, message: str, resolution: str, missing: Missing | None = None
) -> Response:
    """A fault in the form its path and client want; `missing` tells where a page is instead."""
    form = MediaType.JSON if request.path.startswith("/api/") else error_media_type()
    if form is not MediaType.JSON:
        return await error_response(status, form, missing)
    body = error_body(status, message, resolution, missing)
    return represent(json.render(LocalizedResource(body)), Caching.NEVER, status)


def error_body(
    status: int, message: str, resolution: str, missing: Missing | None = None
) -> ErrorEnvelope:
    """The envelope of a fault under `/api/`."""
    code = CODES.get(status, "VALIDATION_ERROR" if status < 500 else "INTERNAL_ERROR")
    detail = ErrorDetail(code=code, message=message, resolution=resolution)
    if missing is None:
        return ErrorEnvelope(error=detail)
    beside = {name: getattr(missing, name) for name in Missing.model_fields}
    return MissingEnvelope(error=detail, **beside)


async def _majlis_error(error: MajlisError) -> Response:
    missing = error.missing if isinstance(error, NotPublishedHere) else None
    status = _STATUSES[type(error)]
    response = await error_response_for(status, error.message, error.resolution, missing)
    if isinstance(error, PartnerRefused):
        response.headers.update(error.headers)
    return response


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
