"""The per-format URLs of pages in the OpenAPI document, once for all pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from app.web.openapi.operation import Tag
from app.web.openapi.parameters import first_lines, shortened
from app.web.openapi.responses import (
    ALWAYS,
    ERROR_RESPONSES,
    NOT_MODIFIED,
    SUCCESS,
    header_references,
)
from knowledge.addresses.addresses import parse_address
from knowledge.locales.locale import Locales
from knowledge.resources.errors import MajlisError
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_page import site_page
from knowledge.views.content_view import ContentView
from renderers.page_rendering import page_renderers
from renderers.representation import SUFFIXED_MEDIA_TYPES, MediaType

TAG = Tag("page-formats", "Page formats: each page of the site in media types other than HTML.")
Json = dict[str, Any]

_HOME = "index"
_DESCRIPTION = """\
{summary}.

The suffix decides, whatever the Accept header. Pages below folders, such as `blog/{{slug}}`, have
such URLs too. Without the suffix it is the page itself, which is HTML, or what Accept asks for."""
_SLUG = {
    "name": "slug",
    "in": "path",
    "required": True,
    "description": "Path of the page below its locale; `index` for the home page.",
    "schema": {"type": "string", "minLength": 1, "pattern": r"^[^/\x00-\x1f\x7f]+$"},
    "example": _HOME,
}
_MOVED = "The page has another path now, or the path has capital letters; see Location."
_GONE = "The page was removed on purpose."
_ERRORS = (400, 404, 429, 500, 503)


def page_format_paths(view: ContentView) -> Json:
    """Return one path for each suffix, with an example from the home page of the view."""
    locales = view.snapshot.locales
    folder = "/{country}/{lang}" if locales.countries else "/{lang}"
    return {
        f"{folder}/{{slug}}{media_type.suffix}": {"get": _operation(media_type, view)}
        for media_type in SUFFIXED_MEDIA_TYPES
    }


def _operation(media_type: MediaType, view: ContentView) -> Json:
    summary = f"Get a page of the site as {media_type.label}"
    return {
        "operationId": f"getPageAs{media_type.label.split()[-1].capitalize()}",
        "tags": [TAG.name],
        "summary": summary,
        "description": _DESCRIPTION.format(summary=summary),
        "parameters": [
            *_locale_parameters(view.snapshot.locales),
            _SLUG,
            {"$ref": "#/components/parameters/IfNoneMatch"},
        ],
        "responses": _responses(media_type, view),
        "security": [],
    }


def _locale_parameters(locales: Locales) -> Iterator[Json]:
    default = locales.default
    if default.country:
        slugs = [country.slug for country in locales.countries]
        yield _path_parameter("country", "Country of the page.", slugs, default.country.slug)
    languages = sorted(locales.languages, reverse=True)
    yield _path_parameter("lang", "Language of the page.", languages, default.language)


def _path_parameter(name: str, description: str, options: list[Any], example: str) -> Json:
    return {
        "name": name,
        "in": "path",
        "required": True,
        "description": description,
        "schema": {"type": "string", "enum": list(map(str, options))},
        "example": str(example),
    }


def _responses(media_type: MediaType, view: ContentView) -> Json:
    content = {"schema": media_type.schema, **_example(media_type, view)}
    page = {
        "description": "The page; search engines index the page itself.",
        "headers": header_references((*SUCCESS, "X-Robots-Tag")),
        "content": {str(media_type): content},
    }
    current = {
        "description": "The client has the current response.",
        "headers": header_references(NOT_MODIFIED),
    }
    moved = {"description": _MOVED, "headers": header_references((*ALWAYS, "Location"))}
    errors = {str(status): _error(ERROR_RESPONSES[status].meaning) for status in _ERRORS}
    return {"200": page, "304": current, "308": moved, "410": _error(_GONE), **errors}


def _error(meaning: str) -> Json:
    """Return an error of the site, which is a page, not an envelope."""
    text = {"schema": {"type": "string", "description": "What is wrong, and where to go on."}}
    media_types = (MediaType.MARKDOWN, MediaType.HTML)
    content = {str(media_type): text for media_type in media_types}
    headers = header_references((*ALWAYS, "Content-Language"))
    return {"description": meaning, "headers": headers, "content": content}


def _example(media_type: MediaType, view: ContentView) -> Json:
    address = parse_address("")
    try:
        page = site_page(view, address, PageQuery()) if address else None
    except MajlisError:
        return {}
    if page is None or not media_type.is_text:
        return {}
    text = page_renderers()[media_type](page).body.decode()
    is_object = media_type.schema["type"] == "object"
    value = shortened(json.loads(text)) if is_object else first_lines(text)
    return {"examples": {"example": {"summary": "Shortened", "value": value}}}
