"""Headers and error responses, written once in the OpenAPI document and referenced."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from app.web.http.response_headers import SUNSET
from app.web.openapi.schemas import reference
from knowledge.addresses.addresses import page_of
from knowledge.fields.content_types import POST
from knowledge.locales.locale import Locales, Scope
from knowledge.resources.base import LocaleMeta
from knowledge.resources.document_page import Fallback, Missing, not_found, resolution_of
from knowledge.resources.errors import InvalidArgument, MajlisError
from knowledge.snapshot.snapshot import NO_DOCUMENTS
from knowledge.views.content_view import absolute
from llms import DEFAULT_SIGNAL, content_usage

_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}


def _header(description: str, schema: dict[str, Any], example: object) -> dict[str, Any]:
    return {"description": description, "schema": schema, "example": example}


def _always(description: str, schema: dict[str, Any], example: object) -> dict[str, Any]:
    return {**_header(description, schema, example), "required": True}


HEADERS: dict[str, dict[str, Any]] = {
    "ETag": _always(
        "Strong entity tag; differs for each media type, language and content coding.",
        _TEXT,
        '"5d1f0c2b9a7e4f6081b3c2d4"',
    ),
    "Vary": _always(
        "Request headers on which the response depends; of URLs that name a format Accept is none"
        " of them. Absent from files that are compressed already, such as images.",
        _TEXT,
        "Accept, Accept-Encoding",
    ),
    "Cache-Control": _always(
        "Who may cache the response and for how long; errors are never cached, and markdown and"
        " sitemaps only by private caches.",
        _TEXT,
        "public, max-age=60, stale-while-revalidate=300",
    ),
    "CDN-Cache-Control": _header(
        "What a CDN may keep (RFC 9213), if the service has one.",
        _TEXT,
        "public, max-age=60, stale-while-revalidate=300",
    ),
    "Cache-Tag": _header(
        "Names by which that CDN drops the response after an edit.", _TEXT, "all,edition"
    ),
    "Content-Language": _header(
        "Actual language of the text; absent if the body has both languages or none.",
        {"type": "string", "enum": ["en", "ar"]},
        "en",
    ),
    "Last-Modified": _header(
        "When the document was last changed, if its author states it.",
        _TEXT,
        "Tue, 12 May 2026 08:00:00 GMT",
    ),
    "Link": _always(
        "Links to the API catalog, this document, its manual and llms.txt; on an alias also"
        ' `rel="deprecation"` and the stable path as `rel="successor-version"`.',
        _TEXT,
        '</openapi.json>; rel="service-desc"; type="application/json"',
    ),
    "Content-Signal": _header(
        "Of pages and markdown: permitted uses of the text.",
        _TEXT,
        DEFAULT_SIGNAL,
    ),
    "Content-Usage": _header(
        "Of pages and markdown: the same in the vocabulary of AIPREF, with `train-ai` and"
        " `search`; absent if Content-Signal tells neither.",
        _TEXT,
        content_usage(DEFAULT_SIGNAL),
    ),
    "X-Markdown-Tokens": _header(
        "Markdown only: estimated number of tokens in the text.", _COUNT, 420
    ),
    "RateLimit-Limit": _header("Requests allowed in a window.", _COUNT, 120),
    "RateLimit-Remaining": _header("Requests left in the current window.", _COUNT, 119),
    "RateLimit-Reset": _header("Seconds until the window ends.", _COUNT, 42),
    "RateLimit": _header(
        "Structured field: the limit by name, `r` requests left, `t` seconds until it resets.",
        _TEXT,
        '"reads";r=119;t=42',
    ),
    "RateLimit-Policy": _header(
        "Structured field: the limit by name, `q` requests allowed in a window of `w` seconds.",
        _TEXT,
        '"reads";q=120;w=60',
    ),
    "X-Request-Id": _always(
        "Id of this request in the service's log; include it when you report a problem.",
        _TEXT,
        "9f2c41d07be3a586",
    ),
    "WWW-Authenticate": _always(
        "Authentication scheme; with `error` if the request had an invalid token.",
        _TEXT,
        'Bearer realm="erp"',
    ),
    "X-Robots-Tag": _always(
        "Whether search engines may list the response under its own URL.", _TEXT, "noindex"
    ),
    "Location": _always("The path to use instead.", _TEXT, "/ae/en/about.md"),
    "Retry-After": _always("Seconds to wait before the next request.", _COUNT, 5),
    "Deprecation": _always(
        "Present on every response of an alias.", {"type": "string", "const": "true"}, "true"
    ),
    "Sunset": _always(
        "Date until which the alias is served.", {"type": "string", "const": SUNSET}, SUNSET
    ),
}

ALWAYS = (
    "Vary",
    "Cache-Control",
    "CDN-Cache-Control",
    "Link",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "RateLimit",
    "RateLimit-Policy",
    "X-Request-Id",
)
SUCCESS = (
    "ETag",
    *ALWAYS,
    "Cache-Tag",
    "Content-Language",
    "Last-Modified",
    "Content-Signal",
    "Content-Usage",
    "X-Markdown-Tokens",
)
NOT_MODIFIED = ("ETag", *ALWAYS, "Cache-Tag")
DEPRECATED = ("Deprecation", "Sunset")


def header_references(names: Iterable[str]) -> dict[str, Any]:
    """Return the headers of one response as references to their components."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


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
    path = default.path + page_of(POST, "new-branch", NO_DOCUMENTS).path
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
