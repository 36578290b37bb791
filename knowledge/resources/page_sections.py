"""Sections of pages: as their renderers read them, and as the API contract has them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice, repeat
from typing import Annotated

from pydantic import Field, PlainSerializer, SerializationInfo

from knowledge.blocks.block import NO_ANCHOR
from knowledge.blocks.form import SiteForm
from knowledge.blocks.section import DocumentSection, QuestionItem, SectionItem
from knowledge.documents.document import Document
from knowledge.fields.field_types import Omittable
from knowledge.locales.locale import Scope
from knowledge.markdown.slugs import Anchor, slugify
from knowledge.resources.base import Resource
from knowledge.resources.forms import site_form
from knowledge.sections.section_type import FAQ, FORM_SECTION, ContractType, Fields, Section
from knowledge.sections.sections import DECLARED_SECTIONS, merged_sections, section_anchors
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView, SectionReader


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
    form: Omittable[SiteForm] = None
    """The form in the section."""


LISTS: dict[str, Callable[[ContentView, Section], object | None]] = {}
"""What returns the documents that a section lists, by the type of the section."""

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
            "form": section.form,
        }
    )


Sections = Annotated[
    list[DocumentSection], PlainSerializer(_in_contract, return_type=list[PageSection])
]
"""The sections of a page, which are `PageSection`s in JSON."""


def page_sections(
    view: ContentView, resolved: Resolved
) -> tuple[list[DocumentSection], list[Scope]]:
    """Return the visible sections of a page, and the scopes of all its sections."""
    merged = merged_sections(resolved)
    visible = [pair for pair in merged if pair[0].visible]
    anchors = iter(section_anchors([section for section, _ in visible]))
    sections = view.snapshot.left_out.each(
        visible, partial(_section, view, anchors), lambda pair: pair[1].path
    )
    shown = [
        each
        for each in sections
        if (each.type != FORM_SECTION or each.form) and (each.type not in LISTS or each.listing)
    ]
    return shown, [source.layer.scope for _, source in merged]


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
        listing=LISTS[section.type](view, section) if section.type in LISTS else None,
        form=site_form(view, form_name(section)) if section.type == FORM_SECTION else None,
        after=section.after,
        language=pair[1].text_language,
    )


def form_name(section: Section) -> str:
    """Return the name of the form that a section names, `""` without one."""
    return slugify(section.options.get(FORM_SECTION, ""))


def form_section(form: SiteForm) -> DocumentSection:
    """Return the section of a form that its page adds below the text."""
    return DocumentSection(id=FORM_SECTION, type=FORM_SECTION, form=form)


def _section_items(
    section: Section, fields: Iterable[Fields], anchors: Iterable[Sequence[Anchor]]
) -> Iterator[QuestionItem | SectionItem]:
    """Yield the items of a section; only those under a heading have anchors."""
    model = QuestionItem if section.type == FAQ else SectionItem
    for values, (own, *others) in zip(fields, chain(anchors, repeat([NO_ANCHOR])), strict=False):
        yield model.model_validate({**values, "anchor": own, "text_anchors": tuple(others)})
