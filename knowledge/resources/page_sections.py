"""Sections of pages: as their renderers read them, and as the API contract has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice, repeat
from typing import Annotated, Literal

from pydantic import Field, PlainSerializer, SerializationInfo, SkipValidation

from knowledge.documents.document import Document
from knowledge.fields.field_types import Omittable
from knowledge.fields.prices import PERIODS
from knowledge.locales.locale import Scope
from knowledge.markdown.slugs import Anchor, slugify
from knowledge.resources.base import AmountText, Resource, enum_schema
from knowledge.resources.forms import SiteForm, site_form
from knowledge.sections.section_type import FAQ, FORM_SECTION, ContractType, Fields, Section
from knowledge.sections.sections import DECLARED_SECTIONS, merged_sections, section_anchors
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView, SectionReader

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
    vat_first: Annotated[bool, Field(exclude=True)] = False


class SectionValue(Resource):
    """A cell of a comparison: the title of its column, and its text."""

    label: str
    """Title of the column."""
    value: str
    """Text of the cell."""


class SectionItem(Resource):
    """An item of a section; which fields it has depends on the type of the section.

    `text` is CommonMark, or the caption of a picture. `image` and `links` are the first picture
    and the links in it, `features` the items of its first list. `href` is where a picture, file or
    call leads, `size` the bytes of a file.
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
    """Where the picture, the file or the call of a plan leads."""
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
    includes: Omittable[str] = None
    """Title of the plan whose features the plan has, too."""
    call: Omittable[Literal["trial", "demo", "quotation"]] = None
    """What the button of a plan calls for; `href` is where it leads."""
    is_asked: Annotated[bool, Field(exclude=True)] = False
    """Whether the call leads to the contact page."""
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
    form: Omittable[SiteForm] = None
    """The form in the section."""


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
    form: SiteForm | None = None
    after: str = ""
    """The id that its author places it after, `""` for none."""

    language: SkipValidation[str | None] = None
    """The language of its text."""

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

    @property
    def has_prices(self) -> bool:
        """Whether an item has a price."""
        return any(isinstance(item, SectionItem) and item.prices for item in self.items or ())

    @property
    def item_texts(self) -> Sequence[str]:
        """The items under a heading of their own as CommonMark, each below its heading."""
        return [f"### {item.title}\n\n{item.text or ''}".rstrip() for item in self.headed_items]


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
    shown = [each for each in sections if each.type != FORM_SECTION or each.form]
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
