"""Parts of the API: their operations, and the title and introduction of their documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from app.services import Services
from app.web.extensions import ContractPart
from app.web.http.response_headers import SUNSET
from app.web.openapi.operation import RouteSpec, Tag
from app.web.openapi.page_formats import TAG as FORMATS_TAG
from knowledge.addresses.addresses import page_of
from knowledge.fields.content_types import REGISTRY
from knowledge.locales import cldr
from knowledge.locales.locale import Language, Locales
from knowledge.resources.seo import is_visible_route
from knowledge.resources.site import site_settings
from knowledge.resources.site_chrome import brand, site_title
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView

CONTRACT_VERSION = "1.0.0"
LICENSE = {"name": "MIT License", "identifier": "MIT"}
"""The licence of the service and of this description; content is that of its publisher."""

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
        others = () if self.is_legacy else (FORMATS_TAG, *added)
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
