"""Base classes, field types and models that all resources share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import chain, islice, repeat
from typing import Annotated, Generic, Protocol, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    SerializationInfo,
    WithJsonSchema,
)
from pydantic.alias_generators import to_camel
from typing_extensions import Unpack

from knowledge.documents.body_opening import name_in_words
from knowledge.documents.document import Document
from knowledge.fields.field_types import OMITTED, URI_SCHEMA, Omittable
from knowledge.fields.prices import PERIODS
from knowledge.fields.schemas import PageSeo
from knowledge.locales.locale import ENGLISH, Country, Locale, Scope, TextLanguage
from knowledge.markdown.slugs import Anchor
from knowledge.sections.section_type import FAQ, ContractType, Fields, Section
from knowledge.sections.sections import DECLARED_SECTIONS, merged_sections, section_anchors
from knowledge.snapshot.layer_resolution import Provenance, Resolved, provenance
from knowledge.views.content_view import ContentView, SectionReader


def enum_schema(options: Iterable[str]) -> WithJsonSchema:
    """Return the JSON schema of a string that has one of these values."""
    return WithJsonSchema({"type": "string", "enum": list(options)})


Uri = Annotated[str, URI_SCHEMA]
"""An absolute URL."""

COUNTRY_KEYWORD = "x-country"
"""Marks the schema of a country, `code` or `slug`; the options depend on the site's content."""

PATH_KEYWORD = "x-path"
"""Marks the schema of a site path with the part of an example below the locale."""

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


AMOUNT_PATTERN = r"^-?\d+(\.\d{1,3})?$"
AmountText = Annotated[str, WithJsonSchema({"type": "string", "pattern": AMOUNT_PATTERN})]
"""An amount as a decimal string, with the decimals that ISO 4217 gives its currency."""


class Resource(BaseModel):
    """Base class of all response bodies: immutable, with camelCase JSON keys."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        serialize_by_alias=True,
        frozen=True,
        json_schema_serialization_defaults_required=True,
        defer_build=True,
    )

    @property
    def heading_ids(self) -> tuple[str, ...]:
        """The ids of the headings in the resource's own text, also the former ones."""
        return ()


Body = TypeVar("Body", bound=Resource)
Body_co = TypeVar("Body_co", bound=Resource, covariant=True)


@dataclass(frozen=True, slots=True)
class LocalizedResource(Generic[Body_co]):
    """A resource with the facts that its response headers need.

    `language` is the language of the text, or None if it has both languages or neither.
    `locale` is the requested locale.
    """

    resource: Body_co
    language: TextLanguage | None = None
    updated_at: datetime | None = None
    locale: Locale = ENGLISH


def localized_resource(resource: Body, resolved: Resolved) -> LocalizedResource[Body]:
    """Return a resource that shows one document, with that document's language and date."""
    return LocalizedResource(resource, resolved.text_language, resolved.updated_at, resolved.locale)


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


HeadingAnchor = Annotated[Anchor, Field(exclude=True)]
"""The anchor of a heading; not in the response body."""

HeadingAnchors = Annotated[tuple[Anchor, ...], Field(exclude=True)]
"""The anchors of headings, in order; not in the response body."""

NO_ANCHOR = Anchor("")


def anchor_ids(anchors: Iterable[Anchor]) -> tuple[str, ...]:
    """Return the ids of anchors, also the former ones."""
    return tuple([each for anchor in anchors for each in anchor if each])


class QuestionItem(Resource):
    """A question and its answer; the answer is CommonMark."""

    question: str
    """The question."""
    answer: str
    """The answer as CommonMark."""
    anchor: HeadingAnchor = NO_ANCHOR
    text_anchors: HeadingAnchors = ()
    """The anchors of the headings in the answer."""

    @property
    def title(self) -> str:
        """The question."""
        return self.question

    @property
    def text(self) -> str:
        """The answer."""
        return self.answer


class SectionPicture(Resource):
    """A picture in a text: its path or URL, and its alternative text."""

    src: str
    """Path or URL of the picture."""
    alt: str
    """Alternative text of the picture."""


class SectionLink(Resource):
    """A link in a text."""

    label: str
    """Text of the link."""
    href: str
    """Where the link leads."""


class PlanPrice(Resource):
    """A price of a plan without VAT, and with it; the rate is in percent, 0 without VAT."""

    period: Annotated[str, enum_schema(PERIODS)]
    """How often the price is paid."""
    amount: AmountText
    """Price without VAT, as a decimal string."""
    currency: str
    """ISO 4217 code of the currency."""
    vat_rate: Omittable[str] = None
    """Rate of VAT in percent."""
    amount_with_vat: Omittable[AmountText] = None
    """Price with VAT, as a decimal string."""


