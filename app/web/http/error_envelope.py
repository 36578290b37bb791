"""The error envelope: the body of every error under `/api/`, and the code of each status."""

from collections.abc import Mapping
from typing import Annotated

from knowledge.fields.field_types import enum_schema
from knowledge.resources.base import Resource
from knowledge.resources.document_page import Missing

UNAUTHORIZED = "UNAUTHORIZED"
"""The code of the partner interface beside those of the contract, of a 401."""
CODES: Mapping[int, str] = {
    400: "VALIDATION_ERROR",
    401: UNAUTHORIZED,
    403: "VALIDATION_ERROR",
    404: "RESOURCE_NOT_FOUND",
    405: "VALIDATION_ERROR",
    406: "VALIDATION_ERROR",
    408: "VALIDATION_ERROR",
    409: "CONFLICT",
    410: "RESOURCE_NOT_FOUND",
    413: "VALIDATION_ERROR",
    414: "VALIDATION_ERROR",
    415: "VALIDATION_ERROR",
    416: "VALIDATION_ERROR",
    422: "VALIDATION_ERROR",
    429: "RATE_LIMITED",
    500: "INTERNAL_ERROR",
    503: "SERVICE_UNAVAILABLE",
}
EXPLANATIONS: Mapping[int, tuple[str, str]] = {
    400: ("The request is malformed.", "Check its URL and headers for invalid characters."),
    404: ("There is nothing at this path.", "See /llms.txt for what there is."),
    405: ("This path does not support the method.", "Use a method listed in the Allow header."),
    408: ("The request took too long to arrive.", "Send it again, without pauses."),
    410: ("The page has been removed.", "Remove links to it. See /llms.txt for what there is."),
    413: ("The request body is too large.", "Send a smaller body."),
    414: ("The URL is too long.", "Send a shorter URL."),
    429: ("Too many requests.", "Wait the number of seconds in Retry-After and try again."),
    500: ("Internal server error.", "Try again. If the error persists, contact the operator."),
    503: ("The content is temporarily unavailable.", "Try again in a few seconds."),
}


class ErrorDetail(Resource):
    """What went wrong, as one of the contract's codes, and what to do next."""

    code: Annotated[
        str, enum_schema(dict.fromkeys(each for each in CODES.values() if each != UNAUTHORIZED))
    ]
    """What went wrong, as a code for programs."""
    message: str
    """What went wrong, for people."""
    resolution: str
    """What to do next."""


class ErrorEnvelope(Resource):
    """The body of every error under `/api/`."""

    error: ErrorDetail
    """The error."""


class PartnerErrorDetail(ErrorDetail):
    """What is wrong with the token of a partner, and what to do next."""

    code: Annotated[str, enum_schema((UNAUTHORIZED,))]
    """What went wrong, as a code for programs."""


class PartnerErrorEnvelope(ErrorEnvelope):
    """The body of a 401 of the partner interface."""

    error: PartnerErrorDetail
    """The error."""


class MissingEnvelope(Missing, ErrorEnvelope):
    """The body of a 404 for a page that is published, but not in the requested locale."""


def error_body(
    status: int, message: str, resolution: str, missing: Missing | None = None
) -> ErrorEnvelope:
    """Return the envelope of an error under `/api/`."""
    code = CODES.get(status, "VALIDATION_ERROR" if status < 500 else "INTERNAL_ERROR")
    if code == UNAUTHORIZED:
        refused = PartnerErrorDetail(code=code, message=message, resolution=resolution)
        return PartnerErrorEnvelope(error=refused)
    detail = ErrorDetail(code=code, message=message, resolution=resolution)
    if missing is None:
        return ErrorEnvelope(error=detail)
    fields = {name: getattr(missing, name) for name in Missing.model_fields}
    return MissingEnvelope(error=detail, **fields)
