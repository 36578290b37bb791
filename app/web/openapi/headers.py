"""Response headers in the OpenAPI document: their meaning, and where they appear."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.web.http.response_headers import SUNSET
from llms.content_signal import DEFAULT_SIGNAL, content_usage

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
    "Location": _always("The path to use instead.", _TEXT, "/ae/en/erp.md"),
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