class SectionValue(Resource):
    """A cell of a comparison: the title of its column, and its text."""

    label: str
    """Title of the column."""
    value: str
    """Text of the cell."""


class SectionItem(Resource):
    """An item of a section; which fields it has depends on the type of the section.

    `text` is CommonMark, or the caption of a picture. `image` and `links` are the first picture
    and the links in it, `features` the items of its first list. `href` is where a picture or file
    leads, `size` its bytes.
    """

    title: Omittable[str] = None
    """Title of the item."""
    text: Omittable[str] = None
    """Text of the item as CommonMark, or the caption of its picture."""
    role: Omittable[str] = None
    """Role of a person."""
    image: Omittable[SectionPicture] = None
    """The first picture of the item."""
    links: Omittable[list[SectionLink]] = None
    """The links in the text."""
    href: Omittable[str] = None
    """Where the picture or file leads."""
    media_type: Omittable[str] = None
    """Media type of the file."""
    size: Omittable[int] = None
    """Size of the file in bytes."""
    prices: Omittable[list[PlanPrice]] = None
    """Prices of a plan."""
    recommended: Omittable[bool] = None
    """Whether the plan is the recommended one."""
    features: Omittable[list[str]] = None
    """Items of the first list in the text."""
    values: Omittable[list[SectionValue]] = None
    """Cells of a row of a comparison."""
    anchor: HeadingAnchor = NO_ANCHOR
    text_anchors: HeadingAnchors = ()
    """The anchors of the headings in the text."""


class SectionLayout(Resource):
    """How pages lay a section out, for frontends that know more layouts than the types."""

    name: str = Field(description=f"Name of the layout: {', '.join(DECLARED_SECTIONS.layouts)}.")
    entries: list[SectionItem]
    """The parts of the section that the layout arranges; their texts are in the body too."""


class PageSection(Resource):
    """One section of a page in the API contract."""

    id: str
    """Id of the section, to link to."""
    type: ContractType
    """Type of the section; of a section with a layout, the nearest type."""
    visible: bool = True
    """Whether pages show the section."""
    heading: Omittable[str] = None
    """Heading of the section."""
    body: Omittable[str] = None
    """The whole section below its heading as CommonMark, but the items of a `faq`."""
    items: Omittable[list[QuestionItem]] = None
    """Questions and answers, only of the type `faq`."""
    layout: Omittable[SectionLayout] = None
    """How pages lay the section out, if that says more than the type."""


class DocumentSection(Resource):
    """One section of a page as its renderers read it; `type` is one of the declared types."""

    id: str
    type: str
    heading: str | None = None
    body: str | None = None
    """The text before the items, as CommonMark."""
    items: list[QuestionItem | SectionItem] | None = None
    anchor: HeadingAnchor = NO_ANCHOR
    body_anchors: HeadingAnchors = ()
    """The anchors of the headings in the body."""

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        """The anchors of all headings of the section."""
        anchors = (self.anchor, *self.body_anchors)
        for item in self.items or ():
            anchors += (item.anchor, *item.text_anchors)
        return anchors

    @property
    def headed_items(self) -> Sequence[QuestionItem | SectionItem]:
        """The items under a heading of their own; others are part of the body."""
        return [item for item in self.items or () if item.anchor.id]


WholeText = Callable[[DocumentSection], str]
"""Returns all of a section below its heading as CommonMark, in the words of a language."""


def _in_contract(sections: Iterable[DocumentSection], info: SerializationInfo) -> list[PageSection]:
    """Return sections as the API contract has them; the context is a `WholeText`."""
    if info.context is None:
        raise TypeError("Serialize sections with renderers.json, which has the words of prices.")
    whole_text: WholeText = info.context
    return [_contract_section(section, whole_text) for section in sections]


def _contract_section(section: DocumentSection, whole_text: WholeText) -> PageSection:
    section_type = DECLARED_SECTIONS.named(section.type)
    is_faq, entries = section_type.name == FAQ, section.items or []
    has_layout = section_type.name != section_type.contract_type
    return PageSection.model_validate(
        {
            "id": section.id,
            "type": section_type.contract_type,
            "heading": section.heading,
            "body": (section.body if is_faq else whole_text(section)) or None,
            "items": (entries or None) if is_faq else None,
            "layout": {"name": section_type.name, "entries": entries} if has_layout else None,
        }
    )


Sections = Annotated[
    list[DocumentSection], PlainSerializer(_in_contract, return_type=list[PageSection])
]
"""The sections of a page, which are `PageSection`s in JSON."""


class DocumentBody(Resource):
    """The text of one document, as most pages show it."""

    id: str
    """Id of the document."""
    slug: str
    """Slug of the page."""
    title: str
    """Title of the page."""
    heading: str
    """Heading of level 1."""
    short_description: str
    """Text below the heading."""
    sections: Sections
    """The sections of the page in their order."""
    seo: Omittable[PageSeo] = None
    """Metadata for search engines."""


