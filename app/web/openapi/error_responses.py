"""Error responses, written once in the OpenAPI document and referenced by all operations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.web.http.bodies import UnsupportedBody
from app.web.http.error_envelope import (
    EXPLANATIONS,
    ErrorEnvelope,
    MissingEnvelope,
    PartnerErrorEnvelope,
    error_body,
)
from app.web.http.origins import OriginNotAllowed
from app.web.openapi.headers import ALWAYS, DEPRECATED, header_references
from app.web.openapi.schemas import reference
from knowledge.addresses.addresses import page_of
from knowledge.fields.content_types import POST
from knowledge.locales.locale import Locales, Scope
from knowledge.resources.base import LocaleMeta
from knowledge.resources.document_page import Fallback, Missing, not_found, resolution_of
from knowledge.resources.errors import InvalidArgument, MajlisError
from knowledge.views.content_view import absolute


@dataclass(frozen=True, slots=True)
class ErrorResponse:
    """One error status: component name, meaning, models and additional headers."""

    name: str
    meaning: str
    models: tuple[type[ErrorEnvelope], ...] = (ErrorEnvelope,)
    headers: tuple[str, ...] = ()


ERROR_RESPONSES: Mapping[int, ErrorResponse] = {
    400: ErrorResponse(
        "BadRequest",
        "A parameter or a field of the body has an invalid value, or the request is malformed.",
    ),
    401: ErrorResponse(
        "Unauthorized",
        "The request has no partner token, an invalid one, or several different ones.",
        (PartnerErrorEnvelope,),
        headers=("WWW-Authenticate",),
    ),
    403: ErrorResponse(
        "OriginNotAllowed",
        "A browser sent a lead or feedback from an origin that is not allowed.",
    ),
    404: ErrorResponse(
        "NotFound",
        "Nothing with that name is published; with `fallback`, it is published in another locale.",
        (ErrorEnvelope, MissingEnvelope),
    ),
    409: ErrorResponse(
        "Conflict",
        "A request with the same Idempotency-Key is in progress, or the amounts of the order to"
        " push are inconsistent.",
    ),
    410: ErrorResponse(
        "CursorExpired",
        "The changes after this cursor are no longer kept, or the cursor is unknown; the error says"
        " from where to go on.",
    ),
    413: ErrorResponse("BodyTooLarge", "The body is larger than 64 KiB."),
    415: ErrorResponse(
        "UnsupportedBody", "The body has an unsupported media type, or is compressed."
    ),
    422: ErrorResponse(
        "KeyReused", "The same Idempotency-Key was already used with a different body."
    ),
    429: ErrorResponse(
        "TooManyRequests",
        "The rate limit is exceeded, or this address sent too many invalid partner tokens; wait"
        " for the seconds in Retry-After.",
        headers=("Retry-After",),
    ),
    500: ErrorResponse("InternalError", "An internal error of the service."),
    503: ErrorResponse(
        "Unavailable",
        "The service cannot read or store the data at the moment, or is not configured for this;"
        " retry after the seconds in Retry-After.",
        headers=("Retry-After",),
    ),
}
"""Error responses by status; every status that an operation declares must be here."""

_EXAMPLES: Mapping[int, MajlisError] = {
    403: OriginNotAllowed(),
    415: UnsupportedBody.of_type("application/json"),
}
"""Errors whose message is the example of a status; features add those of theirs."""

COMMON_STATUSES = (400, 429, 500)
"""Error statuses that every operation may return."""
SECURED_STATUSES = (401, 503)
"""Those of operations that require a token; 503 if none is configured."""

_DEPRECATED = "Deprecated"
Examples = Sequence[tuple[str, ErrorEnvelope]]


def error_reference(status: int, *, deprecated: bool) -> dict[str, str]:
    """Return the reference to the response component of a status."""
    prefix = _DEPRECATED if deprecated else ""
    return {"$ref": f"#/components/responses/{prefix}{ERROR_RESPONSES[status].name}"}


def error_components(
    base_url: str, locales: Locales, added: Mapping[int, MajlisError]
) -> dict[str, Any]:
    """Return all error responses, each also in the variant for deprecated aliases.

    `added` are further errors whose message is the example of a status.
    """
    faults = {**_EXAMPLES, **added}
    components: dict[str, Any] = {}
    for status, error in ERROR_RESPONSES.items():
        examples = list(_examples(status, base_url, locales, faults))
        components[error.name] = _response(status, error, examples, ())
        components[_DEPRECATED + error.name] = _response(status, error, examples, DEPRECATED)
    return components


def _response(
    status: int, error: ErrorResponse, examples: Examples, more_headers: tuple[str, ...]
) -> dict[str, Any]:
    schemas = [reference(model) for model in error.models]
    return {
        "description": error.meaning,
        "headers": header_references((*ALWAYS, *error.headers, *more_headers)),
        "content": {
            "application/json": {
                "schema": schemas[0] if len(schemas) == 1 else {"anyOf": schemas},
                "examples": {
                    name: {"value": body.model_dump(mode="json")} for name, body in examples
                },
            }
        },
    }


def _examples(
    status: int, base_url: str, locales: Locales, faults: Mapping[int, MajlisError]
) -> Iterator[tuple[str, ErrorEnvelope]]:
    if status == 400:
        invalid = InvalidArgument("page", "0 is out of range", "an integer from 1")
        yield "outOfRange", error_body(status, invalid.message, invalid.resolution)
    elif status == 404:
        unknown = not_found("page", "prices")
        yield "unknown", error_body(status, unknown.message, unknown.resolution)
        if locales.other != locales.default:
            yield "elsewhere", _elsewhere(base_url, locales)
    elif status in faults:
        error = faults[status]
        yield "fault", error_body(status, error.message, error.resolution)
    elif status in EXPLANATIONS:  # others are only of features that may have been removed
        yield "fault", error_body(status, *EXPLANATIONS[status])


def _elsewhere(base_url: str, locales: Locales) -> ErrorEnvelope:
    """Return the error for a page that is published in another locale only, its fallback."""
    requested, default = locales.other, locales.default
    path = default.path + page_of(POST, "new-branch").path
    missing = Missing(
        slug="new-branch",
        country_code=requested.country,
        lang=requested.language,
        meta=LocaleMeta(resolved_from=Scope.GLOBAL.label, missing=True),
        fallback=Fallback(
            country_code=default.country,
            lang=default.language,
            href=absolute(base_url, path),
        ),
    )
    return error_body(
        404,
        f"The post “new-branch” is not published for {requested.tag}.",
        resolution_of(requested),
        missing,
    )
