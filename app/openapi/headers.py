"""Response headers: what each means, and on which answers it stands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.http.legacy import SUNSET

_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}


def _header(description: str, schema: dict[str, Any], example: object) -> dict[str, Any]:
    return {"description": description, "schema": schema, "example": example}


def _always(description: str, schema: dict[str, Any], example: object) -> dict[str, Any]:
    return {**_header(description, schema, example), "required": True}


HEADERS: dict[str, dict[str, Any]] = {
    "ETag": _always(
        "Strong tag of these very bytes: another form, language or coding has another.",
        _TEXT,
        '"5d1f0c2b9a7e4f6081b3c2d4"',
    ),
    "Vary": _always("What of the request the answer depends on.", _TEXT, "Accept, Accept-Encoding"),
    "Cache-Control": _always(
        "Who may keep the answer and how long; errors are never kept, and markdown not by shared"
        " caches.",
        _TEXT,
        "public, max-age=60, stale-while-revalidate=300",
    ),
    "Content-Language": _header(
        "The true language of the text; left out where a body holds both or none.",
        {"type": "string", "enum": ["en", "ar"]},
        "en",
    ),
    "Last-Modified": _header(
        "When the document was last changed, where its author says so.",
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
        "Markdown only: what the text may be used for.",
        _TEXT,
        "search=yes, ai-input=yes, ai-train=no",
    ),
    "X-Markdown-Tokens": _header(
        "Markdown only: about how many tokens of a model's context the text takes.", _COUNT, 420
    ),
    "RateLimit-Limit": _header("Requests allowed in a window.", _COUNT, 120),
    "RateLimit-Remaining": _header("Requests left in the present window.", _COUNT, 119),
    "RateLimit-Reset": _header("Seconds until the window ends.", _COUNT, 42),
    "RateLimit-Policy": _header("Requests allowed, and the window in seconds.", _TEXT, "120;w=60"),
    "X-Request-Id": _always(
        "What the service's log calls this request; tell it when you report a fault.",
        _TEXT,
        "9f2c41d07be3a586",
    ),
    "WWW-Authenticate": _always(
        "How to prove who asks; with `error` where a token came that is not right.",
        _TEXT,
        'Bearer realm="erp"',
    ),
    "Retry-After": _always("Seconds to wait before asking again.", _COUNT, 5),
    "Deprecation": _always(
        "Stands on every answer of an alias.", {"type": "string", "const": "true"}, "true"
    ),
    "Sunset": _always(
        "Until when the alias is served.", {"type": "string", "const": SUNSET}, SUNSET
    ),
}

ALWAYS = (
    "Vary",
    "Cache-Control",
    "Link",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "RateLimit-Policy",
    "X-Request-Id",
)
SUCCESS = (
    "ETag",
    *ALWAYS,
    "Content-Language",
    "Last-Modified",
    "Content-Signal",
    "X-Markdown-Tokens",
)
NOT_MODIFIED = ("ETag", *ALWAYS)
DEPRECATED = ("Deprecation", "Sunset")


def header_references(names: Iterable[str]) -> dict[str, Any]:
    """The headers of one response, each where its component stands."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
