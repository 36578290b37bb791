"""Base classes and field types of all resources."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import ceil
from typing import Annotated, ClassVar, Generic, TypeVar

from pydantic import Field, GetJsonSchemaHandler, PlainSerializer, WithJsonSchema
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from knowledge.addresses.addresses import LocalizedAddress
from knowledge.blocks.block import ResponseModel, anchor_ids
from knowledge.blocks.declared import AnyBlock
from knowledge.fields.field_types import OMITTED, URI_SCHEMA, Omittable, enum_schema
from knowledge.locales.locale import ENGLISH, Country, Locale, Scope, TextLanguage
from knowledge.snapshot.layer_resolution import Provenance, Resolved, provenance
from knowledge.views.content_view import ContentView


def _in_utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)


Instant = Annotated[datetime, PlainSerializer(_in_utc, return_type=datetime, when_used="json")]
"""A date-time of content, in JSON always in UTC."""

Uri = Annotated[str, URI_SCHEMA]
"""An absolute URL."""

COUNTRY_KEYWORD = "x-country"
"""Marks the schema of a country, `code` or `slug`; the options depend on the site's content."""

PATH_KEYWORD = "x-path"
"""Marks the schema of a site path with the part of an example below the locale."""

FORM_KEYWORD = "x-form"
"""Marks what only a site with forms has."""
SUBJECT_KEYWORD = "x-subject"
"""Marks a text of a schema that is one of the own topics of the site's form."""

LANGUAGE_KEYWORD = "x-language"
"""Marks the schema of the language of a text: one of the interface, or the tag of another."""

LanguageOfText = Annotated[str, WithJsonSchema({"type": "string", LANGUAGE_KEYWORD: True})]
"""The language of a text: `en`, `ar`, or the BCP 47 tag of a text in another one."""

CountryCode = Annotated[
    Country | None, OMITTED, WithJsonSchema({"type": "string", COUNTRY_KEYWORD: "code"})
]
"""The code of a country; omitted on a site without countries."""

CountrySlug = Annotated[
    str | None, OMITTED, WithJsonSchema({"type": "string", COUNTRY_KEYWORD: "slug"})
]
"""The slug of a country; omitted on a site without countries."""


class Resource(ResponseModel):
    """Base class of all response bodies."""

    def listed_pages(self, view: ContentView) -> Iterable[LocalizedAddress]:
        """Return the pages that the resource lists, whichever part of a list it has."""
        return ()

    @classmethod
    def has_listed_pages(cls) -> bool:
        """Return whether the resources are about pages; others have no sitemap."""
        return issubclass(cls, PageResource) or cls.listed_pages is not Resource.listed_pages


class PageResource(Resource):
    """Base class of the bodies of pages, which are made of blocks beside their own values."""

    has_blocks: ClassVar[bool] = True
    """Whether the API sends the blocks, too."""

    always_has_blocks: ClassVar[bool] = False
    """Whether each answer of the API has them."""

    blocks: Omittable[list[AnyBlock]] = None
    """What the page shows below its title, in order."""

    @property
    def heading_ids(self) -> tuple[str, ...]:
        """The ids of the headings in its sections, also the former ones."""
        sections = getattr(self, "sections", ())
        return anchor_ids([each for part in sections for each in part.anchors])

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the schema, which requires what is always sent though a renderer adds it."""
        schema = handler(core_schema)
        if cls.always_has_blocks:
            own = handler.resolve_ref_schema(schema)
            own["required"] = sorted(
                {*own.get("required", ()), "blocks"}, key=[*own["properties"]].index
            )
        return schema


Body = TypeVar("Body", bound=Resource)
Body_co = TypeVar("Body_co", bound=Resource, covariant=True)


@dataclass(frozen=True, slots=True)
class LocalizedResource(Generic[Body_co]):
    """A resource with the facts that its response headers need.

    `language` is the language of the text, or None if it has both languages or neither.
    `locale` is the requested locale. `document` is the one that it shows, None for a list.
    """

    resource: Body_co
    language: TextLanguage | None = None
    updated_at: datetime | None = None
    locale: Locale = ENGLISH
    document: Resolved | None = None


def localized_resource(resource: Body, resolved: Resolved) -> LocalizedResource[Body]:
    """Return a resource that shows one document, with that document's language and date."""
    return LocalizedResource(
        resource, resolved.text_language, resolved.updated_at, resolved.locale, resolved
    )


def resource_in(locale: Locale, resource: Body) -> LocalizedResource[Body]:
    """Return a list or bundle of resources in the language of the requested locale."""
    return LocalizedResource(resource, locale.language, locale=locale)


class LocaleMeta(Resource):
    """How the document was resolved for the requested locale."""

    resolved_from: Annotated[str, enum_schema(scope.label for scope in Scope)]
    """The most specific layer that the document has a text from."""
    inherited: bool = False
    """Whether a part of the document comes from a broader layer."""
    fallback_used: bool = False
    """Whether a text is in another language, for want of a translation."""
    city_fallback: bool = False
    """Whether the page of a city shows the text of its country."""
    missing: bool = False
    """Whether the page is not published for the locale."""
    requested_city: Omittable[str] = None
    """Slug of the requested city."""


def locale_meta(resolved: Resolved, section_scopes: list[Scope]) -> LocaleMeta:
    """Return the locale flags of a document; `section_scopes` are the scopes of its sections."""
    origin: Provenance = provenance(resolved, section_scopes)
    in_city = origin.resolved_from is Scope.CITY_OVERRIDE
    return LocaleMeta(
        resolved_from=origin.resolved_from.label,
        inherited=origin.inherited,
        fallback_used=origin.other_language,
        city_fallback=bool(resolved.city) and not in_city,
        requested_city=resolved.city,
    )


Item = TypeVar("Item")


class Pagination(Resource):
    """The position of a page in its list; `totalPages` is at least 1."""

    page: Annotated[int, Field(ge=1)]
    """Number of this page of the list, from 1."""
    page_size: Annotated[int, Field(ge=1, le=24)]
    """Items per page."""
    total: Annotated[int, Field(ge=0)]
    """Items in the whole list."""
    total_pages: Annotated[int, Field(ge=1)]
    """Pages of the list, at least 1."""


def paginate(items: Sequence[Item], page: int, page_size: int) -> tuple[Sequence[Item], Pagination]:
    """Return a page of a list and its position; the first is 1, one past the last is empty."""
    start = (page - 1) * page_size
    total_pages = max(1, ceil(len(items) / page_size))
    pagination = Pagination(
        page=page, page_size=page_size, total=len(items), total_pages=total_pages
    )
    return items[start : start + page_size], pagination
