"""Pages of one document: its title, texts, sections and shown fields, or the error without one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Protocol

from pydantic import ConfigDict, Field, InstanceOf
from typing_extensions import Unpack

from knowledge.addresses.addresses import Address, page_of, variants
from knowledge.blocks.block import HeadingAnchors, anchor_ids
from knowledge.blocks.form import SiteForm
from knowledge.blocks.section import DocumentSection
from knowledge.diagnostics.messages import Text
from knowledge.documents.body import post_blocks
from knowledge.documents.body_opening import name_in_words
from knowledge.documents.document import Document
from knowledge.fields.content_types import ContentType, Fields_co
from knowledge.fields.field_types import Omittable, enum_schema
from knowledge.fields.front_matter import PageSeo
from knowledge.locales.locale import Language, Locale, Scope
from knowledge.markdown.parsed_blocks import BLOCK_TYPES, ParsedBlock
from knowledge.resources.base import CountryCode, LocaleMeta, PageResource, Resource, Uri
from knowledge.resources.errors import NotFound
from knowledge.resources.page_sections import Sections, page_sections
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView


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


class DocumentPage(PageResource):
    """A resource that shows one document; a page type of such resources needs no renderer."""

    thing: Annotated[Mapping[str, object], Field(exclude=True)] = {}

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
        return self.thing


def section_forms(resource: Resource) -> Sequence[SiteForm]:
    """Return the forms in the sections of a page, and the one below posts."""
    part = resource.document if isinstance(resource, DocumentPage) else resource
    sections = getattr(part, "sections", ())
    named = [*(each.form for each in sections), getattr(part, "form", None)]
    return [each for each in named if each]


def shown_address(view: ContentView, shown: Resolved) -> Address | None:
    """Return the page of a document, as the readers of a city see it if it is for one."""
    kind, slug, types = shown.entry.kind, shown.entry.slug, view.snapshot.page_types
    if kind not in types.by_content_type:
        return None
    if not shown.city:
        return page_of(kind, slug, view.snapshot)
    in_city = (each for each in types.all if each.in_city and kind in each.content_types)
    return Address(next(in_city), slug, shown.city)


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


class BodyBlock(Resource):
    """One block of a text: its mdast node type, and its CommonMark in `text`."""

    type: Annotated[str, enum_schema(BLOCK_TYPES)]
    """Type of the block, as in mdast."""
    text: str
    """Text of the block as CommonMark."""
    anchors: HeadingAnchors = ()
    """The anchors of the headings in the block."""
    parsed: Annotated[InstanceOf[ParsedBlock], Field(exclude=True)]
    """The block with what the parser found in it; not in the response body."""


class BodyHeading(Resource):
    """A heading of a text: the id to link to, its plain text, and its level in the source."""

    id: str
    """Id of the heading, to link to."""
    text: str
    """Text of the heading, without markup."""
    level: Annotated[int, Field(ge=1, le=6)]
    """Level of the heading in the source."""


def body_headings(resolved: Resolved) -> list[BodyHeading]:
    """Return the headings of a document's text that stand in no other block."""
    return [
        BodyHeading(id=anchors[0].id, text=block.headings[0].text, level=block.level)
        for document in resolved.bodies[-1:]
        for block, anchors in post_blocks(document)
        if block.type == "heading" and anchors
    ]


def body_blocks(view: ContentView, resolved: Resolved) -> list[BodyBlock]:
    """Return the blocks of a document's text in the language that is shown."""
    return [
        BodyBlock(
            type=block.type,
            text=linked,
            anchors=anchors,
            parsed=block if linked == block.text else replace(block, text=linked),
        )
        for document in resolved.bodies[-1:]
        for block, anchors in post_blocks(document)
        for linked in (view.markdown(block.text, document.path),)
    ]


class Fallback(Resource):
    """The closest locale in which the page is published."""

    country_code: CountryCode = None
    """Country of that locale."""
    lang: Language
    """Language of that locale."""
    href: Uri
    """URL of the page in that locale."""


class Missing(Resource):
    """The part of the 404 body that describes the missing page."""

    slug: str
    """Slug of the requested page."""
    country_code: CountryCode = None
    """The requested country."""
    lang: Language
    """The requested language."""
    meta: LocaleMeta
    """How the page was resolved for the locale."""
    fallback: Omittable[Fallback] = None
    """The closest locale in which the page is published."""


class NotPublishedHere(NotFound):
    """The page is published, but not for the requested locale; `missing` holds the fallback."""

    def __init__(self, message: str, resolution: str, missing: Missing) -> None:
        super().__init__(message, resolution)
        self.missing = missing


def not_found(what: str, slug: str) -> NotFound:
    """Return the error for something that is not published in any locale."""
    return NotFound(f"There is no {what} “{slug}”.", "Check the slug, or list what is there.")


def resolution_of(requested: Locale) -> str:
    """Return what to do about a page that is not published for a locale."""
    if requested.country:
        return Text("Use the locale named in fallback, or ask for another country or lang.")
    return Text("Use the locale named in fallback, or ask for another lang.")


def published(
    view: ContentView, kind: ContentType[Fields_co], slug: str, what: str
) -> Resolved[Fields_co]:
    """Return the document of a page; raise NotFound if it is not published for the locale."""
    resolved = view.resolve(kind, slug)
    if resolved is None:
        raise missing_page(view, page_of(kind, slug, view.snapshot), what)
    return resolved


def missing_page(view: ContentView, address: Address, what: str) -> NotFound:
    """Return the error for a page missing in the view's locale, with a fallback if there is one."""
    target = address
    published = variants(view.snapshot, address, view.now)
    if not published.locales and address.page.in_city:
        target = page_of(address.page.content_types[0], address.slug, view.snapshot)
        published = variants(view.snapshot, target, view.now)
    locale, default = view.locale, view.snapshot.locales.default
    nearest = published.first(
        *([locale] if address.city else []),
        locale.in_language(locale.language.other),
        default.in_language(locale.language),
        default,
    )
    if nearest is None:
        return not_found(what, address.slug or address.city)
    missing = Missing(
        slug=address.slug or address.city,
        country_code=locale.country,
        lang=locale.language,
        meta=LocaleMeta(
            resolved_from=Scope.GLOBAL.label,
            missing=True,
            city_fallback=bool(address.city),
            requested_city=address.city or None,
        ),
        fallback=Fallback(
            country_code=nearest.country,
            lang=nearest.language,
            href=view.absolute(nearest.path + target.path),
        ),
    )
    return NotPublishedHere(
        f"The {what} “{missing.slug}” is not published for {locale.tag}.",
        resolution_of(locale),
        missing,
    )
