"""What all resources share: camelCase JSON, absent rather than null, and the contract's parts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Annotated, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema
from pydantic.alias_generators import to_camel
from typing_extensions import TypeAliasType

from knowledge.content_view import ContentView
from knowledge.documents import Document
from knowledge.layers import Scope
from knowledge.locale import DEFAULT_LOCALE, Language, Locale
from knowledge.resolution import Provenance, Resolved, provenance
from knowledge.schemas import Seo
from knowledge.sections import SECTION_TYPES, Section, merged_sections

Value = TypeVar("Value")
BilingualString = TypeAliasType(
    "BilingualString",
    Annotated[
        dict[str, str],
        Field(
            description="One text in each language it is there in.",
            json_schema_extra={"properties": {"en": {"type": "string"}, "ar": {"type": "string"}}},
        ),
    ],
)
"""One text in each language it is there in: `{"en": …, "ar": …}`."""


def _is_none(value: object) -> bool:
    return value is None


Omittable = Annotated[Value | None, Field(exclude_if=_is_none)]
"""An optional field: left out of the body where it has no value, never null."""


def enum_schema(options: Iterable[str]) -> WithJsonSchema:
    """The documented schema of a text that is always one of a few words."""
    return WithJsonSchema({"type": "string", "enum": list(options)})


Uri = Annotated[str, WithJsonSchema({"type": "string", "format": "uri"})]
"""An absolute URL."""


class Resource(BaseModel):
    """Base of everything the service answers."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        serialize_by_alias=True,
        frozen=True,
        json_schema_serialization_defaults_required=True,
    )


Body = TypeVar("Body", bound=Resource)
Body_co = TypeVar("Body_co", bound=Resource, covariant=True)


@dataclass(frozen=True, slots=True)
class LocalizedResource(Generic[Body_co]):
    """A resource, and what its headers tell of it.

    `language` is that of the text, None where it has both or none; `locale` is the reader's.
    """

    resource: Body_co
    language: Language | None = None
    updated_at: datetime | None = None
    locale: Locale = DEFAULT_LOCALE


def localized_resource(resource: Body, resolved: Resolved) -> LocalizedResource[Body]:
    """The answer that shows one document: its true language and date."""
    return LocalizedResource(resource, resolved.language, resolved.updated_at, resolved.locale)


def resource_in(locale: Locale, resource: Body) -> LocalizedResource[Body]:
    """The answer that is a list or bundle in the reader's own language."""
    return LocalizedResource(resource, locale.language, locale=locale)


class LocaleMeta(Resource):
    """How a document was found for the locale asked."""

    resolved_from: Annotated[str, enum_schema(scope.label for scope in Scope)]
    inherited: bool = False
    fallback_used: bool = False
    city_fallback: bool = False
    missing: bool = False
    requested_city: Omittable[str] = None


class PageSeo(Resource):
    """What search engines are told, in both languages."""

    title: Omittable[BilingualString] = None
    description: Omittable[BilingualString] = None
    keywords: Omittable[BilingualString] = None
    no_index: Omittable[bool] = None
    robots_index: Omittable[Literal["index", "noindex"]] = None
    robots_follow: Omittable[Literal["follow", "nofollow"]] = None
    canonical_url: Omittable[Uri] = None


class QuestionItem(Resource):
    """A question and its answer in CommonMark."""

    question: str
    answer: str


class PageSection(Resource):
    """One part of a page; `body` is CommonMark."""

    id: str
    type: Annotated[str, enum_schema(SECTION_TYPES)]
    visible: bool = True
    heading: Omittable[str] = None
    body: Omittable[str] = None
    items: Omittable[list[QuestionItem]] = None


def locale_meta(resolved: Resolved, section_scopes: list[Scope]) -> LocaleMeta:
    """The flags of a document, from where each of its parts came."""
    found: Provenance = provenance(resolved, section_scopes)
    in_city = found.resolved_from is Scope.CITY_OVERRIDE
    return LocaleMeta(
        resolved_from=found.resolved_from.label,
        inherited=found.inherited,
        fallback_used=found.other_language,
        city_fallback=bool(resolved.city) and not in_city,
        requested_city=resolved.city,
    )


def page_sections(view: ContentView, resolved: Resolved) -> tuple[list[PageSection], list[Scope]]:
    """The visible sections of a page, and the scope that each came from."""
    merged = merged_sections(resolved)
    visible = (each for each in merged if each[0].visible)
    sections = view.snapshot.left_out.each(visible, partial(_section, view), _path)
    return list(sections), [source.layer.scope for _, source in merged]


def _path(found: tuple[Section, Document]) -> str:
    return found[1].path


def _section(view: ContentView, found: tuple[Section, Document]) -> PageSection:
    section, source = found
    items = [
        QuestionItem(question=item.question, answer=view.markdown(item.answer, source.path))
        for item in section.items
    ]
    return PageSection(
        id=section.id,
        type=section.type,
        heading=section.heading or None,
        body=view.markdown(section.body, source.path) or None,
        items=items or None,
    )


def page_seo(seo: Seo | None) -> PageSeo | None:
    """The `seo` block of front matter as the contract has it."""
    if seo is None:
        return None
    return PageSeo.model_validate(seo.model_dump(exclude_none=True))


def title_of(resolved: Resolved) -> str:
    """The title, else the name, else the slug in words."""
    named = resolved.text("title") or resolved.text("name")
    return named or resolved.entry.slug.replace("-", " ").capitalize()


def heading_of(resolved: Resolved) -> str:
    """The heading, by default the title."""
    written = resolved.text("heading")
    return title_of(resolved) if written is None else written
