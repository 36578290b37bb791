"""Faults: the error answers, each written once in the document and referred to by all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from app.http.bodies import UnsupportedBody
from app.http.csrf import OriginNotAllowed
from app.http.error_envelope import EXPLANATIONS, ErrorEnvelope, MissingEnvelope, error_body
from app.leads.store import KeyInFlight, KeyReused
from app.openapi.headers import ALWAYS, DEPRECATED, header_references
from app.openapi.schemas import reference
from app.partner.errors import Unauthorized
from knowledge.addresses import Address, Page
from knowledge.content_view import absolute
from knowledge.errors import InvalidArgument, MajlisError
from knowledge.layers import Scope
from knowledge.locale import DEFAULT_LOCALE, Country, Language, Locale
from knowledge.resources.base import LocaleMeta
from knowledge.resources.missing import Fallback, Missing, not_found


@dataclass(frozen=True, slots=True)
class ErrorResponse:
    """One error status: the component's name, what it means, its models and own headers."""

    name: str
    meaning: str
    models: tuple[type[ErrorEnvelope], ...] = (ErrorEnvelope,)
    headers: tuple[str, ...] = ()


ERROR_RESPONSES: Mapping[int, ErrorResponse] = {
    400: ErrorResponse(
        "BadRequest",
        "A parameter or a field of the body has a value it does not allow, or the request is"
        " malformed.",
    ),
    401: ErrorResponse(
        "Unauthorized",
        "No partner token came, a wrong one, or two different ones.",
        headers=("WWW-Authenticate",),
    ),
    403: ErrorResponse(
        "OriginNotAllowed",
        "A browser sent a lead from a page of an origin that is not allowed.",
    ),
    404: ErrorResponse(
        "NotFound",
        "Nothing of that name is published; with `fallback` it is, but not for the locale asked.",
        (ErrorEnvelope, MissingEnvelope),
    ),
    409: ErrorResponse(
        "Conflict",
        "A request with the same Idempotency-Key is being worked on, or the order that is to be"
        " pushed does not add up.",
    ),
    413: ErrorResponse("BodyTooLarge", "The body is larger than 64 KiB."),
    415: ErrorResponse(
        "UnsupportedBody", "The body is not of the type that is taken, or compressed."
    ),
    422: ErrorResponse("KeyReused", "The same Idempotency-Key was sent with another body."),
    429: ErrorResponse(
        "TooManyRequests",
        "The rate limit is exceeded, or many wrong partner tokens came from this address and this"
        " is another; wait the seconds in Retry-After.",
        headers=("Retry-After",),
    ),
    500: ErrorResponse("InternalError", "Something went wrong on the service's side."),
    503: ErrorResponse(
        "Unavailable",
        "What is asked for cannot be read or stored at the moment, or is not configured; ask again"
        " after the seconds in Retry-After.",
        headers=("Retry-After",),
    ),
}
"""By status. What an operation declares beyond these has to be added here first."""

_EXAMPLES: Mapping[int, MajlisError] = {
    401: Unauthorized(),
    403: OriginNotAllowed(),
    409: KeyInFlight(),
    415: UnsupportedBody.of_type("application/json"),
    422: KeyReused(),
}
"""Errors that say themselves what is wrong."""

COMMON_STATUSES = (400, 429, 500)
"""Faults that every operation can have."""

_DEPRECATED = "Deprecated"


def error_reference(status: int, *, deprecated: bool) -> dict[str, str]:
    """Where the answer for a status stands in the document."""
    prefix = _DEPRECATED if deprecated else ""
    return {"$ref": f"#/components/responses/{prefix}{ERROR_RESPONSES[status].name}"}


def error_components(base_url: str) -> dict[str, Any]:
    """Every error answer, and the same as aliases give it."""
    made: dict[str, Any] = {}
    for status, error in ERROR_RESPONSES.items():
        made[error.name] = _response(status, error, base_url, ())
        made[_DEPRECATED + error.name] = _response(status, error, base_url, DEPRECATED)
    return made


def _response(
    status: int, error: ErrorResponse, base_url: str, more_headers: tuple[str, ...]
) -> dict[str, Any]:
    schemas = [reference(model) for model in error.models]
    bodies = _examples(status, base_url)
    return {
        "description": error.meaning,
        "headers": header_references((*ALWAYS, *error.headers, *more_headers)),
        "content": {
            "application/json": {
                "schema": schemas[0] if len(schemas) == 1 else {"anyOf": schemas},
                "examples": {
                    name: {"value": body.model_dump(mode="json")} for name, body in bodies
                },
            }
        },
    }


def _examples(status: int, base_url: str) -> Iterator[tuple[str, ErrorEnvelope]]:
    if status == 400:
        wrong = InvalidArgument("page", "0 is out of range", "an integer from 1")
        yield "outOfRange", error_body(status, wrong.message, wrong.resolution)
    elif status == 404:
        unknown = not_found("page", "prices")
        yield "unknown", error_body(status, unknown.message, unknown.resolution)
        yield "elsewhere", _elsewhere(base_url)
    elif status in _EXAMPLES:
        error = _EXAMPLES[status]
        yield "fault", error_body(status, error.message, error.resolution)
    else:
        yield "fault", error_body(status, *EXPLANATIONS[status])


def _elsewhere(base_url: str) -> ErrorEnvelope:
    """A page that Arabic readers cannot have, and where it is."""
    path = DEFAULT_LOCALE.path + Address(Page.POST, "new-branch").path
    missing = Missing(
        slug="new-branch",
        country_code=Country.SA,
        lang=Language.AR,
        meta=LocaleMeta(resolved_from=Scope.GLOBAL.label, missing=True),
        fallback=Fallback(
            country_code=DEFAULT_LOCALE.country,
            lang=DEFAULT_LOCALE.language,
            href=absolute(base_url, path),
        ),
    )
    asked = Locale(Country.SA, Language.AR)
    return error_body(
        404,
        f"The post “new-branch” is not published for {asked.tag}.",
        "Use the locale named in fallback, or ask for another country or lang.",
        missing,
    )
