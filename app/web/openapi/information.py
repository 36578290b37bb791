"""What the document says besides operations: title, introduction, and the URLs of pages by form."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from app.services import Services
from app.web.extensions import ContractPart
from app.web.http.response_headers import SUNSET
from app.web.openapi.operation import RouteSpec, Tag
from app.web.openapi.parameters import first_lines, shortened
from app.web.openapi.responses import (
    ALWAYS,
    ERROR_RESPONSES,
    NOT_MODIFIED,
    SUCCESS,
    header_references,
)
from knowledge.addresses.addresses import page_of, parse_address
from knowledge.fields.content_types import REGISTRY
from knowledge.locales import cldr
from knowledge.locales.locale import Language, Locales
from knowledge.resources.errors import MajlisError
from knowledge.resources.queries import PageQuery
from knowledge.resources.seo import is_visible_route
from knowledge.resources.site import site_settings
from knowledge.resources.site_chrome import brand, site_title
from knowledge.resources.site_page import site_page
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from renderers.page_rendering import page_renderers
from renderers.representation import SUFFIXED_MEDIA_TYPES, MediaType

CONTRACT_VERSION = "1.0.0"
LICENSE = {"name": "MIT License", "identifier": "MIT"}
"""The licence of the service and of this description; content is that of its publisher."""


def information(
    view: ContentView, part: DocumentPart, added: Sequence[ContractPart]
) -> dict[str, Any]:
    """Return the object `info` of a part; `added` is what features say."""
    locales = view.snapshot.locales
    return {
        "title": f"{site_title(view)}: {part.title}",
        "version": CONTRACT_VERSION,
        "summary": f"Published content, in {_languages(locales)}.",
        "description": _description(view.snapshot, part, added),
        "contact": _contact(view),
        "license": LICENSE,
    }


_INTRODUCTION = """\
Published content as JSON, as markdown and as sitemaps, in {languages}{readers}.

Neither reading content nor sending a lead requires a key. Every resource is available as
`application/json`, the default, and as `text/markdown`; of those about pages `application/xml`
is the sitemap of these pages. All errors have the same format: `error.code`, `error.message`,
and `error.resolution`, which says what to do next. HEAD is supported wherever GET is, and
`If-None-Match` gives 304. {added}
All other paths outside `/api/public/v1` are aliases, served until their Sunset date; they are
described in `{legacy}`. The operations of one tag, and only their schemas, are in
`/openapi/{{tag}}.json`. This document describes the service; it is not a sandbox.
"""
_LEGACY = """\
Aliases of the paths in `{contract}`, for programs that still use them. Each is deprecated and
names the path that replaces it. They are served until {sunset}.
"""
_TAG = """\
The operations with the tag `{tag}`, and the schemas that they use. The whole API is described in
`{contract}`.
"""


def _description(snapshot: Snapshot, part: DocumentPart, added: Sequence[ContractPart]) -> str:
    if part.is_legacy:
        return _LEGACY.format(contract=OPENAPI_PATH, sunset=SUNSET)
    if part.tag:
        return _TAG.format(contract=OPENAPI_PATH, tag=part.tag)
    locales = snapshot.locales
    *others, last = locales.countries or ("",)
    named = f"{', '.join(others)} and {last}" if others else last
    introductions = (each.introduction for each in added if each.is_useful(snapshot))
    return _INTRODUCTION.format(
        languages=_languages(locales),
        readers=f", for readers in {named}" if named else "",
        added="\n".join(filter(None, introductions)),
        legacy=LEGACY_PATH,
    ).replace(" \n", "\n")


def _languages(locales: Locales) -> str:
    names = [cldr.language_name(each, Language.EN) for each in sorted(locales.languages)[::-1]]
    return " and ".join(names)


def _contact(view: ContentView) -> dict[str, str]:
    """Return the name of the site, its contact page or home page, and its e-mail address."""
    contact = page_of(REGISTRY, "contact", view.snapshot)
    path = contact.path if is_visible_route(view, contact) else ""
    email = site_settings(view).site_settings.primary_email
    return {
        "name": brand(view),
        "url": view.absolute(view.locale.path + path),
        **({"email": email} if email else {}),
    }


OPENAPI_PATH = "/openapi.json"
LEGACY_PATH = "/openapi-legacy.json"


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """The operations of one document: all stable ones, the aliases, or those of one tag."""

    path: str
    title: str
    tag: str | None = None
    is_legacy: bool = False

    def of(self, operations: Iterable[RouteSpec]) -> list[RouteSpec]:
        """Return those of the operations that it describes."""
        return [
            spec
            for spec in operations
            if bool(spec.successor) is self.is_legacy and self.tag in (None, spec.tag.name)
        ]

    def tags(self, operations: Iterable[RouteSpec], added: Iterable[Tag]) -> list[Tag]:
        """Return the tags of its operations, and those that features add."""
        tags = dict.fromkeys(spec.tag for spec in self.of(operations))
        others = () if self.is_legacy else (FORMATS, *added)
        return [tag for tag in (*tags, *others) if self.tag in (None, tag.name)]


CONTRACT = DocumentPart(OPENAPI_PATH, "public API")
LEGACY = DocumentPart(LEGACY_PATH, "public API, legacy paths", is_legacy=True)


def part_of_tag(tag: str) -> DocumentPart:
    """Return the part with the stable operations of one tag.

    >>> part_of_tag("blog").path
    '/openapi/blog.json'
    """
    return DocumentPart(f"/openapi/{tag}.json", f"public API, {tag}", tag)


def site_operations(
    specs: Iterable[RouteSpec], snapshot: Snapshot, added: Sequence[ContractPart]
) -> list[RouteSpec]:
    """Return the operations that the content of a site makes useful; of an empty one, all."""
    if not snapshot.entries:
        return list(specs)
    useless = {tag for each in added for tag in each.own_tags if not each.is_useful(snapshot)}
    return [
        spec
        for spec in specs
        if spec.tag.name not in useless
        and (not spec.operation.kinds or snapshot.has(*spec.operation.kinds))
    ]


def offers_secured(snapshot: Snapshot, services: Services) -> bool:
    """Return whether a feature has operations that require a token, and a use for them."""
    parts = services.all(ContractPart)
    return any(each.security_schemes and each.is_useful(snapshot) for each in parts)


FORMATS = Tag("page-formats", "Page formats: each page of the site in media types other than HTML.")
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
        "tags": [FORMATS.name],
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