class DocumentText(Protocol):
    """The part of a document's body that all renderers read."""

    @property
    def heading(self) -> str:
        """The level-1 heading."""
        ...

    @property
    def short_description(self) -> str | None:
        """The text under the heading."""
        ...

    @property
    def sections(self) -> Sequence[DocumentSection]:
        """The visible sections."""
        ...


class DocumentPage(Resource):
    """A resource that shows one document; a page type of such resources needs no renderer."""

    def __init_subclass__(cls, **options: Unpack[ConfigDict]) -> None:
        """Raise TypeError if the subclass does not say which document it shows."""
        super().__init_subclass__(**options)
        if cls.document is DocumentPage.document:
            raise TypeError(f"{cls.__name__} shows no document: define its property `document`.")

    @property
    def heading_ids(self) -> tuple[str, ...]:
        """The ids of the headings in the sections."""
        return anchor_ids([each for part in self.document.sections for each in part.anchors])

    @property
    def document(self) -> DocumentText:
        """The text of the document."""
        raise NotImplementedError

    @property
    def main_entity(self) -> Mapping[str, object]:
        """What the document describes, if not only a page: `@type` and properties of schema.org."""
        return {}


def document_fields(view: ContentView, resolved: Resolved) -> dict[str, object]:
    """Return the values of the fields of `DocumentBody`."""
    sections, _ = page_sections(view, resolved)
    return {
        "id": resolved.id,
        "slug": resolved.entry.slug,
        "title": title_of(resolved),
        "heading": heading_of(resolved),
        "short_description": resolved.pick(resolved.fields.short_description) or "",
        "sections": sections,
        "seo": resolved.fields.seo,
    }


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


def page_sections(
    view: ContentView, resolved: Resolved
) -> tuple[list[DocumentSection], list[Scope]]:
    """Return the visible sections of a page, and the scopes of all its sections."""
    merged = merged_sections(resolved)
    visible = [pair for pair in merged if pair[0].visible]
    anchors = iter(section_anchors([section for section, _ in visible]))
    sections = view.snapshot.left_out.each(visible, partial(_section, view, anchors), _source_path)
    return list(sections), [source.layer.scope for _, source in merged]


def _source_path(pair: tuple[Section, Document]) -> str:
    return pair[1].path


def _section(
    view: ContentView, anchors: Iterator[tuple[Anchor, ...]], pair: tuple[Section, Document]
) -> DocumentSection:
    section, source = pair[0], pair[1].path
    own, *others = islice(anchors, 1 + len(section.items))
    reader, section_type = SectionReader(view), DECLARED_SECTIONS.named(section.type)
    items = [replace(item, text=view.markdown(item.text, source)) for item in section.items]
    linked = replace(section, body=view.markdown(section.body, source), items=tuple(items))
    shown = replace(linked, body=section_type.body(linked, reader))
    return DocumentSection(
        id=section.id,
        type=section.type,
        heading=section.heading or None,
        body=shown.body or None,
        items=list(_section_items(shown, section_type.fields(shown, reader), others)) or None,
        anchor=own[0],
        body_anchors=own[1:],
    )


def _section_items(
    section: Section, fields: Iterable[Fields], anchors: Iterable[Sequence[Anchor]]
) -> Iterator[QuestionItem | SectionItem]:
    """Yield the items of a section; only those under a heading have anchors."""
    model = QuestionItem if section.type == FAQ else SectionItem
    for values, (own, *others) in zip(fields, chain(anchors, repeat([NO_ANCHOR])), strict=False):
        yield model.model_validate({**values, "anchor": own, "text_anchors": tuple(others)})


def title_of(resolved: Resolved) -> str:
    """Return the title, else the name, else the file name in words."""
    title = resolved.pick(resolved.fields.title) or resolved.pick(resolved.fields.short_title)
    return title or name_in_words(_main_document(resolved).name)


def template_of(resolved: Resolved) -> str:
    """Return the template that the author chose, which frontends of the API choose a view by."""
    return resolved.fields.template or "default"


def _main_document(resolved: Resolved) -> Document:
    """Return the most general file in the language of the main text, else of any."""
    documents = (each for each in resolved.documents if each.language is resolved.language)
    return next(documents, resolved.documents[0])


def short_text(resolved: Resolved) -> str | None:
    """Return the author's short description, of a category also its `description`."""
    fields = resolved.fields
    return resolved.pick(fields.short_description) or resolved.pick(fields.long_description)


def heading_of(resolved: Resolved) -> str:
    """Return the heading, by default the title."""
    heading = resolved.pick(resolved.fields.heading)
    return title_of(resolved) if heading is None else heading
